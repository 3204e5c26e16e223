/** States of episodes in lists, from the gyms that have the episodes. A gym has its newest steps in memory alone. */
import { setTimeout as sleep } from "node:timers/promises";
import { type EpisodeState, stateOf } from "../episodes/episode-pages.js";
import type { Caller, Gym } from "../episodes/gym.js";
import type { Ownership } from "../episodes/ownership/ownership.js";
import type { Peers } from "./peers.js";
import { RetryDeadline } from "./retry-deadline.js";

/** Name under which the gyms of a fleet ask each other for states. */
export const statesName = "states";

type Owner = ReturnType<Ownership["ownerOf"]>;

export type States = (EpisodeState | null)[];

/** Milliseconds between attempts to read the states that no gym has told. */
const pauseMs = 100;

/** Returns the states of episodes of this gym. See `stateOf`. @throws {GymError} EPISODE_ELSEWHERE */
export async function statesHere({ log, ownership }: Gym, keys: readonly number[]): Promise<States> {
  for (const key of keys) ownership.check(key, `with the key ${key}`);
  return Promise.all(keys.map(async (key) => (await stateOf(log, key)) ?? null));
}

/** Returns the states of episodes, and null for those that no gym has after a while. */
export async function statesInFleet(asking: Asking, keys: readonly number[]): Promise<States> {
  const states = new Map<number, EpisodeState | null>();
  for (const deadline = new RetryDeadline(asking.giveUpMs); ; await sleep(pauseMs)) {
    deadline.begin();
    const missing = keys.filter((key) => !states.has(key));
    const groups = new Map<Owner, number[]>();
    for (const key of missing) {
      const owner = asking.gym.ownership.ownerOf(key);
      groups.set(owner, [...(groups.get(owner) ?? []), key]);
    }
    const parts = [...groups].map(async ([owner, group]) => {
      const found = (await statesAt(owner, group, asking)) ?? [];
      for (const [i, state] of found.entries()) states.set(group[i] as number, state);
    });
    await Promise.all(parts);
    if (states.size === new Set(keys).size || deadline.isOver) break;
  }
  return keys.map((key) => states.get(key) ?? null);
}

interface Asking {
  gym: Gym;
  peers: Peers;
  caller: Caller;
  giveUpMs: number;
}

/** Returns null if the gym cannot tell the states. */
async function statesAt(owner: Owner, keys: readonly number[], { gym, peers, caller }: Asking): Promise<States | null> {
  if (owner === null) return null;
  if (owner === "here") return statesHere(gym, keys);
  try {
    return JSON.parse(await peers.call(owner, statesName, { caller }, { keys })) as States;
  } catch {
    return null;
  }
}
