/**
 * Success by rounds, computed from episodes that were played once, to the largest cap. Playing again with a smaller cap
 * would give the same results: neither agent nor environment receives the cap, and random draws depend only on episode
 * and turn. Rewards after the cap do not count.
 */
import type { EpisodeRecord } from "./record.js";
import { clusteredMean, type Estimate } from "./statistics.js";
import { groupBy } from "./summary.js";

/** Results within a number of rounds, over all episodes that were played to their end. */
export interface RoundsResult {
  readonly rounds: number;
  readonly solved: number;
  readonly episodes: number;
  readonly successRate: Estimate | undefined;
}

/**
 * Cuts an episode to `rounds` replies, or to the reply before a seat's reply number `rounds` + 1 if there are seats. A failed episode is returned unchanged, since its outcome is unknown.
 *
 * @param solvedScore minimum return of a solved task
 */
export function withinRounds(record: EpisodeRecord, rounds: number, solvedScore: number): EpisodeRecord {
  const end = endOf(record, rounds);
  if (record.turns.length <= end || record.status === "failed") return record;
  const turns = record.turns.slice(0, end);
  const score = turns.reduce((sum, { reward }) => sum + reward, 0);
  return { ...record, status: "limit", score, solved: score >= solvedScore, turns };
}

/** Returns the number of replies until a player would reply more than `rounds` times. */
function endOf({ turns }: EpisodeRecord, rounds: number): number {
  const replies = new Map<string | undefined, number>();
  for (const [at, { seat }] of turns.entries()) {
    const before = replies.get(seat) ?? 0;
    if (before === rounds) return at;
    replies.set(seat, before + 1);
  }
  return turns.length;
}

/**
 * Returns the results for each cap, in order. Every task has the same weight in each result, so results can be
 * compared.
 */
export function successByRounds(
  records: readonly EpisodeRecord[],
  caps: readonly number[],
  solvedScore: number,
): RoundsResult[] {
  const scored = records.filter(({ status }) => status !== "failed");
  return caps.map((rounds) => {
    const within = scored.map((record) => withinRounds(record, rounds, solvedScore));
    const tasks = [...groupBy(within, ({ played }) => played.index).values()];
    return {
      rounds,
      solved: within.filter(({ solved }) => solved).length,
      episodes: within.length,
      successRate: clusteredMean(tasks.map((samples) => samples.map(({ solved }) => Number(solved)))),
    };
  });
}
