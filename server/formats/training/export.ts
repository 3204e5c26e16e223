/** Converts the episodes of a source, or the conversations of their seats, to rows of a format. Preference pairs need a second pass over the chosen episodes. */
import { type EpisodeSource, type ExportEpisode, type LeftOut, leftOutReasons } from "./episode.js";
import type { JudgedPair } from "./judged-pairs.js";
import { type PairChoice, PreferencePairs, pairRow } from "./preferences.js";
import { type ExportRow, episodeFormats, type FormatName } from "./rows.js";

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

/** Source of an export: episodes, or pairs that people have judged. */
export interface Exported {
  readonly source: EpisodeSource;
  /** Pairs that people have judged, which are written in place of pairs from returns. */
  readonly judged?: AsyncIterable<JudgedPair> | Iterable<JudgedPair> | undefined;
  /** Called after each episode, or pair, that was read. It ends the export if it throws. */
  onRead?(): void;
}

/**
 * Yields the rows of an export.
 *
 * @param counts receives the numbers of what was read and written, but for `rows`
 * @throws errors of the source
 */
export async function* exportedRows(
  plan: ExportPlan,
  exported: Exported,
  counts: ExportCounts,
): AsyncGenerator<ExportRow> {
  if (exported.judged) yield* judgedRows(plan, exported.judged, exported, counts);
  else if (plan.format === "preferences") yield* pairRows(plan, exported, counts);
  else yield* episodeRows(plan, episodeFormats[plan.format], exported, counts);
}

export function noCounts(): ExportCounts {
  const leftOut = Object.fromEntries(leftOutReasons.map((reason) => [reason, 0])) as ExportCounts["leftOut"];
  return { read: 0, written: 0, rows: 0, leftOut };
}

async function* episodeRows(
  { filter, limit }: ExportPlan,
  rowsOf: (episode: ExportEpisode) => readonly ExportRow[],
  exported: Exported,
  counts: ExportCounts,
): AsyncGenerator<ExportRow> {
  for await (const { episodes } of fitting(filter, exported, counts)) {
    for (const episode of episodes) yield* rowsOf(episode);
    counts.written += 1;
    if (counts.written >= limit) return;
  }
}

async function* pairRows(plan: ExportPlan, exported: Exported, counts: ExportCounts): AsyncGenerator<ExportRow> {
  const pairs = new PreferencePairs(plan);
  for await (const { handle, episodes } of fitting(plan.filter, exported, counts))
    for (const episode of episodes) pairs.add(handle, episode);
  for await (const row of pairs.rows()) {
    yield row;
    counts.written += 1;
    if (counts.written >= plan.limit) return;
  }
}

async function* judgedRows(
  { filter, limit }: ExportPlan,
  pairs: NonNullable<Exported["judged"]>,
  { onRead }: Exported,
  counts: ExportCounts,
): AsyncGenerator<ExportRow> {
  for await (const pair of pairs) {
    counts.read += 1;
    const isAsked = isOf(pair.chosen.played, filter);
    const [chosen, rejected] = isAsked
      ? await Promise.all([pair.chosen.load(), pair.rejected.load()])
      : [filtered, filtered];
    const [better, worse] = [onlyOf(chosen), onlyOf(rejected)];
    if ("leftOut" in better) counts.leftOut[better.leftOut] += 1;
    else if ("leftOut" in worse) counts.leftOut[worse.leftOut] += 1;
    else {
      yield pairRow(better, worse);
      counts.written += 1;
    }
    onRead?.();
    if (counts.written >= limit) return;
  }
}

async function* fitting(filter: EpisodeFilter, { source, onRead }: Exported, counts: ExportCounts) {
  for await (const handle of source) {
    counts.read += 1;
    const loaded = isOf(handle.played, filter) ? await handle.load() : filtered;
    if ("leftOut" in loaded) counts.leftOut[loaded.leftOut] += 1;
    else {
      const episodes = loaded.filter((episode) => fits(episode, filter));
      if (episodes.length > 0) yield { handle, episodes };
      else counts.leftOut.filtered += 1;
    }
    onRead?.();
  }
}

/** Returns the conversation of the only player, or the reason why there is none. */
function onlyOf(loaded: readonly ExportEpisode[] | LeftOut): ExportEpisode | LeftOut {
  if ("leftOut" in loaded) return loaded;
  const [only] = loaded;
  return only && only.seat === undefined ? only : { leftOut: "several seats" };
}

const filtered: LeftOut = { leftOut: "filtered" };

/** Returns whether an episode is of the environment and the split of a filter. */
export function isOf(
  played: { readonly environment: string; readonly split: string },
  { environment, split }: Pick<EpisodeFilter, "environment" | "split">,
): boolean {
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
