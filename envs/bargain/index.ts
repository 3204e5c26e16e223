import type { EnvironmentSpec } from "../env.js";
import { Bargaining } from "./env.js";
import { nextAction } from "./expert.js";
import { splits } from "./tasks.js";
import { tools } from "./tools.js";
import { verdict } from "./verdict.js";
import { prompt } from "./words.js";

const bargain: EnvironmentSpec<Bargaining> = {
  id: "bargain",
  version: 1,
  summary: "Two seats divide goods, each of which knows only what the goods are worth to itself.",
  splits,
  maxSteps: 20,
  rewardRange: [0, 1],
  prompt,
  tools,
  seats: {
    left: { summary: "The seat that begins." },
    right: { summary: "The seat that answers." },
  },
  requirements: [],
  restore: "clone",
  create: () => new Bargaining(),
  expert: nextAction,
  verdict,
};

export default bargain;
