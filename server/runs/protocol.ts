/** Messages between the gym and the thread that reads the folders of runs. */
import type { z } from "zod";
import type { ErrorCode } from "../errors.js";
import type { EpisodesQuery, GroupsQuery, MetricsQuery, RolloutQuery, SearchQuery } from "./queries.js";

interface OfRun {
  readonly run: string;
}

/** Parameters by call. Each call returns the JSON text of its reply. */
export interface RunCalls {
  readonly list: object;
  readonly run: OfRun;
  readonly metrics: OfRun & z.output<typeof MetricsQuery>;
  readonly groups: OfRun & z.output<typeof GroupsQuery>;
  readonly rollout: OfRun & z.output<typeof RolloutQuery> & { readonly group: string; readonly index: number };
  readonly episodes: OfRun & z.output<typeof EpisodesQuery>;
  readonly search: OfRun & z.output<typeof SearchQuery>;
  readonly episode: OfRun & { readonly index: number };
}

export type RunRequest = {
  [Name in keyof RunCalls]: { readonly id: number; readonly name: Name; readonly params: RunCalls[Name] };
}[keyof RunCalls];

/** Says that nobody waits for the answer of a request any more. */
export interface RunCancel {
  readonly cancel: number;
}

export type RunAnswer =
  | { readonly id: number; readonly text: string }
  | { readonly id: number; readonly refusal: Refusal };

/** Parts of a `GymError`, which cannot be sent between threads itself. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly expected: string;
  readonly received: string;
}

export interface RunThreadData {
  /** Folders of runs, in the order in which a run is searched in them. */
  readonly folders: readonly string[];
}
