/** Well-formed frames. Their requests may refer to closed episodes, be out of range, or conflict with others. */
import type { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import { type Frame, pick } from "./mutations.js";

const actions = [
  ...["inventory", "get 1 dirt", "look", "", "get 1 acacia logs", "craft 4 acacia planks using 1 acacia logs"],
  ...["get 99999999999999999999 dirt", "\ud800", "\u0000", "💥".repeat(500), "craft 1 stick using 2 planks"],
];

/** @param episodeIds ids of episodes in every state */
export function template(random: MersenneTwister, episodeIds: readonly string[]): Frame {
  const episodeId = pick(random, episodeIds);
  const [op, params] = pick(random, templates(random, episodeId, episodeIds));
  return { id: random.randbelow(2 ** 31), op, params };
}

function templates(random: MersenneTwister, episodeId: string, episodeIds: readonly string[]): [string, Frame][] {
  const step = () => ({ index: random.randbelow(5), action: pick(random, actions) });
  const steps = Array.from({ length: random.randbelow(40) }, () => ({
    episodeId: pick(random, episodeIds),
    ...step(),
  }));
  const create = createParams(random);
  return [
    ["listEnvironments", {}],
    ["getEnvironment", { environment: environment(random) }],
    ["listTasks", { environment: environment(random), split: split(random), from: random.randbelow(900), limit: 3 }],
    ["create", { ...create, idempotencyKey: `key-${random.randbelow(20)}` }],
    ["create", create],
    ["createMany", { episodes: [create, createParams(random)], idempotencyKey: `keys-${random.randbelow(20)}` }],
    ["list", { limit: 5, before: episodeId }],
    ["get", { episodeId }],
    ["transcript", { episodeId, from: random.randbelow(10), limit: 1 + random.randbelow(10) }],
    ["step", { episodeId, ...step() }],
    ["step", { episodeId, ...step() }],
    ["step", { episodeId, ...step() }],
    ["stepMany", { steps }],
    ["fork", { episodeId, index: random.randbelow(4) }],
    ["expert", { episodeId }],
    ["query", { episodeId, query: pick(random, ["look", "inventory", "toString"]) }],
    ["close", { episodeId }],
  ];
}

function createParams(random: MersenneTwister): Frame {
  const task = { split: split(random), index: random.randbelow(600) };
  return { environment: environment(random), task, seed: random.randbelow(3), maxSteps: 1 + random.randbelow(9) };
}

function environment(random: MersenneTwister): string {
  return pick(random, ["textcraft", "textcraft", "textcraft", "textcraft@1", "textcraft@2", "nowhere"]);
}

function split(random: MersenneTwister): string {
  return pick(random, ["all", "all", "train", "test", "adapt", "toString"]);
}
