import type { EpisodeEnd, Verdict } from "../env.js";
import { isExact } from "../shared/questions/squad.js";
import { verdictOfAnswer } from "../shared/verdicts/of-answer.js";
import type { SearchQa } from "./env.js";

export function verdict({ question, answers }: SearchQa, end: EpisodeEnd): Verdict {
  const accepted = question?.golden ?? [];
  const answer = answers.at(-1);
  const isRight = answer !== undefined && isExact(answer, accepted);
  return verdictOfAnswer(end, { answer, answers: answers.length, isRight, accepted });
}
