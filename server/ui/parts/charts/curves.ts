/** Curves over train steps: their points, aligned and smoothed. */

/** Step and value. A value that is null leaves a gap. */
export type Point = readonly [step: number, value: number | null];

export interface Curve {
  readonly label: string;
  readonly points: readonly Point[];
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
