import type { EnvironmentSpec } from "../env.js";
import { TextCraft } from "./env.js";
import { nextAction } from "./expert.js";
import { prompt } from "./prompt.js";
import { craftingBook } from "./recipes.js";
import { splits } from "./tasks.js";
import { tools } from "./tools.js";
import { verdict } from "./verdict.js";

const textcraft: EnvironmentSpec<TextCraft> = {
  id: "textcraft",
  version: 1,
  summary: "Craft a Minecraft item out of things that can be got, by the recipes shown among distractors.",
  splits,
  maxSteps: 50,
  rewardRange: [0, 1],
  familyKey: "depth",
  prompt,
  promptFormat: "react",
  tools,
  requirements: [],
  restore: "clone",
  create: () => new TextCraft(craftingBook()),
  expert: nextAction,
  verdict,
};

export default textcraft;
