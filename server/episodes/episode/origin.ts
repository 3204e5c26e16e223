/** Initial state of an episode in memory, for a new episode or an episode from the log. */
import type { AnyEnvironmentSpec } from "../../../envs/env.js";
import type { Registry } from "../../../envs/registry.js";
import type { ErrorBody } from "../../errors.js";
import type { Phase } from "../../log/records/episode-state.js";
import type { EpisodeRecord, EpisodeRow } from "../../log/records/protocol.js";
import { specOf } from "./tasks.js";

export interface EpisodeOrigin {
  row: EpisodeRow;
  spec: AnyEnvironmentSpec;
  /** Number of steps in the log. */
  steps: number;
  phase: Phase;
  failure: ErrorBody | null;
  expertUsed: boolean;
}

/** @throws {GymError} ENVIRONMENT_UNKNOWN if this version of the environment is no longer registered */
export function originFromLog(record: EpisodeRecord, registry: Registry): EpisodeOrigin {
  const { row, steps, phase, failure, expertUsed } = record;
  return { row, spec: specOf(registry, row.environment), steps, phase, failure, expertUsed };
}
