import type { EnvironmentSpec } from "../env.js";
import { ScienceWorld } from "./env.js";
import { nextAction } from "./expert.js";
import type { Game } from "./game.js";
import { engineOptions } from "./options.js";
import { queries } from "./queries.js";
import { shared } from "./shared-facts.js";
import { verdictOf } from "./verdict.js";

const sciworld: EnvironmentSpec<ScienceWorld> = {
  ...shared,
  options: engineOptions,
  version: 1,
  summary:
    "Do elementary science in a house of ten places: ScienceWorld's 7,207 tasks, the variations of 30 task types.",
  requirements: [],
  create: () => new ScienceWorld(),
  expert: nextAction,
  verdict: ({ game }, end) => verdictOf((game as Game).goalProgress(), end),
  queries,
};

export default sciworld;
