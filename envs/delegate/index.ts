import type { EnvironmentSpec } from "../env.js";
import { Delegate } from "./env.js";
import { nextAction } from "./expert.js";
import { moneyWorth, solvedReturn } from "./plan/job-plan.js";
import { splits } from "./tasks.js";
import { tools } from "./tools.js";
import { verdict } from "./verdict.js";
import { prompt } from "./words.js";

const delegate: EnvironmentSpec<Delegate> = {
  id: "delegate",
  version: 1,
  summary:
    "Direct helpers of different price and skill, so that all parts of a job are answered right for little money.",
  splits,
  options: {
    skills: {
      summary: "What the first observation shows about the skills of the helpers.",
      values: {
        told: { summary: "The probability of a right answer for each kind of part." },
        record: { summary: "The number of right answers in 4 to 12 past calls for each kind of part." },
        hidden: { summary: "Nothing: only prices and limits." },
      },
    },
  },
  maxSteps: 40,
  rewardRange: [-moneyWorth, 1],
  solvedReward: solvedReturn,
  familyKey: "parts",
  prompt,
  tools,
  requirements: [],
  restore: "clone",
  create: () => new Delegate(),
  expert: nextAction,
  verdict,
};

export default delegate;
