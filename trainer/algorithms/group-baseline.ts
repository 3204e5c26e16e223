/** Means and deviations of few numbers: what returns of a group are compared with. */

/** Of 0 numbers: 0. */
export function mean(values: readonly number[]): number {
  if (values.length === 0) return 0;
  return values.reduce((total, value) => total + value, 0) / values.length;
}

/** Unbiased: divided by n - 1. Of fewer than 2 numbers: 0. */
export function standardDeviation(values: readonly number[]): number {
  if (values.length < 2) return 0;
  const center = mean(values);
  return Math.sqrt(values.reduce((total, value) => total + (value - center) ** 2, 0) / (values.length - 1));
}

/** x - mean. */
export function centred(values: readonly number[]): number[] {
  const center = mean(values);
  return values.map((value) => value - center);
}

/** GRPO's and verl's, so that equal returns do not divide by 0. */
export const deviationEpsilon = 1e-6;

/** (x - mean) / (std + 1e-6). Equal numbers give exact zeros. */
export function standardised(values: readonly number[]): number[] {
  const deviation = standardDeviation(values) + deviationEpsilon;
  return isConstant(values) ? values.map(() => 0) : centred(values).map((value) => value / deviation);
}

/** Rounding of the mean would leave noise that 1e-6 does not hide: 0.1 three times has a mean of 0.10000000000000002. */
export function isConstant(values: readonly number[]): boolean {
  return values.every((value) => value === values[0]);
}
