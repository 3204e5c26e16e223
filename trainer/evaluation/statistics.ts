/** The estimators of a benchmark run. */
import { keyedRandom } from "../keyed-random.js";

/** An estimate with its 95 % confidence interval, and how that was found. */
export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
  readonly method: "wilson" | "bootstrap";
}

const z95 = 1.959963984540054;
const resamples = 2_000;

/**
 * The probability that at least one of k samples succeeds, from n samples of which c did: 1 - C(n-c, k) / C(n, k), which
 * is unbiased (Chen et al. 2021, "Evaluating Large Language Models Trained on Code", equation 1).
 *
 * @throws {RangeError} unless 1 <= k <= n and 0 <= c <= n
 */
export function passAtK(n: number, c: number, k: number): number {
  if (!(k >= 1 && k <= n && c >= 0 && c <= n)) {
    throw new RangeError(`expected 1 <= k <= n and 0 <= c <= n, but received n = ${n}, c = ${c}, k = ${k}`);
  }
  let allFail = 1;
  // As a product, since the binomials are too large.
  for (let i = 0; i < k; i++) allFail *= Math.max(0, n - c - i) / (n - i);
  return 1 - allFail;
}

/** A proportion of independent trials, with Wilson's score interval (Wilson 1927). Undefined for no trials. */
export function wilson(successes: number, trials: number): Estimate | undefined {
  if (trials === 0) return undefined;
  const p = successes / trials;
  const z2 = z95 ** 2 / trials;
  const centre = (p + z2 / 2) / (1 + z2);
  const half = (z95 / (1 + z2)) * Math.sqrt((p * (1 - p)) / trials + z2 / (4 * trials));
  // Rounding must not push an end past the value where that is 0 or 1.
  return {
    value: p,
    low: Math.max(0, Math.min(p, centre - half)),
    high: Math.min(1, Math.max(p, centre + half)),
    method: "wilson",
  };
}

/**
 * The mean of all values, with a percentile bootstrap interval (Efron 1979) that draws whole clusters: the samples of one
 * task are not independent of each other. The draws are the same in each run. Undefined for no values.
 */
export function clusterMean(clusters: readonly (readonly number[])[]): Estimate | undefined {
  const sums = clusters
    .filter(({ length }) => length > 0)
    .map((values) => ({ sum: total(values), count: values.length }));
  if (sums.length === 0) return undefined;
  const random = keyedRandom(sums.length);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    let count = 0;
    for (let draw = 0; draw < sums.length; draw++) {
      const cluster = sums[Math.floor(random() * sums.length)] as { sum: number; count: number };
      sum += cluster.sum;
      count += cluster.count;
    }
    return sum / count;
  }).sort((a, b) => a - b);
  const value = total(sums.map(({ sum }) => sum)) / total(sums.map(({ count }) => count));
  return { value, low: quantile(means, 0.025), high: quantile(means, 0.975), method: "bootstrap" };
}

export function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : total(values) / values.length;
}

/** Of ascending values, interpolated between neighbours. */
export function quantile(ascending: readonly number[], q: number): number {
  const at = q * (ascending.length - 1);
  const [low, high] = [ascending[Math.floor(at)] as number, ascending[Math.ceil(at)] as number];
  return low + (high - low) * (at - Math.floor(at));
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
