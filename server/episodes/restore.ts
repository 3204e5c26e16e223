/** From the log back into memory: what an episode is known to be before its instance is rebuilt by replay. */
import type { Registry } from "../../envs/registry.js";
import type { EpisodeOrigin, Phase } from "./episode.js";
import { Ended } from "./host-protocol.js";
import type { EpisodeRecord } from "./log-protocol.js";
import { specOf } from "./tasks.js";

/** @throws {GymError} ENVIRONMENT_UNKNOWN where the environment, or this version of it, is no longer registered */
export function originFromLog(record: EpisodeRecord, registry: Registry): EpisodeOrigin {
  return {
    row: record.row,
    spec: specOf(registry, record.row.environment),
    steps: record.steps,
    last: record.last,
    phase: phaseOf(record),
    failure: record.failure,
    expertUsed: record.expertUsed,
  };
}

function phaseOf(record: EpisodeRecord): Phase {
  if (record.closed) return "closed";
  if (record.failure) return "failed";
  return record.ended === Ended.no ? "running" : "ended";
}
