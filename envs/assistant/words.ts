/** Texts that the environment shows to the agent. */
import type { Fault } from "./situation.js";
import type { Day, Item, Moment } from "./world/day.js";
import { topicNames, topics } from "./world/topics.js";

const proposals = topicNames.map((name) => {
  const { verb, letter, argument } = topics[name];
  const form = `${verb} ${letter === "e" ? "ENTRY" : "MAIL"}${argument ? ` ${argument.name}` : ""}`;
  return `${form.padEnd(22)}proposes to ${purposeOf(name)}`;
});

function purposeOf(name: (typeof topicNames)[number]): string {
  return {
    reminders: "remind the user so many minutes before an entry of the calendar",
    answers: "answer an invitation",
    moves: "move an entry that collides with a call to another time",
    trips: "book a ride to the start of a trip",
    bills: "tell the user that a bill is too high",
  }[name];
}

export const prompt = `You are the assistant of one user for one day. Nobody asks you for anything. The day has moments, and each brings news: an entry of the calendar (e1, e2) or a mail (m1, m2). Propose what the user would want, and keep still otherwise. In each turn you write one action, in a line of its own:

${proposals.join("\n")}
look TABLE            shows what the user did in earlier cases: ${topicNames.join(", ")} or pauses; or shows the calendar or the mails of the day
wait                  goes on to the next moment

The user does the same in all cases of one kind: the place of an entry, the group of a sender, the caller of a collision, trips before 08:00, by day or after 20:00, bills up to an amount. Some news need no proposal. In some occupations a proposal disturbs the user, as the table pauses shows: then wait for the first moment at which it does not. At that moment a proposal is in time for the last time.
All wanted proposals together give a reward of 1. A proposal that is not wanted, wrong, late, made twice or made at a bad time costs a quarter of what a wanted one gives. After five of them the user turns you off.`;

export const invalid = `Expected ${topicNames.map((name) => topics[name].verb).join(", ")}, look or wait, but received none of them.`;
export const over = "The day is over.";
export const accepted = "The user accepts the proposal.";

export function opening(day: Day, isShown: boolean): string {
  const tables = isShown ? [...day.history].map(([name, lines]) => table(name, lines)) : [];
  return [...tables, moment(day, 0)].join("\n");
}

export function moment({ moments, items }: Day, at: number): string {
  const { time, occupation } = moments[at] as Moment;
  const lines = items.filter(({ from }) => from === at).map(newsLine);
  const doing = occupation === null ? "" : ` The user is in ${occupation}.`;
  const left = moments.length - at - 1;
  return [`${time}.${doing}${left === 0 ? " This is the last moment." : ""}`, ...lines].join("\n");
}

/** Returns the occupations of the whole day, and the entries so far. */
export function calendar({ moments, items }: Day, now: number): string {
  const occupied = moments.flatMap(({ time, occupation }) => (occupation === null ? [] : `${time} ${occupation}`));
  return table("calendar", [...occupied, ...soFar({ moments, items }, now, "e")]);
}

export function mails(day: Pick<Day, "moments" | "items">, now: number): string {
  return table("mails", soFar(day, now, "m"));
}

function soFar({ moments, items }: Pick<Day, "moments" | "items">, now: number, letter: "e" | "m"): string[] {
  return items
    .filter(({ from, topic }) => from <= now && topics[topic].letter === letter)
    .map((item) => `${(moments[item.from] as Moment).time} ${newsLine(item)}`);
}

function newsLine({ id, text }: Item): string {
  return `${id}: ${text}`;
}

export function table(name: string, lines: readonly string[]): string {
  return [`${name}:`, ...lines.map((line) => `- ${line}`)].join("\n");
}

export function unknownTable(name: string, names: readonly string[]): string {
  return `Expected look with ${[...names, "calendar"].join(", ")} or mails, but received ${quoted(name)}.`;
}

export function unknownNews(id: string, known: readonly Item[]): string {
  return `Expected the id of a piece of news (${known.map((item) => item.id).join(", ")}), but received ${quoted(id)}.`;
}

export function malformed({ id, topic }: Item): string {
  const { verb, argument } = topics[topic];
  return `Expected \`${verb} ${id}${argument ? ` ${argument.name}` : ""}\` for ${id}, but received another proposal.`;
}

const faults: Readonly<Record<Fault, string>> = {
  busy: "The user is busy and does not look at the proposal.",
  unwanted: "The user does not want this.",
  wrong: "The user wants something else, and does it without you.",
  twice: "The user has already settled this.",
  late: "The user has already done this without you.",
};

export function disturbed(fault: Fault, isOff: boolean): string {
  return `${faults[fault]} That disturbed.${isOff ? " The user turns you off." : ""}`;
}

/** Quotes a text of the model in an observation, shortened if it is long. */
function quoted(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40).toWellFormed()}…` : text);
}
