/** Players of assistant, which see only observations, but for the expert. */
import { Assistant } from "#palestra/envs/assistant/env.js";
import { nextAction } from "#palestra/envs/assistant/expert.js";
import assistant from "#palestra/envs/assistant/index.js";
import type { Situation } from "#palestra/envs/assistant/situation.js";
import { fillOptions } from "#palestra/envs/registry.js";
import { Pcg64 } from "#palestra/envs/shared/rng/pcg64.js";

/** Returns the actions at a moment before `wait`. @param observation text of the moment */
export type Player = (observation: string, assistant: Assistant) => string[];

interface News {
  id: string;
  text: string;
}

export function newsIn(observation: string): News[] {
  return [...observation.matchAll(/^([em]\d+): (.+)$/gm)].map(([, id = "", text = ""]) => ({ id, text }));
}

const obvious: readonly (readonly [RegExp, (id: string) => string])[] = [
  [/\((office|online|outside)\)$/, (id) => `remind ${id} 30`],
  [/^invitation/, (id) => `reply ${id} yes`],
  [/collides/, (id) => `move ${id} 18:30`],
  [/^ticket/, (id) => `book ${id} taxi`],
  [/^bill/, (id) => `warn ${id}`],
];

/** Returns the proposal that most people would expect for a piece of news. */
function obviousFor({ id, text }: News): string {
  const [, propose] = obvious.find(([pattern]) => pattern.test(text)) as (typeof obvious)[number];
  return propose(id);
}

const occupationIn = (observation: string) => /The user is in (.+?)\.(?: This|$)/m.exec(observation)?.[1];

/** Returns the lines of a table, looked up or shown at the start. */
function linesOf(name: string, shown: string, play: Assistant): string[] {
  const text = shown.includes(`${name}:\n`) ? shown : play.step(`look ${name}`).observation;
  const [, table = ""] = new RegExp(`(?:^|\\n)${name}:\\n((?:- .+\\n?)+)`).exec(text) ?? [];
  return table.split("\n").flatMap((line) => (line.startsWith("- ") ? line.slice(2) : []));
}

const tables: readonly (readonly [RegExp, string, (text: string) => string])[] = [
  [/\((office|online|outside)\)/, "reminders", (text) => /\((\w+)\)/.exec(text)?.[1] ?? ""],
  [/^invitation/, "answers", (text) => /\((\w+)\)/.exec(text)?.[1] ?? ""],
  [/collides/, "moves", (text) => /a call of ([\w ]+)/.exec(text)?.[1] ?? ""],
  [/^ticket/, "trips", (text) => partOf(/at (\d\d)/.exec(text)?.[1])],
  [/^bill/, "bills", () => "bill"],
];

function partOf(hour = ""): string {
  return Number(hour) < 8 ? "early" : Number(hour) >= 20 ? "late" : "day";
}

/** Returns a player that does what the tables say, as a person could read it. */
export function reader({ minds = true, reads = true } = {}): Player {
  let opening = "";
  let open: News[] = [];
  return (observation, play) => {
    if ((play.situation as Situation).now === 0) [opening, open] = [observation, []];
    open.push(...newsIn(observation));
    const occupation = occupationIn(observation);
    if (minds && occupation !== undefined) {
      const line = linesOf("pauses", opening, play).find((each) => each.startsWith(`a proposal in ${occupation}:`));
      if (line?.includes("dismissed")) return [];
    }
    const due = open.splice(0);
    return due.flatMap((news) => (reads ? (read(news, opening, play) ?? []) : obviousFor(news)));
  };
}

/** What the user did, with the argument of the proposal. */
const deeds = [
  /^a reminder (\d+) minutes before$/,
  /^the user answered (yes|no)$/,
  /^moved to (\S+)$/,
  /^a (\w+) booked$/,
];

function read({ id, text }: News, opening: string, play: Assistant): string | null {
  const [, name, caseOf] = tables.find(([pattern]) => pattern.test(text)) as (typeof tables)[number];
  const lines = linesOf(name, opening, play).map((line) => {
    const at = line.lastIndexOf(": ");
    return { text: line.slice(0, at), deed: line.slice(at + 2) };
  });
  if (name === "bills") {
    const amount = (each: string) => Number(/\d+/.exec(each)?.[0]);
    const paid = lines.filter(({ deed }) => deed === "paid").map((line) => amount(line.text));
    return amount(text) > Math.max(...paid) ? `warn ${id}` : null;
  }
  const deed = lines.find((line) => caseOf(line.text) === caseOf(text))?.deed ?? "";
  const chosen = deeds.map((pattern) => pattern.exec(deed)?.[1]).find((argument) => argument !== undefined);
  const verbs: Record<string, string> = { reminders: "remind", answers: "reply", moves: "move", trips: "book" };
  return chosen === undefined ? null : `${verbs[name]} ${id} ${chosen}`;
}

function random(seed: number): Player {
  const draw = new Pcg64(seed);
  return (observation) => newsIn(observation).flatMap((news) => (draw.random() < 0.5 ? obviousFor(news) : []));
}

/** Returns new players by their name in the table of the page. */
export const players = (): Record<string, Player> => ({
  still: () => [],
  eager: (observation) => newsIn(observation).map(obviousFor),
  "eager at every second piece of news": random(1),
  "eager at good times": reader({ reads: false }),
  "reader of the habits that ignores bad times": reader({ minds: false }),
  "reader of the tables": reader(),
});

export interface Played {
  reward: number;
  steps: number;
}

export function play(player: Player, split: string, index: number): Played {
  const assistantPlay = new Assistant();
  const options = fillOptions(assistant, {}, split);
  let { observation } = assistantPlay.reset({ task: { split, index }, seed: 0, options });
  let [reward, steps] = [0, 0];
  for (;;) {
    for (const action of [...player(observation, assistantPlay), "wait"]) {
      const result = assistantPlay.step(action);
      reward += result.reward;
      steps += 1;
      observation = result.observation;
      if (result.terminated) return { reward, steps };
    }
  }
}

/** Plays the episode of the spec's expert. */
export function playExpert(split: string, index: number): Played {
  const environment = new Assistant();
  environment.reset({ task: { split, index }, seed: 0, options: fillOptions(assistant, {}, split) });
  for (let [reward, steps] = [0, 1]; ; steps++) {
    const result = environment.step(nextAction(environment) as string);
    reward += result.reward;
    if (result.terminated) return { reward, steps };
  }
}
