/** Repeats a run from its newest checkpoint each time that its backend has lost the weights. */
import { BackendLost } from "../backends/backend.js";
import type { TrainSettings } from "../settings/settings.js";

/** Number of train steps done, which an attempt at a run sets when it ends. */
export interface Reached {
  trainStep: number;
}

/** Number of times in a row that a run goes back without a train step in between. */
const mostReturns = 5;

/**
 * Runs attempts until one of them ends.
 *
 * @param say receives a line each time that the run goes back
 * @throws {BackendLost} the weights were lost too often without a train step in between @throws errors of the attempt
 */
export async function goingBack<Result>(
  settings: TrainSettings,
  attempt: (settings: TrainSettings, reached: Reached) => Promise<Result>,
  say: (line: string) => void,
  signal: AbortSignal,
): Promise<Result> {
  let again = settings;
  for (let [returns, furthest] = [0, -1]; ; ) {
    const reached: Reached = { trainStep: 0 };
    try {
      return await attempt(again, reached);
    } catch (error) {
      if (!(error instanceof BackendLost) || signal.aborted) throw error;
      returns = reached.trainStep > furthest ? 0 : returns + 1;
      furthest = Math.max(furthest, reached.trainStep);
      if (returns >= mostReturns) throw error;
      say(`${error.message} The run goes back to its newest checkpoint.`);
      // Checkpoints of this run are used even if it was started with `resume false`.
      again = { ...settings, resume: true };
    }
  }
}
