import type { AsyncEnvironmentSpec } from "../env.js";
import { browser } from "../shared/browser/requirement.js";
import { MiniWob } from "./env.js";
import { prompt } from "./prompt.js";
import { miniwobPages } from "./requirement.js";
import { splits, taskNames } from "./tasks.js";
import { tools } from "./tools.js";

const miniwob: AsyncEnvironmentSpec<MiniWob> = {
  isAsync: true,
  id: "miniwob",
  version: 1,
  summary: `${taskNames.length} small tasks on web pages: the MiniWoB++ benchmark, played in a browser.`,
  splits,
  options: {
    picture: {
      summary: "Whether an observation carries a picture of the page beside its text.",
      values: { none: { summary: "Text alone." }, png: { summary: "A PNG of 160 x 210 pixels." } },
    },
  },
  maxSteps: 15,
  rewardRange: [-1, 1],
  // Some tasks grade how precise an answer is, and a drawn point is rarely exact.
  solvedReward: 0.9,
  familyKey: "task",
  prompt,
  tools,
  requirements: [browser, miniwobPages],
  restore: "replay",
  // A browser may have to start first, or all browsers may be in use.
  deadlineMs: 120_000,
  create: (context) => new MiniWob(context),
  expert: async (environment) => environment.advise(),
  verdict: async (environment, end) => environment.verdict(end),
  render: (environment, signal) => environment.render(signal),
};

export default miniwob;
