/**
 * Exports episodes: converts the episodes of a source to rows of a format. Preference pairs need a second pass over the
 * chosen episodes.
 */
import { type EpisodeFacts, type EpisodeSource, type ExportEpisode, type LeftOut, leftOutReasons } from "./episode.js";
import { episodeFormats, type FormatName } from "./formats.js";
import type { JudgedPair } from "./judged-pairs.js";
import { type PairChoice, PreferencePairs, pairRow } from "./preferences.js";
import type { RowSink } from "./row-sink.js";

/** Criteria that select the episodes to export. */
export interface EpisodeFilter {
  /** Name of the environment: `textcraft` for all versions, `textcraft@1` for version 1. */
  readonly environment?: string | undefined;
  readonly split?: string | undefined;
  readonly minReturn?: number | undefined;
  readonly maxReturn?: number | undefined;
  readonly solved?: boolean | undefined;
}

export interface ExportPlan extends PairChoice {
  readonly format: FormatName;
  readonly filter: EpisodeFilter;
  /** Maximum number of episodes to write, or of pairs with the format `preferences`. */
  readonly limit: number;
}

export interface ExportCounts {
  /** Number of episodes read. */
  read: number;
  /** Number of episodes, or pairs, written. */
  written: number;
  /** Number of rows written. */
  rows: number;
  readonly leftOut: Record<LeftOut["leftOut"], number>;
}

export interface ExportRun {
  readonly source: EpisodeSource;
  /** Pairs that people have judged, which are written in place of pairs from returns. */
  readonly judged?: AsyncIterable<JudgedPair> | undefined;
  readonly sink: RowSink;
  readonly signal: AbortSignal;
  /** Called after each episode. */
  onProgress(counts: Readonly<ExportCounts>): void;
}

/** Exports episodes. @throws the signal's reason, and errors of source and sink; an incomplete file is removed first */
export async function exportEpisodes(plan: ExportPlan, run: ExportRun): Promise<ExportCounts> {
  const counts: ExportCounts = { read: 0, written: 0, rows: 0, leftOut: noneLeftOut() };
  try {
    if (run.judged) await writeJudged(plan, run, run.judged, counts);
    else if (plan.format === "preferences") await writePairs(plan, run, counts);
    else await writeEpisodes(plan, plan.format, run, counts);
    await run.sink.end();
    return counts;
  } catch (error) {
    await run.sink.discard();
    throw error;
  }
}

async function writeEpisodes(
  plan: ExportPlan,
  format: keyof typeof episodeFormats,
  run: ExportRun,
  counts: ExportCounts,
): Promise<void> {
  for await (const { episode } of fitting(plan.filter, run, counts)) {
    for (const row of episodeFormats[format](episode)) {
      await run.sink.write(row);
      counts.rows += 1;
    }
    counts.written += 1;
    if (counts.written >= plan.limit) return;
  }
}

async function writePairs(plan: ExportPlan, run: ExportRun, counts: ExportCounts): Promise<void> {
  const pairs = new PreferencePairs(plan);
  for await (const { handle, episode } of fitting(plan.filter, run, counts)) pairs.add(handle, episode);
  for await (const row of pairs.rows()) {
    run.signal.throwIfAborted();
    await run.sink.write(row);
    counts.rows += 1;
    counts.written += 1;
    if (counts.written >= plan.limit) return;
  }
}

async function writeJudged(
  { filter, limit }: ExportPlan,
  { sink, signal, onProgress }: ExportRun,
  pairs: AsyncIterable<JudgedPair>,
  counts: ExportCounts,
): Promise<void> {
  for await (const pair of pairs) {
    signal.throwIfAborted();
    counts.read += 1;
    const isAsked = mayFit(pair.chosen, filter);
    const [chosen, rejected] = isAsked
      ? await Promise.all([pair.chosen.load(), pair.rejected.load()])
      : [filtered, filtered];
    if ("leftOut" in chosen) counts.leftOut[chosen.leftOut] += 1;
    else if ("leftOut" in rejected) counts.leftOut[rejected.leftOut] += 1;
    else {
      await sink.write(pairRow(chosen, rejected));
      counts.rows += 1;
      counts.written += 1;
    }
    onProgress(counts);
    if (counts.written >= limit) return;
  }
}

async function* fitting(filter: EpisodeFilter, { source, signal, onProgress }: ExportRun, counts: ExportCounts) {
  for await (const handle of source) {
    signal.throwIfAborted();
    counts.read += 1;
    const episode = mayFit(handle, filter) ? await handle.load() : filtered;
    if ("leftOut" in episode) counts.leftOut[episode.leftOut] += 1;
    else if (fits(episode, filter)) yield { handle, episode };
    else counts.leftOut.filtered += 1;
    onProgress(counts);
  }
}

const filtered: LeftOut = { leftOut: "filtered" };

function noneLeftOut(): ExportCounts["leftOut"] {
  return Object.fromEntries(leftOutReasons.map((reason) => [reason, 0])) as ExportCounts["leftOut"];
}

/** Returns whether an episode can match the filter, judged by the facts available before it is read. */
function mayFit({ played }: EpisodeFacts, { environment, split }: EpisodeFilter): boolean {
  const { environment: id } = played;
  if (environment !== undefined && id !== environment && id.replace(/@.*/, "") !== environment) return false;
  return split === undefined || played.split === split;
}

function fits(episode: ExportEpisode, { minReturn, maxReturn, solved }: EpisodeFilter): boolean {
  if (solved && !episode.solved) return false;
  return (
    episode.return >= (minReturn ?? Number.NEGATIVE_INFINITY) &&
    episode.return <= (maxReturn ?? Number.POSITIVE_INFINITY)
  );
}
