/** Ratios of paired measurements, with confidence intervals. */

export interface Ratio {
  readonly ratio: number;
  /** 95 % confidence interval. */
  readonly low: number;
  readonly high: number;
}

/** Returns the geometric mean of ratios with Student's interval of their logarithms. @param ratios at least two */
export function meanRatio(ratios: readonly number[]): Ratio {
  const logs = ratios.map(Math.log);
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  const variance = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (logs.length - 1);
  const half = studentQuantile(logs.length - 1) * Math.sqrt(variance / logs.length);
  return { ratio: Math.exp(mean), low: Math.exp(mean - half), high: Math.exp(mean + half) };
}

/**
 * Returns the 97.5 % quantile of Student's distribution: exact for one and two degrees of freedom, else by the expansion
 * of Cornish and Fisher (Abramowitz and Stegun, 26.7.5), whose error is below 1 %.
 */
function studentQuantile(degrees: number): number {
  if (degrees <= 2) return degrees === 1 ? 12.706 : 4.303;
  const z = 1.959964;
  const terms = [
    z,
    (z ** 3 + z) / 4,
    (5 * z ** 5 + 16 * z ** 3 + 3 * z) / 96,
    (3 * z ** 7 + 19 * z ** 5 + 17 * z ** 3 - 15 * z) / 384,
  ];
  return terms.reduce((sum, term, power) => sum + term / degrees ** power, 0);
}
