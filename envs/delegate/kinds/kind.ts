import type { Draw } from "../../shared/rng/draw.js";
import type { Vocabulary } from "./vocabulary.js";

export const kindNames = ["arithmetic", "dates", "sorting", "rewriting", "lookup", "tracing"] as const;
export type KindName = (typeof kindNames)[number];

/** A text that a part is about. The director sees its name and its size, and can pass its pages on to a helper. */
export interface Material {
  name: string;
  pages: readonly string[];
  /** Content of each page in a few words, such as `Abbott to Dunn`, or "" for a material of one page. */
  labels: readonly string[];
}

/** A part as it is drawn. */
export interface Question {
  text: string;
  /** The material that the question needs, with the index of the page that holds the answer. */
  source?: { material: Material; page: number };
}

/** A problem as a helper reads it in a request. */
export interface Problem {
  /** Numbers and words that the problem is about. Problems with a common subject count as one. */
  subjects: readonly string[];
  answer: string;
  /** Different wrong answers that look right, at least four for each problem that the environment draws. */
  wrong: readonly string[];
}

/** A problem in a request, or the name of something that the request lacks. */
export type Reading = { problem: Problem } | { missing: string };

export interface Stage {
  draw: Draw;
  vocabulary: Vocabulary;
  /** Whether the part is short and needs no material. */
  isEasy: boolean;
}

/** A kind of part: a generator of questions, and a solver that reads any text. */
export interface Kind {
  ask(stage: Stage): Question;
  /** Returns the problems of this kind in a request, each solved from the request alone. */
  read(request: string): Reading[];
}

/** Returns the texts that differ from the answer and from each other. */
export function wrongFor(answer: string, texts: readonly string[]): string[] {
  return [...new Set(texts)].filter((text) => text !== answer && text !== "");
}

/** Returns the list with the item at `index` and its right neighbour swapped. */
export function swapped<T>(items: readonly T[], index: number): T[] {
  const list = [...items];
  const [first, second] = list.slice(index, index + 2) as [T, T];
  list.splice(index, 2, second, first);
  return list;
}
