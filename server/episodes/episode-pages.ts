/** Pages of a caller's episodes. */

import type { Log } from "../log/log.js";
import type { Phase } from "../log/records/episode-state.js";
import type { EpisodeFilter, EpisodeRow } from "../log/records/protocol.js";
import { parseResult } from "./episode/results.js";
import type { Gym } from "./gym.js";

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
  owner: string,
  before: string | undefined,
  limit: number,
  filter: EpisodeFilter,
): Promise<Page> {
  const { rows, lookedAt } = await gym.reader.filter(owner, before, limit, filter);
  return { rows, next: lookedAt };
}

export interface EpisodeState {
  phase: Phase;
  /** Number of steps. */
  index: number;
  /** Reward of the newest step, or 0 before the first step. */
  reward: number;
}

/**
 * Reads the state of an episode from the log, without renewing its lease. Returns undefined for an episode that was removed
 * or is damaged, so that the others are still listed.
 */
export async function stateOf(log: Log, key: number): Promise<EpisodeState | undefined> {
  const record = await log.call("findEpisode", key).catch(() => null);
  if (!record) return undefined;
  const { phase, steps, last } = record;
  return { phase, index: steps, reward: last ? parseResult(last.reply).reward : 0 };
}
