/** What an episode is known to be when it is taken into memory, be it new or from the log. */
import type { AnyEnvironmentSpec } from "../../envs/env.js";
import type { Registry } from "../../envs/registry.js";
import type { ErrorBody } from "../errors.js";
import { Ended } from "../hosts/protocol.js";
import type { EpisodeRecord, EpisodeRow } from "../log/protocol.js";
import { specOf } from "./tasks.js";

export type Phase = "running" | "ended" | "failed" | "closed";

export interface EpisodeOrigin {
  row: EpisodeRow;
  spec: AnyEnvironmentSpec;
  /** Steps in the log. */
  steps: number;
  phase: Phase;
  failure: ErrorBody | null;
  expertUsed: boolean;
}

/** @throws {GymError} ENVIRONMENT_UNKNOWN where the environment, or this version of it, is no longer registered */
export function originFromLog(record: EpisodeRecord, registry: Registry): EpisodeOrigin {
  return {
    row: record.row,
    spec: specOf(registry, record.row.environment),
    steps: record.steps,
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
