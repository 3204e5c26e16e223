/** Estimators of a benchmark run. */
import { betaQuantile, studentQuantile } from "../../server/formats/outcomes/beta.js";

/** An estimate with its 95 % confidence interval. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly method: "korn-graubard";
  /**
   * Effective sample size: the number of independent values with the same information, between the numbers of tasks and
   * of samples.
   */
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
  // The product avoids binomial coefficients, which would overflow.
  for (let i = 0; i < k; i++) allFail *= Math.max(0, n - c - i) / (n - i);
  return 1 - allFail;
}

/**
 * Computes the mean of all values, with a 95 % confidence interval. Tasks count as independent draws from a population
 * of tasks; samples of one task are correlated. The interval is Clopper and Pearson's (1934) on an effective sample
 * size, as Korn and Graubard (1998, "Confidence intervals for proportions with small expected number of positive counts
 * estimated from survey data") compute it, with the t quantile for few tasks.
 *
 * The effective size is p(1-p) / variance of the mean between tasks. If all outcomes are equal, this is 0/0; if almost
 * all are equal, the variance is underestimated, because a rare kind of task has not been drawn yet. The size is
 * therefore estimated with two additional tasks, one at each end of the range, which are then subtracted again (Agresti
 * and Coull's adjustment of 1998, applied to tasks). The size equals the number of tasks if each task has one sample,
 * if samples of a task always agree, or if all outcomes are equal. For independent outcomes of 0 and 1, it is at most
 * the number of samples.
 *
 * @param clusters values of each task
 * @param range lowest and highest possible value
 * @returns undefined without values
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
  // Rounding must not move a bound beyond a value of 0 or 1.
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
  // Sum of squares between tasks, including the two additional tasks.
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

/** Computes the Clopper-Pearson interval; successes and trials may be fractional. */
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
 * Computes the mean with its interval. The distance of each bound from the mean is the root of the summed squared
 * distances of the estimates' bounds, divided by the number of estimates: the method of variance estimates recovery
 * (Zou and Donner 2008, "Construction of confidence limits about effect measures: a general approach"), which keeps the
 * asymmetry of intervals of shares.
 *
 * @returns undefined without estimates
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

/** Mean of independent repetitions, such as the seeds of a run. */
export interface RepeatedMean {
  readonly value: number;
  /** Bounds of the 95 % confidence interval; absent with fewer than two repetitions. */
  readonly low?: number;
  readonly high?: number;
  /** Number of repetitions. */
  readonly n: number;
}

/**
 * Computes the mean with Student's interval: t(0.975, n - 1) standard errors on both sides, cut to the range of possible
 * values.
 *
 * @returns undefined without values
 */
export function studentMean(values: readonly number[], range: Range): RepeatedMean | undefined {
  const value = mean(values);
  const n = values.length;
  if (value === undefined) return undefined;
  if (n < 2) return { value, n };
  const variance = total(values.map((each) => (each - value) ** 2)) / (n - 1);
  const reach = studentQuantile(0.975, n - 1) * Math.sqrt(variance / n);
  return { value, low: Math.max(range.low, value - reach), high: Math.min(range.high, value + reach), n };
}

/** Returns a quantile of ascending values, interpolated between neighbors. */
export function quantile(ascending: readonly number[], q: number): number {
  const at = q * (ascending.length - 1);
  const [low, high] = [ascending[Math.floor(at)] as number, ascending[Math.ceil(at)] as number];
  return low + (high - low) * (at - Math.floor(at));
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
