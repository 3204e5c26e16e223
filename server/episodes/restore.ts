/** From the log back into memory: what an episode is known to be before its instance is rebuilt by replay. */
import { UnknownEnvironment } from "../../envs/errors.js";
import type { Registry } from "../../envs/registry.js";
import { GymError, shown } from "../errors.js";
import type { EpisodeOrigin, Phase } from "./episode.js";
import { Ended } from "./host-protocol.js";
import type { EpisodeRecord } from "./log-protocol.js";

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

/** @throws {GymError} ENVIRONMENT_UNKNOWN */
export function specOf(registry: Registry, name: string) {
  try {
    return registry.get(name);
  } catch (error) {
    if (!(error instanceof UnknownEnvironment)) throw error;
    throw new GymError("ENVIRONMENT_UNKNOWN", `one of the environments ${error.known.join(", ")}`, shown(name));
  }
}

function phaseOf(record: EpisodeRecord): Phase {
  if (record.closed) return "closed";
  if (record.failure) return "failed";
  return record.ended === Ended.no ? "running" : "ended";
}
