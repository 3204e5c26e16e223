/** The players of a run's seats: who played which seat in how many groups, and the held-out rewards of each seat. */
import { bySeat, type Group, learner } from "../../rollout/trajectory.js";
import type { HeldOutRecord, SeatRecord, TrainRecord } from "../metric-names.js";
import type { PaperSection } from "../paper/paper.js";

/** Returns the players of the seats in a batch; undefined if no group has seats. */
export function seatRecords(groups: readonly Group[]): TrainRecord["seats"] {
  const seats = new Map<string, { players: Record<string, number>; returns: number[] }>();
  const of = (seat: string) => {
    const found = seats.get(seat) ?? { players: {}, returns: [] };
    seats.set(seat, found);
    return found;
  };
  for (const group of groups) {
    for (const [seat, player] of Object.entries(group.players ?? {})) {
      const { players } = of(seat);
      players[player] = (players[player] ?? 0) + 1;
    }
    for (const { trajectories } of bySeat(group)) {
      const [first] = trajectories;
      if (first?.seat !== undefined) of(first.seat).returns.push(...trajectories.map(({ return: sum }) => sum));
    }
  }
  if (seats.size === 0) return undefined;
  return Object.fromEntries([...seats].map(([seat, { players, returns }]) => [seat, recordOf(players, returns)]));
}

function recordOf(players: Readonly<Record<string, number>>, returns: readonly number[]): SeatRecord {
  if (returns.length === 0) return { players };
  return { players, reward: returns.reduce((sum, value) => sum + value, 0) / returns.length };
}

/** The players of a run. */
export interface RunPlayers {
  /** Rows of seat, player and number of groups. */
  readonly groups: readonly (readonly [seat: string, player: string, groups: number])[];
  /** Held-out results by task set and seat, of the first and the last evaluation. */
  readonly first?: HeldOutRecord["seats"];
  readonly last?: HeldOutRecord["seats"];
}

/** @returns undefined if the run has no environment with several players */
export function runPlayers(records: readonly TrainRecord[]): RunPlayers | undefined {
  const counts = new Map<string, Map<string, number>>();
  for (const [seat, { players }] of records.flatMap(({ seats = {} }) => Object.entries(seats))) {
    const ofSeat = counts.get(seat) ?? new Map<string, number>();
    counts.set(seat, ofSeat);
    for (const [player, count] of Object.entries(players)) ofSeat.set(player, (ofSeat.get(player) ?? 0) + count);
  }
  const evaluations = records.flatMap(({ held_out }) => (held_out?.seats ? [held_out.seats] : []));
  if (counts.size === 0 && evaluations.length === 0) return undefined;
  const groups = [...counts].flatMap(([seat, players]) =>
    [...players].map(([player, count]) => [seat, player, count] as const),
  );
  const [first, last] = [evaluations[0], evaluations.at(-1)];
  return { groups, ...(first && last && { first, last }) };
}

/** Returns the section of the runs, each with its label. There is none if no run has an environment with several players. */
export function playersSections(
  runs: readonly { readonly label: string; readonly players?: RunPlayers | undefined }[],
): PaperSection[] {
  const known = runs.flatMap(({ label, players }) => (players ? [{ label, players }] : []));
  if (known.length === 0) return [];
  const counts = known.flatMap(({ label, players }) =>
    players.groups.map(([seat, player, count]) => [label, seat, player, count.toLocaleString("en-US")]),
  );
  const columns = ["run", "seat", "played by", "groups"];
  const scores = known.flatMap(({ label, players }) => heldOutRows(players).map((row) => [label, ...row]));
  const heldOut = ["run", "task set", "seat", "episodes", "first", "last"];
  const tables = [
    { title: `Groups of reinforcement learning, where ${learner} is the policy that learns`, columns, rows: counts },
    { title: "Mean held-out return of the policy by seat", columns: heldOut, rows: scores },
  ].filter(({ rows }) => rows.length > 0);
  return [{ heading: "Players", tables }];
}

function heldOutRows({ first, last }: RunPlayers): string[][] {
  return Object.entries(last ?? {}).flatMap(([set, seats]) =>
    Object.entries(seats).map(([seat, { episodes, score }]) => {
      const before = first?.[set]?.[seat]?.score;
      return [set, seat, `${episodes}`, before === undefined ? "–" : before.toFixed(3), score.toFixed(3)];
    }),
  );
}
