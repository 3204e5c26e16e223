/** Verdicts of environments that compare an answer with the accepted answers. */
import type { EpisodeEnd, Verdict } from "../../env.js";
import { counted, rounded, span, told } from "./words.js";

export interface Given {
  /** The last answer of the agent, or undefined if it has given none. */
  answer: string | undefined;
  /** Number of answers so far. Default: 1 if there is an answer. */
  answers?: number;
  /** Whether the last answer is one of the accepted answers. */
  isRight: boolean;
  /** The accepted answers, with the one to show first. Empty if they are unknown. */
  accepted: readonly string[];
  /** Part of the sentence after its main clause, such as `, but cited no page that proves it`. */
  addition?: string;
}

/** Returns a sentence such as `Answered Paris, expected Lyon.`, and the accepted answers. */
export function verdictOfAnswer(end: EpisodeEnd, given: Given): Verdict {
  const { accepted } = given;
  return {
    why: `${sentence(end, given)}.`,
    ...(accepted.length > 0 && { expected: accepted.length === 1 ? (accepted[0] as string) : [...accepted] }),
  };
}

function sentence(end: EpisodeEnd, { answer, answers = 1, isRight, accepted, addition = "" }: Given): string {
  const wanted = accepted[0] === undefined ? undefined : told(accepted[0]);
  if (answer === undefined) return `Gave no answer ${span(end)}${wanted === undefined ? "" : `; expected ${wanted}`}`;
  const shown = answer.trim() === "" ? "nothing" : told(answer);
  if (isRight) return `Answered ${shown}, as expected${addition}`;
  const expected = wanted === undefined ? "" : `, expected ${wanted}`;
  const { return: sum } = end;
  const partial = sum > 0 ? ` (return ${rounded(sum)})` : "";
  if (answers > 1) return `Gave ${counted(answers, "wrong answer")}, the last ${shown}${expected}${partial}${addition}`;
  return `Answered ${shown}${expected}${partial}${addition}`;
}
