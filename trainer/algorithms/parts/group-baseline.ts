/** Baselines of a group: means and deviations of its returns. */

/** Returns the mean of numbers; 0 for an empty list. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** Returns the unbiased standard deviation, with n - 1 in the denominator; 0 for fewer than 2 numbers. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const center = mean(values);
  return Math.sqrt(values.reduce((total, value) => total + (value - center) ** 2, 0) / (values.length - 1));
}

/** Returns the differences from the mean. */
export function centred(values: readonly number[]): number[] {
  const center = mean(values);
  return values.map((value) => value - center);
}

/** Epsilon of GRPO and verl, which avoids a division by 0 for equal returns. */
export const deviationEpsilon = 1e-6;

/** Returns (x - mean) / (std + 1e-6). Equal numbers give exact zeros. */
export function standardised(values: readonly number[]): number[] {
  const deviation = standardDeviation(values) + deviationEpsilon;
  return isConstant(values) ? values.map(() => 0) : centred(values).map((value) => value / deviation);
}

/**
 * Returns whether all numbers are equal. Subtracting the mean would leave rounding noise: the mean of three times 0.1
 * is 0.10000000000000002.
 */
export function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}
