/** States of episodes in lists, from the gyms that have the episodes. Only the owner has the newest steps, in its memory. */
import { type EpisodeState, stateOf } from "../episodes/episode-pages.js";
import type { Caller, Gym } from "../episodes/gym.js";
import type { Owners } from "./owners.js";
import { Parts } from "./parts.js";
import type { Peers } from "./peers.js";

/** Name under which the gyms of a fleet ask each other for states. */
export const statesName = "states";

export type States = (EpisodeState | null)[];

/** Returns the states of episodes of this gym. See `stateOf`. @throws {GymError} EPISODE_ELSEWHERE */
export async function statesHere(gym: Gym, keys: readonly number[], caller: Caller): Promise<States> {
  for (const key of keys) gym.ownership.check(key, `with the key ${key}`);
  return Promise.all(keys.map(async (key) => (await stateOf(gym, key, caller)) ?? null));
}

/** Returns the states of episodes, and null for episodes that still have no owner after the timeout. */
export async function statesInFleet({ gym, owners, peers, caller }: Asking, keys: readonly number[]): Promise<States> {
  const parts = new Parts<number, EpisodeState | null>(
    async (peer, asked) => JSON.parse(await peers.call(peer, statesName, { caller }, { keys: asked })) as States,
  );
  const here = async (key: number) => (await statesHere(gym, [key], caller))[0] ?? null;
  const states = keys.map((key) =>
    owners.at({ key, mayRepeat: true, here: () => here(key), there: (peer) => parts.add(peer, key) }).catch(() => null),
  );
  return Promise.all(states);
}

interface Asking {
  gym: Gym;
  owners: Owners;
  peers: Peers;
  caller: Caller;
}
