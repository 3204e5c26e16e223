/**
 * Schulman's estimators of KL(policy || reference) from one sample of the policy
 * (http://joschu.net/blog/kl-approx.html).
 */

export type KlEstimator = "k1" | "k2" | "k3";

/** Upper limit of the log-ratio before exp, as in the engine: larger values overflow the gradient. */
const highestLogRatio = 20;

/**
 * Returns an estimate of KL. With l = log policy - log reference: k1 = l, k2 = l^2 / 2, k3 = exp(-l) - 1 + l.
 *
 * @param logRatio l, in nats
 */
export function klEstimate(estimator: KlEstimator, logRatio: number): number {
  const held = clampLogRatio(logRatio);
  if (estimator === "k1") return logRatio;
  if (estimator === "k2") return logRatio ** 2 / 2;
  return Math.exp(-held) - 1 + held;
}

/** Returns the derivative of the estimate with respect to the policy's log-probability. */
export function klSlope(estimator: KlEstimator, logRatio: number): number {
  if (estimator === "k1") return 1;
  if (estimator === "k2") return logRatio;
  return clampLogRatio(logRatio) === logRatio ? 1 - Math.exp(-logRatio) : 0;
}

export function clampLogRatio(logRatio: number): number {
  return Math.min(Math.max(logRatio, -highestLogRatio), highestLogRatio);
}
