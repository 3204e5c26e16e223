/** The beta distribution and Student's t, from which exact confidence intervals are computed. */

const lanczos = [
  676.5203681218851, -1259.1392167224028, 771.3234287776531, -176.6150291621406, 12.507343278686905,
  -0.13857109526572012, 9.984369578019572e-6, 1.5056327351493116e-7,
];

/** ln Γ(x) for x > 0, to about 1e-13 (Lanczos 1964, with g = 7 and 9 terms). */
function logGamma(x: number): number {
  if (x < 0.5) return Math.log(Math.PI / Math.sin(Math.PI * x)) - logGamma(1 - x);
  let sum = 0.9999999999998099;
  for (const [at, term] of lanczos.entries()) sum += term / (x + at);
  const t = x + 6.5;
  return 0.5 * Math.log(2 * Math.PI) + (x - 0.5) * Math.log(t) - t + Math.log(sum);
}

/**
 * Returns the distribution function I_x(a, b) of the beta distribution, for a, b > 0 (continued fraction, DLMF
 * 8.17.22).
 */
export function betaCdf(x: number, a: number, b: number): number {
  return cdf(x, a, b, logBeta(a, b));
}

/**
 * Returns the quantile of the beta distribution: x with I_x(a, b) = p, to 1e-12. Returns 0 for a = 0, and 1 for b = 0.
 */
export function betaQuantile(p: number, a: number, b: number): number {
  if (a <= 0) return 0;
  if (b <= 0) return 1;
  const scale = logBeta(a, b);
  let [low, high] = [0, 1];
  let x = a / (a + b);
  for (let round = 0; round < 200 && high - low > 1e-12; round++) {
    const above = cdf(x, a, b, scale) - p;
    if (above > 0) high = x;
    else low = x;
    // Newton's step, or a bisection if that step leaves the bracket.
    const density = Math.exp((a - 1) * Math.log(x) + (b - 1) * Math.log1p(-x) - scale);
    const next = x - above / density;
    const isInside = next > low && next < high;
    if (isInside && Math.abs(next - x) < 1e-13) return next;
    x = isInside ? next : (low + high) / 2;
  }
  return x;
}

/**
 * Quantile of Student's t with `df` degrees of freedom, for p > 0.5: df / (df + t²) has a beta(df/2, 1/2) distribution.
 */
export function studentQuantile(p: number, df: number): number {
  const share = betaQuantile(2 * (1 - p), df / 2, 0.5);
  return Math.sqrt((df * (1 - share)) / share);
}

function logBeta(a: number, b: number): number {
  return logGamma(a) + logGamma(b) - logGamma(a + b);
}

function cdf(x: number, a: number, b: number, scale: number): number {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  const front = Math.exp(a * Math.log(x) + b * Math.log1p(-x) - scale);
  // The continued fraction converges fast only on this side of the mean.
  return x < (a + 1) / (a + b + 2) ? (front / a) * fraction(x, a, b) : 1 - (front / b) * fraction(1 - x, b, a);
}

/** Computes the continued fraction of the beta distribution by Lentz's method. */
function fraction(x: number, a: number, b: number): number {
  let c = 1;
  let d = 1 / nonZero(1 - ((a + b) * x) / (a + 1));
  let value = d;
  for (let m = 1; m <= 10_000; m++) {
    const even = (m * (b - m) * x) / ((a + 2 * m - 1) * (a + 2 * m));
    d = 1 / nonZero(1 + even * d);
    c = nonZero(1 + even / c);
    value *= d * c;
    const odd = (-(a + m) * (a + b + m) * x) / ((a + 2 * m) * (a + 2 * m + 1));
    d = 1 / nonZero(1 + odd * d);
    c = nonZero(1 + odd / c);
    value *= d * c;
    if (Math.abs(d * c - 1) < 1e-14) break;
  }
  return value;
}

function nonZero(value: number): number {
  return Math.abs(value) < 1e-300 ? 1e-300 : value;
}
