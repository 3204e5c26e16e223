import type { ErrorBody } from "../errors.js";
import { Ended, type MarkKind, phaseOf } from "./episode-state.js";
import type { EpisodeRecord, EpisodeRow } from "./protocol.js";
import type { LoggedStep } from "./step-page.js";

export interface Mark {
  kind: MarkKind;
  detail: string;
}

/** Derives the state of an episode from its rows in the log. */
export function recordOf(row: EpisodeRow, last: LoggedStep | null, marks: readonly Mark[]): EpisodeRecord {
  const failed = marks.find(({ kind }) => kind === "failed");
  const kinds = new Set(marks.map(({ kind }) => kind));
  return {
    row,
    steps: last ? last.index + 1 : 0,
    last,
    phase: phaseOf(kinds, last?.ended ?? Ended.no),
    failure: failed ? (JSON.parse(failed.detail) as ErrorBody) : null,
    expertUsed: kinds.has("expert"),
  };
}
