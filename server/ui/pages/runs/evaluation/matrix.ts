/** The tasks of an evaluation by their samples, those that the policy fails first. */
import { type FailureKind, failureNames } from "../../../../formats/outcomes/failure.js";
import { shortNumber } from "../../../numbers.js";
import type { EpisodeRow } from "./episode-source.js";

/** Outcome of an episode. Partial: not solved, with a score above 0. Lost: a failure of the gym or of the policy. */
export type Outcome = "solved" | "partial" | "unsolved" | "lost";

/** Signs beside the colours, for those who cannot tell colours. */
export const signs: Readonly<Record<Outcome, string>> = { solved: "✓", partial: "◐", unsolved: "✕", lost: "!" };
export const outcomeNames: Readonly<Record<Outcome, string>> = {
  solved: "solved",
  partial: "partial score",
  unsolved: "failed",
  lost: "lost to a failure, masked",
};

export interface MatrixTask {
  readonly split: string;
  readonly index: number;
  readonly family?: string | undefined;
  /** Episode of each sample; undefined if it was not played. */
  readonly samples: readonly (EpisodeRow | undefined)[];
  /** Number of solved episodes, and of those that were played to their end. */
  readonly solved: number;
  readonly played: number;
  /** Mean score of the episodes that were played to their end; undefined without one. */
  readonly score: number | undefined;
  readonly kinds: readonly FailureKind[];
}

export function outcomeOf({ status, solved, score }: Pick<EpisodeRow, "status" | "solved" | "score">): Outcome {
  if (status === "failed") return "lost";
  if (solved) return "solved";
  return score > 0 ? "partial" : "unsolved";
}

/** Returns the outcome as text: `failed, looped, score 0`. */
export function outcomeText(row: EpisodeRow): string {
  const kind = row.failureKind === undefined ? [] : [failureNames[row.failureKind]];
  return [outcomeNames[outcomeOf(row)], ...kind, `score ${shortNumber(row.score)}`].join(", ");
}

/** Returns the tasks, the worst first: by the share of solved episodes, then by the mean score. */
export function matrixOf(rows: readonly EpisodeRow[]): MatrixTask[] {
  const byTask = new Map<string, EpisodeRow[]>();
  for (const row of rows) {
    const key = `${row.played.split}:${row.played.index}`;
    const known = byTask.get(key);
    if (known) known.push(row);
    else byTask.set(key, [row]);
  }
  return [...byTask.values()].map(taskOf).sort(worstFirst);
}

function taskOf(rows: readonly EpisodeRow[]): MatrixTask {
  const [{ played, family }] = rows as [EpisodeRow];
  const ended = rows.filter(({ status }) => status !== "failed");
  return {
    split: played.split,
    index: played.index,
    family,
    samples: samplesOf(rows),
    solved: ended.filter(({ solved }) => solved).length,
    played: ended.length,
    score: ended.length === 0 ? undefined : ended.reduce((sum, { score }) => sum + score, 0) / ended.length,
    kinds: [...new Set(rows.flatMap(({ failureKind }) => failureKind ?? []))],
  };
}

/** Returns the two samples of which a comparison tells most: a failed one and a solved one, or else the first two. */
export function pairOf({ samples }: MatrixTask): readonly [EpisodeRow, EpisodeRow] | undefined {
  const played = samples.filter((row) => row !== undefined && row.status !== "failed") as EpisodeRow[];
  const [failed, solved] = [played.find((row) => !row.solved), played.find((row) => row.solved)];
  const [left, right] = failed && solved ? [failed, solved] : played;
  return left && right && [left, right];
}

/** Samples of a task that have a column of their own. */
const mostSamples = 1_000;

/** Returns the episodes by their samples. A file may have any numbers of samples: those are shown in their order. */
function samplesOf(rows: readonly EpisodeRow[]): (EpisodeRow | undefined)[] {
  const samples: (EpisodeRow | undefined)[] = [];
  for (const row of rows) {
    if (!Number.isInteger(row.sample) || row.sample < 0 || row.sample >= mostSamples) return rows.slice(0, mostSamples);
    samples[row.sample] = row;
  }
  return Array.from(samples);
}

/** Tasks without an episode that was played to its end are no evidence about the policy, and come last. */
function worstFirst(a: MatrixTask, b: MatrixTask): number {
  const share = ({ solved, played }: MatrixTask) => (played === 0 ? 2 : solved / played);
  return share(a) - share(b) || (a.score ?? 0) - (b.score ?? 0) || a.index - b.index;
}

/** Parts of all tasks by their names in the filter. */
export const taskGroups = {
  never: "never solved",
  sometimes: "sometimes solved",
  always: "always solved",
  lost: "with lost episodes",
} as const;
export type TaskGroup = keyof typeof taskGroups;

export function isIn({ solved, played, samples }: MatrixTask, group: string): boolean {
  switch (group) {
    case "never":
      return played > 0 && solved === 0;
    case "sometimes":
      return solved > 0 && solved < played;
    case "always":
      return played > 0 && solved === played;
    case "lost":
      return samples.some((row) => row?.status === "failed");
    default:
      return true;
  }
}
