/** Curves over train steps: their points, aligned and smoothed. */

/** Step and value. A value that is null leaves a gap. */
export type Point = readonly [step: number, value: number | null];

export interface Curve {
  readonly label: string;
  readonly points: readonly Point[];
  /** Metric that the curve shows, if several curves of a chart show the same one. */
  readonly metric?: string;
}

export interface AlignedCurves {
  readonly steps: readonly number[];
  /** Values of each curve at the steps: null where a point has no finite value, undefined where the curve has no point. */
  readonly values: readonly (readonly (number | null | undefined)[])[];
}

/** Puts curves on one axis of steps. */
export function aligned(curves: readonly Curve[]): AlignedCurves {
  const steps = [...new Set(curves.flatMap(({ points }) => points.map(([step]) => step)))].sort((a, b) => a - b);
  const values = curves.map(({ points }) => {
    const byStep = new Map(points);
    return steps.map((step) => byStep.get(step));
  });
  return { steps, values };
}

/**
 * Returns the exponential mean of each value and those before it, corrected for the short start as in TensorBoard. Gaps
 * stay gaps.
 *
 * @param weight weight of the earlier values, from 0 (no smoothing) to below 1
 */
export function smoothed(
  values: readonly (number | null | undefined)[],
  weight: number,
): (number | null | undefined)[] {
  let [mean, count] = [0, 0];
  return values.map((value) => {
    if (value === null || value === undefined) return value;
    mean = mean * weight + value * (1 - weight);
    count++;
    return mean / (1 - weight ** count);
  });
}

/** Smallest relative difference of values that are not taken as equal; smaller differences are rounding errors. */
const leastSpread = 1e-9;

/**
 * Whether a chart tells nothing that its values would not: each curve has the same value at two or more steps. Of several
 * runs, the curves of one metric must be equal too, for which they have the same `metric`.
 */
export function isFlat(curves: readonly Curve[]): boolean {
  const byMetric = new Map<string, number[]>();
  for (const { label, metric = label, points } of curves) {
    const known = byMetric.get(metric) ?? [];
    for (const [, value] of points) if (value !== null) known.push(value);
    byMetric.set(metric, known);
  }
  const all = [...byMetric.values()];
  const hasSteps = curves.some(({ points }) => points.filter(([, value]) => value !== null).length > 1);
  return hasSteps && all.every(areEqual);
}

function areEqual(values: readonly number[]): boolean {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const value of values) [low, high] = [Math.min(low, value), Math.max(high, value)];
  return values.length === 0 || high - low <= leastSpread * Math.max(1, Math.abs(low), Math.abs(high));
}
