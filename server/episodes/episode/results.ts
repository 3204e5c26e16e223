/**
 * Reads the results of an episode from the log. Episodes in memory do not store their results, since these may be
 * megabytes long.
 */
import type { ObservationPart } from "../../../envs/env.js";
import { GymError } from "../../errors.js";
import type { Log } from "../../log/log.js";
import type { EpisodeRow } from "../../log/records/protocol.js";

/** Returns the JSON text of the reset result. @throws {GymError} LOG_FAILED */
export async function readResetResult(log: Log, { key, id }: EpisodeRow): Promise<string> {
  const resetResult = await log.call("readResetResult", key);
  if (resetResult === null) throw GymError.ofState("LOG_FAILED", `The reset result of ${id} is missing in the log.`);
  return resetResult;
}

/**
 * Returns the JSON text of the latest result: the result of the last step, or of the reset if no step was taken.
 *
 * @param resetResult reset result, or null to read it from the log
 * @throws {GymError} LOG_FAILED
 */
export async function readNewestResult(
  log: Log,
  { row, steps }: { row: EpisodeRow; steps: number },
  resetResult: string | null,
): Promise<string> {
  if (steps === 0) return resetResult ?? readResetResult(log, row);
  const [last] = await log.call("readSteps", row.key, steps - 1, 1);
  if (!last) throw GymError.ofState("LOG_FAILED", `Step ${steps - 1} of ${row.id} is missing in the log.`);
  return last.reply;
}

/** A reset result or a step result. A reset result has the reward 0 and is neither terminated nor truncated. */
export interface EpisodeResult {
  observation: string;
  parts?: ObservationPart[];
  reward: number;
  terminated: boolean;
  truncated: boolean;
  /** Seat that acts next. Absent after the end, and without seats. */
  turn?: string;
  /** Rewards of the seats. Absent if they share `reward`. */
  rewards?: Record<string, number>;
  info: Record<string, unknown>;
  /** Action that was read in the text of the step, or null. Absent if texts are plain actions. */
  read?: string | null;
}

/** @param text JSON text of a reset result or step result */
export function parseResult(text: string): EpisodeResult {
  const { observation, parts, reward = 0, terminated = false, truncated = false, ...others } = JSON.parse(text);
  const { turn, rewards, info, read } = others;
  const optional = {
    ...(parts && { parts }),
    ...(turn !== undefined && { turn }),
    ...(rewards && { rewards }),
    ...(read !== undefined && { read }),
  };
  return { observation, ...optional, reward, terminated, truncated, info };
}
