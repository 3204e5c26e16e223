import type { ErrorBody } from "../../errors.js";
import type { EpisodeFilter } from "./episode-filter.js";
import { Ended, type EpisodeVerdict, type MarkKind, outcomeOf, phaseOf } from "./episode-state.js";
import { newestNotes } from "./notes.js";
import type { EpisodeRecord, EpisodeRow, FilteredEpisodes } from "./protocol.js";
import { expectSoundRow } from "./row-sums.js";
import type { LoggedStep } from "./step-page.js";

export type StoredEpisode = EpisodeRow & { sum: number | null };

export interface StoredMark {
  kind: MarkKind;
  detail: string;
  atMs: number;
  sum: number | null;
}

/** Returns a row without its checksum. @throws {LogDamage} the checksum is wrong */
export function soundEpisode({ sum, ...row }: StoredEpisode): EpisodeRow {
  expectSoundRow("episodes", { ...row, sum }, `The row of episode ${row.id}`);
  return row;
}

/** Returns the rows of a filtered list, and apart from them the goals, if they were asked for. @throws {LogDamage} */
export function soundEpisodes(
  found: readonly (StoredEpisode & { goal?: string | null })[],
  { withGoals }: EpisodeFilter,
): Pick<FilteredEpisodes, "rows" | "goals"> {
  const rows = found.map(({ goal: _, ...row }) => soundEpisode(row));
  return { rows, ...(withGoals && { goals: found.map(({ goal }) => goal ?? null) }) };
}

/** Derives the state of an episode from its rows in the log. @throws {LogDamage} a mark is damaged */
export function recordOf(row: EpisodeRow, last: LoggedStep | null, marks: readonly StoredMark[]): EpisodeRecord {
  for (const mark of marks) expectSoundRow("marks", { episode: row.key, ...mark }, `A mark of episode ${row.id}`);
  const failed = marks.find(({ kind }) => kind === "failed");
  const verdict = marks.find(({ kind }) => kind === "solved" || kind === "unsolved");
  const kinds = new Set(marks.map(({ kind }) => kind));
  const ended = last?.ended ?? Ended.no;
  return {
    row,
    steps: last ? last.index + 1 : 0,
    last,
    phase: phaseOf(kinds, ended),
    failure: failed ? (JSON.parse(failed.detail) as ErrorBody) : null,
    expertUsed: kinds.has("expert"),
    outcome: outcomeOf(kinds, ended),
    notes: newestNotes(marks),
    notesWritten: marks.filter(({ kind }) => kind === "note").length,
    verdict: verdict ? (JSON.parse(verdict.detail) as EpisodeVerdict) : null,
  };
}
