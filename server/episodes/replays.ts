import { GymError } from "../errors.js";
import type { Episode, EpisodeServices } from "./episode/episode.js";
import { Replay, type ReplayedResult } from "./episode/replay.js";
import type { GymLimits } from "./gym-options.js";

export interface RunningReplay {
  /** Number of steps that the replay compares. */
  steps: number;
  results: AsyncGenerator<ReplayedResult>;
  /** Ends the replay early. Required if `results` is not read to its end. */
  cancel(): void;
}

/** Starts replays that prove an episode. A running replay counts as a live episode of its caller. */
export class Replays {
  private running = 0;

  constructor(
    private readonly services: EpisodeServices,
    private readonly limits: Pick<GymLimits, "maxReplays" | "maxReplayMs">,
  ) {}

  /**
   * @throws {GymError} EPISODE_LOST if the environment cannot be replayed, LIMIT_IN_FLIGHT, LIMIT_EPISODES,
   *   LIMIT_TOKEN_EPISODES, LIMIT_TOKEN_SANDBOXES
   */
  start({ row, spec, steps }: Episode): RunningReplay {
    if (spec.restore === "none") {
      const why = "because its state outside the gym has changed";
      throw GymError.ofState("EPISODE_LOST", `The environment ${spec.id} cannot be replayed, ${why}.`);
    }
    const { maxReplays, maxReplayMs } = this.limits;
    if (this.running >= maxReplays) {
      const statement = `The gym has reached its limit of ${maxReplays} replays at the same time. Try again later.`;
      throw GymError.ofState("LIMIT_IN_FLIGHT", statement);
    }
    const account = this.services.accountOf(row.owner);
    account.admit(spec);
    this.running += 1;
    const replay = new Replay(row, steps, this.services, maxReplayMs);
    let isRunning = true;
    const release = () => {
      if (!isRunning) return;
      isRunning = false;
      this.running -= 1;
      account.release(spec);
    };
    const cancel = () => {
      replay.cancel();
      release();
    };
    return { steps, results: releasing(replay.run(), release), cancel };
  }
}

/** Calls `release` once the results have ended, failed, or are no longer read. */
async function* releasing<T>(results: AsyncGenerator<T>, release: () => void): AsyncGenerator<T> {
  try {
    yield* results;
  } finally {
    release();
  }
}
