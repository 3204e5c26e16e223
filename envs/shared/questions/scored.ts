/** Scores an answer to a question according to the option `reward`: `exact` or `f1`. */
import { f1, isExact, stripped } from "./squad.js";
import { tagsOf } from "./tags.js";

export interface Scored {
  reward: number;
  exact: boolean;
  f1: number;
}

/** @param kind `f1` rewards the F1 score of the words; any other value rewards an exact match with 1, else 0 */
export function scored(answer: string, golden: readonly string[], kind: string | undefined): Scored {
  const scores = { exact: isExact(answer, golden), f1: f1(answer, golden) };
  return { reward: kind === "f1" ? scores.f1 : Number(scores.exact), ...scores };
}

/**
 * Returns the answer in a text that a client submitted for scoring without an episode: the content of the last
 * `<answer>` tag, or the whole text if it has none.
 */
export function answerIn(text: string): string {
  return stripped(tagsOf(text, "answer").at(-1)?.content ?? text);
}
