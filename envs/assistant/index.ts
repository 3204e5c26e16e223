import type { EnvironmentSpec } from "../env.js";
import { Assistant } from "./env.js";
import { nextAction } from "./expert.js";
import { disturbanceCost } from "./situation.js";
import { splits } from "./tasks.js";
import { tools } from "./tools.js";
import { verdict } from "./verdict.js";
import { prompt } from "./words.js";

const assistant: EnvironmentSpec<Assistant> = {
  id: "assistant",
  version: 1,
  summary:
    "Propose what a user would want in the course of a day, as the user's habits show, and keep still otherwise.",
  splits,
  options: {
    history: {
      summary: "How the agent learns what the user did in earlier cases.",
      values: {
        asked: { summary: "It looks tables up." },
        shown: { summary: "The first observation shows all tables." },
      },
    },
  },
  maxSteps: 48,
  rewardRange: [-disturbanceCost, 1],
  // The rewards of three proposals of a third each may miss 1 by an error of rounding.
  solvedReward: 0.999,
  familyKey: "wanted",
  prompt,
  tools,
  requirements: [],
  restore: "clone",
  create: () => new Assistant(),
  expert: nextAction,
  verdict,
};

export default assistant;
