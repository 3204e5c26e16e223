import type { AsyncEnvironmentSpec } from "../env.js";
import { dockerImage } from "../shared/docker/requirement.js";
import { Desktop } from "./env.js";
import { image } from "./machine.js";
import { prompt } from "./prompt.js";
import { splits, type Task } from "./tasks.js";
import { tools } from "./tools.js";
import { verdictOf } from "./verdict.js";

const desktop: AsyncEnvironmentSpec<Desktop> = {
  isAsync: true,
  id: "desktop",
  version: 1,
  summary:
    "Use a computer by mouse and keyboard: files, a text editor and a calculator, seen as pictures of the screen.",
  splits,
  maxSteps: 60,
  rewardRange: [0, 1],
  familyKey: "category",
  prompt,
  tools,
  requirements: [
    {
      name: "desktop",
      isSandbox: true,
      howToGet: "Run Docker, and make the image of the desktop with `palestra setup desktop`.",
      probe: () => dockerImage(image),
    },
  ],
  // Programs depend on the clock and on scheduling, so the screen may differ after a replay.
  restore: "none",
  // An episode may have to wait for a free sandbox.
  deadlineMs: 240_000,
  create: (context) => new Desktop(context),
  expert: async (environment) => environment.advise(),
  verdict: async ({ task }, end) => verdictOf(task as Task, end),
  render: async (environment) => environment.render(),
};

export default desktop;
