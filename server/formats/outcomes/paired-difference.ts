/** The mean of paired differences, with its confidence interval. */
import { studentQuantile } from "./beta.js";

export interface PairedDifference {
  /** Mean over tasks, each with the same weight. */
  readonly value: number;
  /** Bounds of the 95 % confidence interval. */
  readonly low: number;
  readonly high: number;
  readonly method: "paired-clustered";
}

/** Two tasks that the interval adds: one with the largest fall, one with the largest rise. */
const added = 2;

/**
 * Computes the mean difference and its 95 % confidence interval. Each task is a cluster, whose value is the mean difference
 * of its samples: tasks are independent draws, the samples of a task are not (Miller 2024, "Adding Error Bars to Evals: A
 * Statistical Approach to Language Model Evaluations", arXiv 2411.00640).
 *
 * Few tasks, or tasks that hardly differ, give too narrow an interval. As Bonett and Price (2012, "Adjusted Wald confidence
 * interval for a difference of binomial proportions based on paired data") do for single samples, the interval is computed
 * with one more task that falls and one more that rises by the whole range. It has the quantile of Student's t.
 *
 * @param tasks differences of each task's samples
 * @param range largest possible absolute difference
 * @returns undefined without differences
 */
export function pairedDifference(tasks: readonly (readonly number[])[], range: number): PairedDifference | undefined {
  const means = tasks.filter(({ length }) => length > 0).map((values) => total(values) / values.length);
  if (means.length === 0) return undefined;
  const value = total(means) / means.length;
  const size = means.length + added;
  const centre = total(means) / size;
  const squares = total(means.map((mean) => (mean - centre) ** 2)) + (range - centre) ** 2 + (range + centre) ** 2;
  const error = Math.sqrt(squares / (size - 1) / size);
  const reach = studentQuantile(0.975, size - 1) * error;
  return {
    value,
    low: Math.max(-range, Math.min(value, centre - reach)),
    high: Math.min(range, Math.max(value, centre + reach)),
    method: "paired-clustered",
  };
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
