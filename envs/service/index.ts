import type { EnvironmentSpec } from "../env.js";
import { Service } from "./env.js";
import { nextAction } from "./expert.js";
import { splits } from "./tasks.js";
import { tools } from "./tools.js";
import { verdict } from "./verdict.js";
import { prompt } from "./words.js";

const service: EnvironmentSpec<Service> = {
  id: "service",
  version: 1,
  summary: "Serve a customer of a shop or a railway in a conversation, by the company's policy and its records.",
  splits,
  maxSteps: 40,
  rewardRange: [0, 1],
  solvedReward: 0.5,
  familyKey: "family",
  prompt,
  tools,
  requirements: [],
  restore: "clone",
  create: () => new Service(),
  expert: nextAction,
  verdict,
};

export default service;
