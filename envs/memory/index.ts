import type { EnvironmentSpec } from "../env.js";
import { answerIn, scored } from "../shared/questions/scored.js";
import { Memory } from "./env.js";
import { nextAction } from "./expert.js";
import { splits, taskOf } from "./tasks.js";
import { tools } from "./tools.js";
import { verdict } from "./verdict.js";
import { prompt } from "./words.js";
import type { Length } from "./world/lengths.js";

const memory: EnvironmentSpec<Memory> = {
  id: "memory",
  version: 2,
  summary: "Answer a question about what a user said in many earlier chat sessions, by searching and reading them.",
  splits,
  options: {
    length: {
      summary: "Length of the history.",
      values: {
        medium: { summary: "40 sessions, over about a year." },
        short: { summary: "10 sessions, over about four months." },
        long: { summary: "120 sessions, over a year and more." },
      },
    },
    reward: {
      summary: "Reward of an answer.",
      values: {
        exact: { summary: "1 for an accepted answer, after SQuAD's normalisation; 0 for any other." },
        f1: { summary: "F1 score of its words with the best-matching accepted answer." },
      },
    },
  },
  maxSteps: 64,
  rewardRange: [0, 1],
  familyKey: "family",
  prompt,
  tools,
  requirements: [],
  restore: "replay",
  create: () => new Memory(),
  expert: nextAction,
  verdict,
  verify({ task, options, answer: text }) {
    const answer = answerIn(text);
    const { golden } = taskOf(task, options.length as Length);
    const { reward, ...scores } = scored(answer, golden, options.reward);
    return { reward, info: { answer, ...scores }, expected: [...golden] };
  },
};

export default memory;
