import type { EnvironmentSpec } from "../env.js";
import type { Game } from "./engine/game.js";
import { BabyAI, pngPart } from "./env.js";
import { nextAction } from "./expert.js";
import { movesPrompt, prompt } from "./prompt.js";
import { splits } from "./tasks.js";
import { moveTools, textTools } from "./tools.js";
import { verdict } from "./verdict.js";

const babyai: EnvironmentSpec<BabyAI> = {
  id: "babyai",
  version: 1,
  summary:
    "Follow an instruction in a grid of rooms with keys, doors, balls and boxes: every level of MiniGrid's BabyAI.",
  splits,
  options: {
    actions: {
      summary: "What an action is.",
      values: {
        text: { summary: "AgentGym's actions, such as a walk to something in sight." },
        primitive: { summary: "One of MiniGrid's seven moves.", prompt: movesPrompt, tools: moveTools },
      },
    },
    ends: {
      summary: "End of an episode with text actions.",
      values: {
        task: { summary: "The episode ends with the level, solved or failed." },
        agentgym: {
          summary: "As on AgentGym's server: an end with a reward of 0.5 or less does not end the episode.",
          // An episode may continue past MiniGrid's limit on moves, where the reward of the task is negative.
          rewardRange: [-1_000_000, 1],
        },
      },
    },
    view: {
      summary: "Numeric view beside the text of an observation.",
      values: {
        none: { summary: "None." },
        symbolic: { summary: "MiniGrid's observation as JSON: image (7 x 7 x 3), direction and mission." },
      },
    },
    picture: {
      summary: "Which picture comes with the text of an observation.",
      values: {
        none: { summary: "None." },
        svg: { summary: "A picture of the whole grid as SVG." },
        png: { summary: "MiniGrid's own picture of the whole grid, pixel by pixel." },
      },
    },
  },
  maxSteps: 5_000,
  rewardRange: [0, 1],
  // MiniGrid subtracts 0.9 times the used share of the allowed moves.
  solvedReward: 1 - 0.9,
  familyKey: "level",
  prompt,
  promptFormat: "react",
  tools: textTools,
  requirements: [],
  restore: "clone",
  create: () => new BabyAI(),
  expert: nextAction,
  verdict,
  render: ({ game }) => pngPart(game as Game),
};

export default babyai;
