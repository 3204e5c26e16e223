import type { EnvironmentSpec } from "../env.js";
import { MathProblem } from "./env.js";
import { problems } from "./requirement.js";
import { judged } from "./score.js";
import { mathSplits, taskOf } from "./tasks.js";
import { prompt, tools } from "./tools.js";

const math: EnvironmentSpec<MathProblem> = {
  id: "math",
  version: 1,
  summary: "Solve a problem of mathematics with a calculator, and submit the answer.",
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
  rewardRange: [0, 1],
  familyKey: "family",
  prompt,
  tools,
  requirements: [problems],
  restore: "clone",
  create: () => new MathProblem(),
  expert: (problem) => problem.advise(),
  verify({ task, answer }) {
    const { isRight, info } = judged(taskOf(task), answer);
    return { reward: isRight ? 1 : 0, info };
  },
};

export default math;
