/** Pages of a caller's episodes. */

import type { JsonValue } from "../../envs/env.js";
import type { EpisodeFilter } from "../log/records/episode-filter.js";
import type { Outcome, Phase } from "../log/records/episode-state.js";
import type { EpisodeRecord, EpisodeRow } from "../log/records/protocol.js";
import { parseResult } from "./episode/results.js";
import type { Caller, Gym } from "./gym.js";
import { searchedPage } from "./text-search.js";

interface Page {
  rows: EpisodeRow[];
  /** Id of the episode before which the next page begins, or null on the last page. */
  next: string | null;
}

export async function plainPage(gym: Gym, owner: string, before: string | undefined, limit: number): Promise<Page> {
  // One more row than the page tells whether another page follows.
  const rows = await gym.reader.list(owner, before, limit + 1);
  const page = rows.slice(0, limit);
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

export async function filteredPage(
  gym: Gym,
  caller: Caller,
  before: string | undefined,
  limit: number,
  { text, ...filter }: EpisodeFilter & { text?: string | undefined },
): Promise<Page> {
  if (text !== undefined) return searchedPage(gym, caller, before, limit, { ...filter, text });
  const { rows, lookedAt } = await gym.reader.filter(caller.owner, before, limit, filter);
  return { rows, next: lookedAt };
}

export interface EpisodeState extends EndingState {
  phase: Phase;
  /** Number of steps. */
  index: number;
  /** Reward of the newest step, or 0 before the first step. */
  reward: number;
  /** Goal of the episode, or null if it is unknown. */
  goal: string | null;
  /** Number of notes on the episode and its steps. */
  notes: number;
  /** Tags of these notes. */
  tags: readonly string[];
}

/** The result of an episode, as far as a caller may know it. */
export interface EndingState {
  outcome: Outcome;
  /** Sum of all rewards, or null if the log has no verdict. */
  return: number | null;
  /** Null before the end, and for callers without the expert's right. */
  verdict: { why: string; expected?: JsonValue } | null;
}

/**
 * Reads the state of an episode from the log, without renewing its lease. Returns undefined for an episode that was removed
 * or is damaged, so that the others are still listed.
 */
export async function stateOf(
  { log, titles }: Pick<Gym, "log" | "titles">,
  key: number,
  caller: Caller,
): Promise<EpisodeState | undefined> {
  const record = await log.call("findEpisode", key).catch(() => null);
  if (!record) return undefined;
  const { row, phase, steps, last, notes } = record;
  const reward = last ? parseResult(last.reply).reward : 0;
  const goal = await goalOf({ titles }, row, record, caller);
  const tags = [...new Set(notes.flatMap((note) => note.tags))];
  return { phase, index: steps, reward, goal, notes: notes.length, tags, ...endingOf(record, caller) };
}

/** Returns the goal of an episode, which its verdict knows better than the title of its task, or null. */
export async function goalOf(
  { titles }: Pick<Gym, "titles">,
  row: EpisodeRow,
  record: Pick<EpisodeRecord, "verdict"> | null,
  { mayAskExpert }: Caller,
): Promise<string | null> {
  return (mayAskExpert && record?.verdict?.goal) || (await titles.of(row));
}

/** The verdict may give the solution away, so it needs the same right as the expert's advice. */
export function endingOf(
  { outcome, verdict }: Pick<EpisodeRecord, "outcome" | "verdict">,
  { mayAskExpert }: Caller,
): EndingState {
  const { why, expected } = verdict ?? {};
  const isTold = mayAskExpert && why !== undefined;
  return {
    outcome,
    return: verdict?.return ?? null,
    verdict: isTold ? { why, ...(expected !== undefined && { expected }) } : null,
  };
}
