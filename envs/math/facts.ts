import type { AnswerReward, EnvironmentFacts, Submission } from "../env.js";
import { judged } from "./score.js";
import { mathSplits, taskOf } from "./tasks.js";

/** The part of the spec that is equal for `math@3` and `math@python`. */
export const facts = {
  id: "math",
  splits: mathSplits(),
  options: {
    answers: {
      summary: "How many answers may be submitted.",
      values: {
        once: { summary: "One, which ends the episode." },
        retry: { summary: "Three: the episode goes on after a wrong one." },
      },
    },
  },
  maxSteps: 20,
  rewardRange: [0, 1] as const,
  familyKey: "family",
} satisfies Partial<EnvironmentFacts>;

export function verify({ task, answer }: Submission): AnswerReward {
  const found = taskOf(task);
  const { isRight, info } = judged(found, answer);
  return { reward: isRight ? 1 : 0, info, expected: found.answer };
}
