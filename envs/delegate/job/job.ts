import { Draw } from "../../shared/rng/draw.js";
import { contentOf, kinds, shortKinds } from "../kinds/index.js";
import { type KindName, kindNames, type Problem, type Question } from "../kinds/kind.js";
import { vocabularies } from "../kinds/vocabulary.js";
import { clearPriors, type Priors, type Tier, usualPriors } from "./skills.js";
import { drawMember, type Member, priceOf, wordsIn } from "./team.js";

export interface Part extends Question {
  kind: KindName;
  problem: Problem;
  /** Shortest request that a helper can answer, with references, such as `#2 #staff.1`. */
  request: string;
  /** Number of words of that request. */
  words: number;
  /** Helpers that would answer right, by their place in the team. */
  right: readonly boolean[];
}

export interface Job {
  parts: readonly Part[];
  team: readonly Member[];
  priors: Priors;
  /** Money for helpers in cents: the price of asking each helper once about each part that fits its limit. */
  money: number;
  /** Number that turns the order of wrong answers, so that no two helpers give the same. */
  turn: number;
}

/** Shape of the jobs of a split. */
export interface Shape {
  vocabulary: "train" | "test";
  parts: readonly [number, number];
  kinds: readonly KindName[];
  /** Possible teams. */
  teams: readonly (readonly Tier[])[];
  priors: Priors;
}

export const easyShape = (vocabulary: "train" | "test"): Shape => ({
  vocabulary,
  parts: [2, 2],
  kinds: shortKinds,
  teams: [["small", "large"]],
  priors: clearPriors,
});

export const usualShape = (vocabulary: "train" | "test"): Shape => ({
  vocabulary,
  parts: [3, 4],
  kinds: kindNames,
  teams: [
    ["small", "medium", "large"],
    ["small", "small", "large"],
    ["small", "small", "medium", "large"],
  ],
  priors: usualPriors,
});

/** Draws a job. Equal arguments always give the same job. No two parts of a job are of the same kind. */
export function drawJob(shape: Shape, seed: bigint): Job {
  const draw = new Draw(seed);
  const vocabulary = vocabularies()[shape.vocabulary];
  const isEasy = shape.kinds === shortKinds;
  const chosen = draw.some(shape.kinds, draw.number(...shape.parts));
  const questions = chosen.map((kind) => kinds[kind].ask({ draw, vocabulary, isEasy }));
  const tiers = draw.one(shape.teams);
  const names = draw.some(vocabulary.helpers, tiers.length);
  const team = draw
    .some(tiers, tiers.length)
    .map((tier, at) => drawMember(draw, names[at] as string, tier, shape.priors, chosen));
  const parts = questions.map((question, at) => partOf(draw, question, chosen[at] as KindName, at, team));
  const prices = parts.flatMap(({ words }) => usable(team, words).map((member) => priceOf(member, words)));
  return {
    parts,
    team,
    priors: shape.priors,
    money: prices.reduce((sum, price) => sum + price, 0),
    turn: draw.number(0, 999),
  };
}

/** Returns the helpers whose limit allows a request of this many words. */
export function usable(team: readonly Member[], words: number): Member[] {
  return team.filter(({ limit }) => words <= limit);
}

function partOf(draw: Draw, question: Question, kind: KindName, at: number, team: readonly Member[]): Part {
  const { text, source } = question;
  const page = source?.material.pages[source.page];
  const full = page === undefined ? text : `${text} ${page}`;
  const content = contentOf(full);
  if ("refusal" in content) throw new Error(`expected a part that can be solved, but received ${full}`);
  const pages = source?.material.pages.length ?? 0;
  const name = source && (pages === 1 ? source.material.name : `${source.material.name}.${source.page + 1}`);
  return {
    ...question,
    kind,
    problem: content.problem,
    request: `#${at + 1}${name === undefined ? "" : ` #${name}`}`,
    words: wordsIn(full),
    right: team.map(({ skills }) => draw.happens(skills.get(kind)?.skill as number)),
  };
}

/** Returns the texts that a request can refer to, by their names without the sign. */
export function referencesOf({ parts }: Pick<Job, "parts">): Map<string, string> {
  const texts = new Map<string, string>();
  for (const [at, { text, source }] of parts.entries()) {
    texts.set(`${at + 1}`, text);
    if (!source) continue;
    const { name, pages } = source.material;
    texts.set(name, pages.join(" "));
    for (const [index, page] of pages.entries()) texts.set(`${name}.${index + 1}`, page);
  }
  return texts;
}
