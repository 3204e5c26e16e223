/** Results by seat: who played it, and the seat's own rewards. */
import { rewardOf } from "../rollout/episode-rollout.js";
import type { Trajectory } from "../rollout/trajectory.js";
import type { EpisodeRecord } from "./record.js";
import { clusteredMean, type Estimate, type Range } from "./statistics.js";

/** Player of a seat: the evaluated policy, or its partner. */
export type SeatPlayer = "policy" | "partner";

/** Results of a seat over the episodes in which one of the two players had it. */
export interface SeatResults {
  readonly seat: string;
  readonly player: SeatPlayer;
  readonly episodes: number;
  /** Share of these episodes that were solved. */
  readonly successRate: Estimate | undefined;
  /** Mean of the seat's returns. */
  readonly meanReturn: Estimate | undefined;
}

/** Seats of an environment, and those that the policy plays in turn beside a partner, one in each episode. */
export interface Seats {
  readonly all: readonly string[];
  readonly ofPolicy: readonly string[];
}

/** Returns the seats that the partner plays in an episode. The policy's seat is the next one for the next task or sample. */
export function partnerSeats({ all, ofPolicy }: Seats, index: number, sample: number): string[] {
  const own = ofPolicy[(index + sample) % ofPolicy.length];
  return all.filter((seat) => seat !== own);
}

/** Returns the player of each seat, for the record of an episode; undefined if the environment has one player. */
export function playersOf({ seats }: Trajectory): Readonly<Record<string, SeatPlayer>> | undefined {
  const players = seats?.map(({ seat, partner }) => [seat, partner === undefined ? "policy" : "partner"] as const);
  return players && Object.fromEntries(players);
}

/** Returns the results of each seat and player, in the order of the seats. @param scored records of episodes that did not fail */
export function seatResults(scored: readonly EpisodeRecord[]): SeatResults[] {
  const seats = [...new Set(scored.flatMap(({ players = {} }) => Object.keys(players)))];
  return seats.flatMap((seat) =>
    (["policy", "partner"] as const).flatMap((player) => {
      const played = scored.filter(({ players }) => players?.[seat] === player);
      if (played.length === 0) return [];
      const returns = played.map((record) => returnOf(record, seat));
      return [
        {
          seat,
          player,
          episodes: played.length,
          successRate: clusteredMean(byTask(played, ({ solved }) => Number(solved))),
          meanReturn: clusteredMean(
            byTask(played, (record) => returnOf(record, seat)),
            rangeOf(returns),
          ),
        },
      ];
    }),
  );
}

function returnOf({ turns }: EpisodeRecord, seat: string): number {
  return turns.reduce((sum, turn) => sum + rewardOf(turn, seat), 0);
}

function rangeOf(returns: readonly number[]): Range {
  return { low: Math.min(0, ...returns), high: Math.max(1, ...returns) };
}

function byTask(records: readonly EpisodeRecord[], measure: (record: EpisodeRecord) => number): number[][] {
  const tasks = new Map<number, number[]>();
  for (const record of records) {
    const { index } = record.played;
    tasks.set(index, [...(tasks.get(index) ?? []), measure(record)]);
  }
  return [...tasks.values()];
}
