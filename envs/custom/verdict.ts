import type { EpisodeEnd, JsonValue, Verdict } from "../env.js";
import { verdictOfAnswer } from "../shared/verdicts/of-answer.js";
import { brief, rounded, told } from "../shared/verdicts/words.js";
import type { CustomTask } from "./env.js";

/** Maximum number of characters of a reason. */
const mostWhy = 900;

/** States the reward function's own reason or, if it gives none, the submitted and the right answer. */
export function verdict({ task, submitted }: CustomTask, end: EpisodeEnd): Verdict {
  const right = task?.answer;
  const known = right !== undefined && right !== null;
  const accepted = known ? (Array.isArray(right) ? right : [right]).map(textOf) : [];
  const expected = known ? { expected: right } : {};
  if (submitted?.why) return { why: asSentence(submitted.why), ...expected };
  const isRight = end.solved;
  if (!submitted || known) {
    const { why } = verdictOfAnswer(end, { answer: submitted?.answer, isRight, accepted });
    return { why, ...expected };
  }
  return { why: `Answered ${told(submitted.answer)} for a reward of ${rounded(end.result.reward)}.` };
}

/** Returns a text of a reward function on one line, with an end. */
function asSentence(why: string): string {
  const line = brief(why, mostWhy);
  return /[.!?]$/.test(line) ? line : `${line}.`;
}

function textOf(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
