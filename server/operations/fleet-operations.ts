/** `GET /v1/fleet`: the gyms of a fleet and their shards, for clients that send each step to the gym that has its episode. */
import type { z } from "zod";
import type { Gym } from "../episodes/gym.js";
import { rangesOf, shardCount } from "../log/records/shards.js";
import { operation } from "./operation.js";
import { Fleet } from "./schemas/fleet.js";

export const fleetOperations = {
  getFleet: operation({
    method: "GET",
    url: "/v1/fleet",
    summary: "Lists the gyms of the fleet, and the shards of each. A gym that is alone lists itself.",
    reply: Fleet,
    errors: [],
    async run({ gym }) {
      return JSON.stringify((gym.log.fleet ? fleetOf(gym) : await aloneOf(gym)) satisfies z.input<typeof Fleet>);
    },
  }),
};

const unknownFacts = { version: null, environments: [], episodes: 0, stepsPerSecond: 0, freeSandboxes: 0 };

function fleetOf({ log }: Gym): z.input<typeof Fleet> {
  const { nodes = [], owners = [], incarnation: own } = log.fleet ?? {};
  const shards = new Map<number, number[]>(nodes.map(({ incarnation }) => [incarnation, []]));
  for (const [shard, owner] of owners.entries()) shards.get(owner)?.push(shard);
  const gyms = nodes.map(({ incarnation, address, isDraining, ageMs, facts }) => ({
    ...{ incarnation, address, isSelf: incarnation === own, isDraining },
    ...{ ...unknownFacts, ...facts, environments: [...(facts?.environments ?? [])], ageMs },
    shards: rangesOf(shards.get(incarnation) ?? []),
  }));
  return { shards: shardCount, durability: log.durability ?? "local", gyms };
}

async function aloneOf(gym: Gym): Promise<z.input<typeof Fleet>> {
  const facts = await gym.facts();
  const own = { incarnation: 0, address: null, isSelf: true, isDraining: gym.status.draining, ageMs: 0 };
  const shards = rangesOf(Array.from({ length: shardCount }, (_, shard) => shard));
  const durability = gym.log.durability ?? "local";
  return {
    shards: shardCount,
    durability,
    gyms: [{ ...own, ...facts, environments: [...facts.environments], shards }],
  };
}
