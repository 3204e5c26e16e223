/** The records of a training run, as its health needs them. */
import { latestSteps } from "./thresholds.js";

/** A line of metrics.jsonl: the metrics of a train step, or an evaluation. Any other field may have any value. */
export interface HealthRecord {
  readonly step: number;
}

/** Returns a field of a record. */
export function fieldOf(record: HealthRecord, name: string): unknown {
  return (record as unknown as Readonly<Record<string, unknown>>)[name];
}

/** An evaluation on held-out tasks. */
export interface HeldOutPoint {
  readonly step: number;
  /** Mean success of the task sets. */
  readonly success: number;
  /** Number of episodes of all task sets, or null if it was not recorded. */
  readonly episodes: number | null;
}

/** Returns the records of the newest train steps. */
export function latestOf(records: readonly HealthRecord[]): readonly HealthRecord[] {
  return trainStepsOf(records).slice(-latestSteps);
}

export function trainStepsOf(records: readonly HealthRecord[]): HealthRecord[] {
  return records.filter((record) => fieldOf(record, "groups/count") !== undefined);
}

/** Returns the finite values of a metric. */
export function valuesOf(records: readonly HealthRecord[], metric: string): number[] {
  return records.flatMap((record) => {
    const value = fieldOf(record, metric);
    return typeof value === "number" && Number.isFinite(value) ? [value] : [];
  });
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** Returns the mean of a metric, or undefined if no record has it. */
export function meanOf(records: readonly HealthRecord[], metric: string): number | undefined {
  const values = valuesOf(records, metric);
  return values.length === 0 ? undefined : sumOf(values) / values.length;
}

export function evaluationsOf(records: readonly HealthRecord[]): HeldOutPoint[] {
  return records.flatMap((record) => {
    const success = fieldOf(record, "val/success_rate");
    if (typeof success !== "number") return [];
    const { step = record.step, episodes } = (fieldOf(record, "held_out") ?? {}) as {
      step?: number;
      episodes?: object;
    };
    const counts = Object.values(episodes ?? {}).filter((count) => typeof count === "number");
    return [{ step, success, episodes: counts.length === 0 ? null : sumOf(counts) }];
  });
}
