/** Baselines of a group: means and deviations of its returns. */

/** Mean of numbers; 0 if there are none. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** Unbiased standard deviation, divided by n - 1; 0 for fewer than 2 numbers. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const center = mean(values);
  return Math.sqrt(values.reduce((total, value) => total + (value - center) ** 2, 0) / (values.length - 1));
}

/** Differences from the mean. */
export function centred(values: readonly number[]): number[] {
  const center = mean(values);
  return values.map((value) => value - center);
}

/** Epsilon of GRPO and verl against a division by 0 for equal returns. */
export const deviationEpsilon = 1e-6;

/** (x - mean) / (std + 1e-6). Equal numbers give exact zeros. */
export function standardised(values: readonly number[]): number[] {
  const deviation = standardDeviation(values) + deviationEpsilon;
  return isConstant(values) ? values.map(() => 0) : centred(values).map((value) => value / deviation);
}

/**
 * Whether all numbers are equal. A rounded mean would leave noise: 0.1 three times has a mean of 0.10000000000000002.
 */
export function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}
