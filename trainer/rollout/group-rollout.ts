/** Rollouts of a group: several episodes of one task, played at the same time. */
import { openAbort } from "../abort.js";
import { keyedHash } from "../keyed-random.js";
import { playEpisode, type RolloutRequest } from "./episode-rollout.js";
import { type Group, learner, type Trajectory } from "./trajectory.js";

export interface GroupRequest extends Omit<RolloutRequest, "group" | "watcher"> {
  readonly id: string;
  /** Number of episodes. */
  readonly size: number;
}

/**
 * Plays a group. The trajectories are those of the policy, without those of partners. Trajectories are in the order in which the rollouts started. A failed rollout does not affect the
 * other rollouts; an unexpected error ends all of them.
 *
 * @throws the signal's reason after it has aborted and all episodes have ended
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
    const played = settled.flatMap((play) => (play.status === "fulfilled" ? [play.value] : []));
    const all = played.flatMap(ofPolicy);
    const players = playersOf(played);
    return {
      id,
      ...(players && { players }),
      trajectories: all.filter(({ status }) => status !== "failed"),
      failed: all.filter(({ status }) => status === "failed"),
    };
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Returns the trajectories of an episode that the policy played: all of it, or one for each of its seats. */
function ofPolicy(trajectory: Trajectory): readonly Trajectory[] {
  return trajectory.seats?.filter(({ partner }) => partner === undefined) ?? [trajectory];
}

function playersOf(played: readonly Trajectory[]): Group["players"] {
  const seats = played.find((trajectory) => trajectory.seats)?.seats;
  return seats && Object.fromEntries(seats.map(({ seat, partner = learner }) => [seat, partner]));
}
