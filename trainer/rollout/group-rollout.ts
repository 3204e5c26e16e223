/** Rollouts of a group: several episodes of one task, played at once. */
import { openAbort } from "../abort.js";
import { keyedHash } from "../keyed-random.js";
import { playEpisode, type RolloutRequest } from "./episode-rollout.js";
import type { Group } from "./trajectory.js";

export interface GroupRequest extends Omit<RolloutRequest, "group" | "watcher"> {
  readonly id: string;
  /** Number of episodes. */
  readonly size: number;
}

/**
 * Plays a group. Its trajectories are in the order in which they began. A failed rollout does not affect the others; an
 * unexpected error ends them.
 *
 * @throws the signal's reason once it has aborted and no episode runs any more
 */
export async function playGroup({ id, size, seed, signal, ...request }: GroupRequest): Promise<Group> {
  const own = openAbort();
  const abort = () => own.abort(signal.reason);
  if (signal.aborted) abort();
  signal.addEventListener("abort", abort);
  try {
    const plays = Array.from({ length: size }, async (_, sample) => {
      try {
        const draws = keyedHash(seed, sample);
        return await playEpisode({ ...request, group: id, seed: draws, signal: own.signal });
      } catch (error) {
        own.abort(error);
        throw error;
      }
    });
    const settled = await Promise.allSettled(plays);
    own.signal.throwIfAborted();
    const all = settled.flatMap((play) => (play.status === "fulfilled" ? [play.value] : []));
    return {
      id,
      trajectories: all.filter(({ status }) => status !== "failed"),
      failed: all.filter(({ status }) => status === "failed"),
    };
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
