import type { EnvironmentSpec, EpisodeEnd, Tool, Verdict } from "../../env.js";
import { tools as ofTextCraft } from "../tools.js";
import { leastReward, Pair } from "./env.js";
import { nextAction } from "./expert.js";
import { splits } from "./tasks.js";
import { prompt } from "./words.js";

const say: Tool = {
  name: "say",
  description: "Tells the other player something.",
  parameters: {
    type: "object",
    properties: { words: { type: "string", description: "What to say." } },
    required: ["words"],
    additionalProperties: false,
  },
  action: "say {words}",
};

const wait: Tool = {
  name: "wait",
  description: "Does nothing in this turn.",
  parameters: { type: "object", properties: {}, required: [], additionalProperties: false },
  action: "wait",
};

function verdict({ need, best, parts, isTold }: Pair, { solved, steps }: EpisodeEnd): Verdict {
  const who = parts.getters.every((seat) => seat === parts.reader) ? "one seat could do all of it" : "both had to act";
  if (solved) return { why: `Crafted in ${steps} steps; the best play takes ${best}.`, expected: need.command };
  const told = isTold ? "was told" : "was not told";
  return {
    why: `Not crafted in ${steps} steps: the command ${told} to the other player, and ${who}.`,
    expected: need.command,
  };
}

const pair: EnvironmentSpec<Pair> = {
  id: "textcraft-pair",
  version: 1,
  summary: "Two seats with one inventory craft an item: each knows half of the commands, and they may talk.",
  splits,
  maxSteps: 24,
  rewardRange: [0, 1],
  solvedReward: leastReward,
  familyKey: "talk",
  prompt,
  tools: [...ofTextCraft, say, wait],
  seats: { left: { summary: "The seat that begins." }, right: { summary: "The seat that acts second." } },
  requirements: [],
  restore: "clone",
  create: () => new Pair(),
  expert: nextAction,
  verdict,
};

export default pair;
