import type { EpisodeEnd, Verdict } from "../env.js";
import { verdictOfAnswer } from "../shared/verdicts/of-answer.js";
import type { Memory } from "./env.js";

export function verdict({ task, given }: Memory, end: EpisodeEnd): Verdict {
  const { answer, exact: isRight = false } = given ?? {};
  return {
    ...(task && { goal: task.question }),
    ...verdictOfAnswer(end, { answer, isRight, accepted: task?.golden ?? [] }),
  };
}
