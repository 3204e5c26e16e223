/**
 * Answers questions of memory from texts alone: the opening, and what `open` and `search` show. The reader knows the
 * environment's tables of sentences, but no other data of the generator.
 */
import { attributes as allAttributes } from "#palestra/envs/memory/tables/attributes.js";
import { choices as allChoices, type Choice } from "#palestra/envs/memory/tables/choices.js";
import { eventKinds } from "#palestra/envs/memory/tables/events.js";
import { facts as allFacts } from "#palestra/envs/memory/tables/facts.js";
import { occasions as allOccasions } from "#palestra/envs/memory/tables/occasions.js";
import { smallTalk } from "#palestra/envs/memory/tables/small-talk.js";

const [attributes, choices, facts, occasions] = [allAttributes(), allChoices(), allFacts(), allOccasions()];
const { counted, paid } = eventKinds();
const { greetings, transitions } = smallTalk();

/** A statement of a message. `v` is a value, an item or the id of a limit. */
export interface Said {
  kind: string;
  topic: string;
  v: string;
  /** First name of the person, if it is not the user. */
  who?: string;
  amount: number;
}

/** A statement in a session of this day. */
export type Dated = Said & { day: number };

interface Pattern {
  kind: string;
  topic: string;
  /** Value for a sentence without one. */
  v?: string;
  regExp: RegExp;
  /** Values in the case of the table. */
  values: ReadonlyMap<string, string>;
}

const person = String.raw`my [a-z -]+ (?<who>\p{Lu}\p{L}+)`;

function patternsOf(kind: string, topic: string, templates: readonly string[], values: readonly string[], v?: string) {
  const choice = [...values].sort((a, b) => b.length - a.length).map(escaped);
  const place = (name: string) => (["v", "x"].includes(name) ? `(?<v>${choice.join("|")})` : `(?:${choice.join("|")})`);
  return templates.map((template): Pattern => {
    const source = escaped(template).replace(
      /\\\{(a )?(\w+)\\\}/g,
      (_all, article: string | undefined, key: string) => {
        const name = key.toLowerCase();
        if (name === "who") return person.replace("my", "[Mm]y");
        if (name === "amount") return "€(?<amount>\\d+)";
        if (name === "date") return "(?<date>.+)";
        if (name === "place") return "(?<place>second|third|fourth)";
        return `${article ? "[Aa]n? " : ""}${place(name)}`;
      },
    );
    const lowered = new Map(values.map((value) => [value.toLowerCase(), value]));
    return { kind, topic, ...(v !== undefined && { v }), regExp: new RegExp(`^${source}$`, "iu"), values: lowered };
  });
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}

const sentences: Pattern[] = [
  ...attributes.flatMap(({ topic, values, first, change, correct, idea, other = [] }) => [
    ...patternsOf("holds", topic, [...first, ...change], values),
    ...patternsOf("corrected", topic, correct, values),
    ...patternsOf("considered", topic, idea, values),
    ...patternsOf("holds", topic, other, values),
  ]),
  ...facts.flatMap(({ topic, values, say }) => patternsOf("holds", topic, say, values)),
  ...[...counted, ...paid].flatMap(({ topic, items, did, again, miss }) => [
    ...patternsOf("event", topic, did, items),
    ...patternsOf("recalled", topic, again, items),
    ...patternsOf("missed", topic, miss, items),
  ]),
  ...occasions.flatMap(({ topic, values, own, assistant, third }) => [
    ...patternsOf("own", topic, own, values),
    ...patternsOf("assistant", topic, assistant, values),
    ...patternsOf("third", topic, third, values),
  ]),
  ...choices.flatMap(({ topic, limits }) =>
    limits.flatMap(({ id, say, lift, other }) => [
      ...patternsOf("limited", topic, [...say, other], [], id),
      ...patternsOf("lifted", topic, lift, [], id),
    ]),
  ),
];

const known = new Map<string, Said[]>();

/** Returns all possible statements of a message: one about a subject, none for everyday talk. */
export function saidIn(message: string): Said[] {
  const before = known.get(message);
  if (before) return before;
  const starts = [...greetings.map((greeting) => `${greeting} `), ...transitions].filter((one) =>
    message.startsWith(one),
  );
  const bare = [...new Set(["", ...starts])].map((start) => message.slice(start.length));
  const said = sentences.flatMap((sentence) => bare.flatMap((text) => matchOf(sentence, text) ?? []));
  known.set(message, said);
  return said;
}

function matchOf({ kind, topic, v, regExp, values }: Pattern, text: string): Said | undefined {
  const groups = regExp.exec(text)?.groups;
  if (groups === undefined && !regExp.test(text)) return undefined;
  const { v: value = "", who, amount = "0" } = groups ?? {};
  return {
    kind,
    topic,
    v: v ?? (values.get(value.toLowerCase()) as string),
    ...(who && { who }),
    amount: Number(amount),
  };
}

/** Returns the statements of the messages of a text, in order. Truncated lines have none. */
export function saidInText(text: string): Said[] {
  return text.split("\n").flatMap((line) => saidIn(line.replace(/^(User|Assistant): /, "")));
}

/** Returns the answer to a question from statements, or `unknown`. */
export function answerTo(question: string, said: readonly Dated[]): string {
  const both = /^(.+\?) And: (.+\?) Answer both in this order/.exec(question);
  if (both) return [both[1], both[2]].map((one) => answerTo(one as string, said)).join(", ");
  const [line = "", ...options] = question.split("\n");
  const first = line.replace(" Answer with the name.", "");
  for (const { topic, now, at, otherNow = [] } of attributes) {
    if (now.includes(first)) return heldValue(said, topic);
    const date = groupsOf(at, first)?.date;
    if (date) return heldValue(said, topic, undefined, Date.parse(`${date} UTC`) / 86_400_000);
    const who = groupsOf(otherNow, first)?.who;
    if (who) return heldValue(said, topic, who);
  }
  const fact = facts.find(({ ask }) => ask.includes(first));
  if (fact) return heldValue(said, fact.topic);
  const choice = choices.find(({ ask }) => ask.includes(first));
  if (choice) return chosen(said, choice, options);
  return ofEvents(first, said) ?? ofProposals(first, said);
}

function groupsOf(templates: readonly string[], question: string): Record<string, string> | undefined {
  const patterns = patternsOf("", "", templates, []);
  return patterns.map(({ regExp }) => regExp.exec(question)?.groups).find((groups) => groups !== undefined);
}

function heldValue(said: readonly Dated[], topic: string, who?: string, day = Infinity): string {
  const spans: { day: number; v: string }[] = [];
  for (const one of said) {
    if (one.topic !== topic || one.who !== who) continue;
    if (one.kind === "corrected") spans.splice(-1, 1, { day: spans.at(-1)?.day ?? one.day, v: one.v });
    if (one.kind === "holds") spans.push(one);
  }
  return spans.findLast((span) => span.day <= day)?.v ?? "unknown";
}

function ofEvents(question: string, said: readonly Dated[]): string | undefined {
  const happened = (topic: string) => {
    const events = said.filter((one) => one.kind === "event" && one.topic === topic);
    return [...new Map(events.map((one) => [one.v, one.amount]))];
  };
  for (const { topic, ask, askOrder = [], askPlace = [] } of counted) {
    if (ask.includes(question)) return `${happened(topic).length}`;
    const place = groupsOf(askPlace, question)?.place;
    if (place) return happened(topic)[["second", "third", "fourth"].indexOf(place) + 1]?.[0] ?? "unknown";
    const start = askOrder.find((one) => question.startsWith(one));
    if (start === undefined) continue;
    const asked = question.slice(start.length + 2, question.indexOf("? Name")).split(", ");
    const order = happened(topic).filter(([item]) => asked.includes(item));
    return order.map(([item]) => item).join(", ");
  }
  const expense = paid.find(({ ask }) => ask.includes(question));
  return expense && `${happened(expense.topic).reduce((sum, [, amount]) => sum + amount, 0)}`;
}

function ofProposals(question: string, said: readonly Dated[]): string {
  const occasion = occasions.find(({ title }) => question.includes(` for ${title}`));
  const proposals = said.filter(({ topic }) => topic === occasion?.topic);
  const of = (kind: string) => proposals.find((one) => one.kind === kind)?.v ?? "unknown";
  if (question.startsWith("What was my own idea")) return of("own");
  if (question.startsWith("What did you, the assistant,")) return of("assistant");
  if (question.startsWith("What did my ")) return of("third");
  const value = /^Who came up with (.+) for /.exec(question)?.[1] ?? "";
  const found = proposals.find(({ v }) => value.startsWith(v));
  return found?.who ?? (found?.kind === "own" ? "user" : (found?.kind ?? "unknown"));
}

function chosen(said: readonly Dated[], { topic, limits }: Choice, options: string[]): string {
  const active = new Set<string>();
  for (const one of said) {
    if (one.topic !== topic || one.who !== undefined) continue;
    if (one.kind === "limited") active.add(one.v);
    if (one.kind === "lifted") active.delete(one.v);
  }
  const bad = limits.filter(({ id }) => active.has(id)).flatMap(({ features }) => features);
  const fitting = options
    .map((option) => /^\d+\. (?<name>[^:]+): (?<features>.*)$/.exec(option)?.groups as Record<string, string>)
    .filter(({ features = "" }) => !features.split(", ").some((feature) => bad.includes(feature)));
  return fitting.length === 1 ? (fitting[0]?.name as string) : "unknown";
}
