/** Estimators of a benchmark run. */
import { betaQuantile, studentQuantile } from "./beta.js";

/** An estimate with its 95 % confidence interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly method: "korn-graubard";
  /** Number of independent values with the same information: between the numbers of tasks and of samples. */
  readonly effectiveSize: number;
}

/** Lowest and highest possible value. */
export interface Range {
  readonly low: number;
  readonly high: number;
}

const z95 = 1.959963984540054;
const unit: Range = { low: 0, high: 1 };

/**
 * Probability that at least one of k samples succeeds, from n samples with c successes: 1 - C(n-c, k) / C(n, k), which
 * is unbiased (Chen et al. 2021, "Evaluating Large Language Models Trained on Code", equation 1).
 *
 * @throws {RangeError} unless 1 <= k <= n and 0 <= c <= n
 */
export function passAtK(n: number, c: number, k: number): number {
  if (!(k >= 1 && k <= n && c >= 0 && c <= n)) {
    throw new RangeError(`expected 1 <= k <= n and 0 <= c <= n, but received n = ${n}, c = ${c}, k = ${k}`);
  }
  let allFail = 1;
  // A product avoids binomials, which are too large.
  for (let i = 0; i < k; i++) allFail *= Math.max(0, n - c - i) / (n - i);
  return 1 - allFail;
}

/**
 * Mean of all values, with a 95 % confidence interval for tasks like these: tasks are drawn independently, samples of one
 * task are correlated. The interval is Clopper and Pearson's (1934) on an effective sample size, as Korn and Graubard
 * (1998, "Confidence intervals for proportions with small expected number of positive counts estimated from survey data")
 * compute it, with the t quantile for few tasks.
 *
 * The effective size is p(1-p) / variance of the mean between tasks. Where all outcomes are equal that is 0/0, and near
 * there the variance comes out too small, because a rare kind of task has not been drawn yet. It is therefore estimated with
 * two tasks added, one at each end of the range, and the two are taken off again (Agresti and Coull's adjustment of 1998,
 * applied to tasks). So the size is exactly the number of tasks for one sample a task, for samples that always agree, and
 * for outcomes that are all equal; it is at most the number of samples for independent outcomes of 0 and 1.
 *
 * @param clusters values of each task
 * @param range lowest and highest possible value
 * @returns undefined for no values
 */
export function clusteredMean(clusters: readonly (readonly number[])[], range = unit): Estimate | undefined {
  const scaled = (value: number) => (value - range.low) / (range.high - range.low);
  const tasks = clusters
    .filter(({ length }) => length > 0)
    .map((values) => ({ mean: scaled(total(values) / values.length), size: values.length }));
  if (tasks.length === 0) return undefined;
  const samples = total(tasks.map(({ size }) => size));
  const p = total(tasks.map(({ mean, size }) => mean * size)) / samples;
  const isBinary = clusters.every((values) => values.every((value) => value === range.low || value === range.high));
  const size = effectiveSize(tasks, samples, p, isBinary ? samples : Number.POSITIVE_INFINITY);
  const { low, high } = clopperPearson(p * size, size);
  const back = (share: number) => range.low + share * (range.high - range.low);
  // Rounding must not push an end past a value of 0 or 1.
  return {
    value: back(p),
    low: back(Math.min(low, p)),
    high: back(Math.max(high, p)),
    method: "korn-graubard",
    effectiveSize: size,
  };
}

function effectiveSize(
  tasks: readonly { mean: number; size: number }[],
  samples: number,
  p: number,
  most: number,
): number {
  const count = tasks.length;
  const centre = (count * p + 1) / (count + 2);
  const weights = tasks.map(({ size }) => (size * count) / samples);
  // Sum of squares between tasks, with the two added ones.
  const squares =
    total(tasks.map(({ mean }, at) => (weights[at] as number) ** 2 * (mean - centre) ** 2)) +
    (1 - centre) ** 2 +
    centre ** 2;
  const estimated = Math.min(most, (centre * (1 - centre) * (count + 2) ** 2) / squares - 2);
  // Kish's effective size for fully correlated samples. It is not estimated, so it needs no t quantile.
  const least = count ** 2 / total(weights.map((weight) => weight ** 2));
  if (count === 1) return least;
  return Math.max(least, estimated * (z95 / studentQuantile(0.975, count - 1)) ** 2);
}

/** Clopper-Pearson interval; successes and trials need not be whole numbers. */
function clopperPearson(successes: number, trials: number): { low: number; high: number } {
  const failures = Math.max(0, trials - successes);
  return {
    low: betaQuantile(0.025, successes, failures + 1),
    high: betaQuantile(0.975, successes + 1, failures),
  };
}

export function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : total(values) / values.length;
}

/** Mean of independent estimates with equal weights, and its 95 % confidence interval. */
export interface MacroMean {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly method: "mover";
}

/**
 * Mean with its interval. Each end lies as far from the mean as the root of the summed squares of the estimates' distances,
 * divided by their number: the method of variance estimates recovery (Zou and Donner 2008, "Construction of confidence
 * limits about effect measures: a general approach"), which keeps the asymmetry of intervals of shares.
 *
 * @returns undefined for no estimates
 */
export function macroMean(estimates: readonly Pick<Estimate, "value" | "low" | "high">[]): MacroMean | undefined {
  const value = mean(estimates.map((estimate) => estimate.value));
  if (value === undefined) return undefined;
  const reach = (of: (estimate: Pick<Estimate, "value" | "low" | "high">) => number) =>
    Math.hypot(...estimates.map(of)) / estimates.length;
  return {
    value,
    low: value - reach((estimate) => estimate.value - estimate.low),
    high: value + reach((estimate) => estimate.high - estimate.value),
    method: "mover",
  };
}

/** Quantile of ascending values, interpolated between neighbours. */
export function quantile(ascending: readonly number[], q: number): number {
  const at = q * (ascending.length - 1);
  const [low, high] = [ascending[Math.floor(at)] as number, ascending[Math.ceil(at)] as number];
  return low + (high - low) * (at - Math.floor(at));
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
