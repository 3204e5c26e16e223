/** A training run: its records and what charts and tiles show of them. */

import { counted, dateText, durationText, meanOf, percent, shortNumber } from "../../../numbers.js";
import type { Point } from "../../../parts/charts/curves.js";

/** A line of metrics.jsonl: the metrics of a train step or of an evaluation by name, and the fields below. */
export interface TrainRecord {
  readonly step: number;
  /** Seconds since 1970. */
  readonly time: number;
  /** Trained tokens by staleness: entry s counts the tokens that are s versions old. */
  readonly staleness?: readonly number[];
  /** Seats in the groups, with the policy's mean return. Absent without seats. */
  readonly seats?: Readonly<Record<string, { readonly reward?: number }>>;
  readonly held_out?: HeldOut;
  readonly [metric: string]: unknown;
}

export interface HeldOut {
  readonly step: number;
  /** Success rate by task set. */
  readonly success: Readonly<Record<string, number>>;
  /** Number of played episodes by task set. Logs of earlier versions lack it. */
  readonly episodes?: Readonly<Record<string, number>>;
}

/** Returns the environment of a task set. */
export function environmentOf(set: string): string {
  return set.split(":", 1)[0] as string;
}

/** Returns the success of each environment at each evaluation, as the mean of its task sets. */
function heldOutShares(records: readonly TrainRecord[]): Map<string, number[]> {
  const shares = new Map<string, number[]>();
  for (const { held_out } of records) {
    const bySet = Object.entries(held_out?.success ?? {});
    for (const environment of new Set(bySet.map(([set]) => environmentOf(set)))) {
      const own = bySet.filter(([set]) => environmentOf(set) === environment).map(([, share]) => share);
      shares.set(environment, [...(shares.get(environment) ?? []), meanOf(own) as number]);
    }
  }
  return shares;
}

/** Returns the points of a metric. Values that were not finite are null in JSON. */
export function pointsOf(records: readonly TrainRecord[], name: string): Point[] {
  return records.flatMap((record) => {
    const value = record[name];
    if (value === undefined) return [];
    // In logs of earlier versions the evaluation is part of a later train step's record.
    const step = name.startsWith("val/") ? (record.held_out?.step ?? record.step) : record.step;
    return [[step, isDrawable(value) ? value : null] as const];
  });
}

/** Whether a value can be drawn. JSON can have numbers, such as 1e999, that are infinite when they are read. */
function isDrawable(value: unknown): value is number {
  return typeof value === "number" && Math.abs(value) < 1e100;
}

export function valuesOf(records: readonly TrainRecord[], name: string): number[] {
  return pointsOf(records, name).flatMap(([, value]) => (value === null ? [] : [value]));
}

/** Returns how long a run has trained, as a sentence. */
export function durationOf(records: readonly TrainRecord[]): string {
  const [first, last] = [records[0], records.at(-1)];
  if (!first || !last) return "No train step yet.";
  const seconds = last.time - first.time + ((first["timing_s/step"] as number | undefined) ?? 0);
  return `${counted(last.step, "train step")} in ${durationText(1_000 * seconds)}, until ${dateText(1_000 * last.time)}`;
}

/** Returns the shares of the trained tokens by staleness. */
export function stalenessOf(records: readonly TrainRecord[]): number[] {
  const counts: number[] = [];
  for (const { staleness = [] } of records) {
    for (const [age, tokens] of staleness.entries()) counts[age] = (counts[age] ?? 0) + tokens;
  }
  const total = counts.reduce((sum, tokens) => sum + tokens, 0);
  return total === 0 ? [] : counts.map((tokens) => tokens / total);
}

export interface Tile {
  readonly label: string;
  readonly value: string;
  readonly more?: string;
}

/** Returns the policy's mean return in each seat, by train step. */
function seatRewards(records: readonly TrainRecord[]): [seat: string, rewards: number[]][] {
  const names = new Set(records.flatMap(({ seats }) => Object.keys(seats ?? {})));
  return [...names].map((seat) => [
    seat,
    records.flatMap(({ seats }) => {
      const reward = seats?.[seat]?.reward;
      return isDrawable(reward) ? [reward] : [];
    }),
  ]);
}

/** Returns the main figures of a run. */
export function tilesOf(records: readonly TrainRecord[]): Tile[] {
  const played = records.filter((record) => record["episode/success_rate"] !== undefined);
  const lately = played.slice(-Math.ceil(played.length / 10));
  const held = [...heldOutShares(records)];
  const failed = valuesOf(records, "episode/failed").reduce((sum, value) => sum + value, 0);
  const tile = (label: string, value: number | undefined, write: (value: number) => string = shortNumber): Tile[] =>
    value === undefined ? [] : [{ label, value: write(value) }];
  return [
    tile("success, last tenth of the steps", meanOf(valuesOf(lately, "episode/success_rate")), percent),
    ...seatRewards(lately).flatMap(([seat, rewards]) =>
      tile(`reward of ${seat}, last tenth of the steps`, meanOf(rewards)),
    ),
    ...held.flatMap(([environment, shares]) => {
      const label = held.length > 1 ? `held-out success in ${environment}` : "held-out success";
      return [tile(`${label}, last`, shares.at(-1), percent), tile(`${label}, best`, Math.max(...shares), percent)];
    }),
    tile("tokens trained", valuesOf(records, "perf/total_num_tokens").at(-1)),
    tile("batch tokens a second", meanOf(valuesOf(records, "perf/throughput"))),
    tile("mean staleness", meanOf(valuesOf(records, "staleness/mean"))),
    tile("training idle", meanOf(valuesOf(records, "perf/idle/train")), percent),
    tile("steps without a gradient", valuesOf(records, "actor/no_gradient_steps").at(-1)),
    tile("episodes failed", records.length === 0 ? undefined : failed),
  ].flat();
}
