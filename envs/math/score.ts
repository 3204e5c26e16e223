import type { Info } from "../env.js";
import { finalAnswer } from "../shared/arithmetic/final-answer.js";
import { isSameAnswer } from "../shared/arithmetic/same-answer.js";
import type { MathTask } from "./tasks.js";
import { faultOf } from "./twenty-four.js";

/** Checks whether the final answer in a text is right. */
export function judged({ answer, hand, text: question }: MathTask, text: string): { isRight: boolean; info: Info } {
  const given = finalAnswer(text);
  if (!hand) return { isRight: isSameAnswer(answer, given, question), info: {} };
  const fault = faultOf(hand, given);
  return { isRight: fault === null, info: fault === null ? {} : { fault } };
}
