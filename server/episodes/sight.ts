/** What an episode's agent saw, as the log has it: an episode in memory holds none of it, since it may be megabytes. */
import { GymError } from "../errors.js";
import type { Log } from "../log/log.js";
import type { EpisodeRow } from "../log/protocol.js";
import type { Episode } from "./episode.js";

/** JSON text of the reset result. @throws {GymError} LOG_FAILED */
export async function readOpening(log: Log, { key, id }: EpisodeRow): Promise<string> {
  const opening = await log.call("readOpening", key);
  if (opening === null) throw new GymError("LOG_FAILED", `the opening of ${id} in the log`, "none");
  return opening;
}

/**
 * JSON text of the newest that the agent saw: the reply to its last step, or its opening.
 *
 * @param opening where it is at hand; it is read otherwise
 * @throws {GymError} LOG_FAILED
 */
export async function newestSight(log: Log, { row, steps }: Episode, opening: string | null): Promise<string> {
  if (steps === 0) return opening ?? readOpening(log, row);
  const [last] = await log.call("readSteps", row.key, steps - 1, 1);
  if (!last) throw new GymError("LOG_FAILED", `step ${steps - 1} of ${row.id} in the log`, "none");
  return last.reply;
}
