/**
 * The engine's losses by token, computed here from the log-probabilities that a server returns: for the statistics of a
 * pass, and for the gradients of a loss that the server does not have. The formulas are those of `Loss` in native/api/loss.ts.
 */
import type { Loss, LossInputs, LossStatistics } from "../../../native/api/index.js";

/** Highest logarithm of a ratio before exp, as in the engine; for a ratio of a whole sequence, and for one of a token. */
const highestOf = { sequence: 10, token: 20 } as const;

interface Term {
  readonly loss: number;
  /** Derivative with respect to the log-probability. */
  readonly slope: number;
}

export interface TokenLosses {
  /** Derivative of the loss with respect to each token's log-probability, weights included: [tokens]. */
  readonly slopes: Float32Array;
  readonly statistics: LossStatistics;
}

/** Arrays of [tokens]; absent where the loss does not read them. */
export type Columns = { readonly [Name in keyof LossInputs]: ArrayLike<number> | undefined };

/**
 * Computes a loss without entropy and value terms.
 *
 * @param trained whether each token is trained: [tokens]
 * @param starts index of the first token of each sequence, followed by the number of tokens
 */
export function tokenLosses(
  loss: Loss,
  columns: Columns,
  logprobs: Float32Array,
  trained: Uint8Array,
  starts: ArrayLike<number>,
): TokenLosses {
  const slopes = new Float32Array(logprobs.length);
  const statistics = noStatistics();
  for (let sequence = 0; sequence + 1 < starts.length; sequence++) {
    const [first, end] = [starts[sequence] as number, starts[sequence + 1] as number];
    const whole = loss.policy === "gspo" ? meanLogRatio(columns, logprobs, trained, first, end) : undefined;
    for (let token = first; token < end; token++)
      if (trained[token] === 1)
        slopes[token] = addToken(loss, columns, token, logprobs[token] as number, whole, statistics);
  }
  return { slopes, statistics };
}

function addToken(
  loss: Loss,
  columns: Columns,
  token: number,
  logprob: number,
  whole: number | undefined,
  statistics: LossStatistics,
): number {
  const at = (name: keyof LossInputs, absent = 0) => columns[name]?.[token] ?? absent;
  const weight = at("weight", 1);
  const logRatio = whole ?? (columns.proximal ? logprob - at("proximal") : 0);
  const ratio = ratioOf(logRatio, whole === undefined ? highestOf.token : highestOf.sequence);
  // Without proximal log-probabilities, the ratio is a constant.
  const slope = whole === undefined && !columns.proximal ? 0 : ratio.slope;
  const staleness = behaviourWeight(loss, at("proximal") - at("behaviour"), statistics);
  const policy = policyTerm(loss, at("advantage"), logprob, { loss: ratio.loss, slope }, statistics);
  const kl = klTerm(loss.kl ?? "none", at("reference") - logprob);
  const coefficient = loss.klCoefficient ?? 0;
  statistics.tokens += 1;
  statistics.policyLoss += weight * staleness * policy.loss;
  statistics.klLoss += weight * kl.loss;
  statistics.loss += weight * (staleness * policy.loss + coefficient * kl.loss);
  statistics.ratio += ratio.loss;
  statistics.highestRatio = Math.max(statistics.highestRatio, ratio.loss);
  statistics.behaviourWeight += staleness;
  if (columns.proximal) statistics.proximalKl += klTerm("k3", at("proximal") - logprob).loss;
  if (columns.reference) statistics.referenceKl += klTerm("k3", at("reference") - logprob).loss;
  return weight * (staleness * policy.slope + coefficient * kl.slope);
}

function policyTerm(loss: Loss, advantage: number, logprob: number, ratio: Term, statistics: LossStatistics): Term {
  const { policy, clipLow = 0.2, clipHigh = 0.2 } = loss;
  if (policy === "cross-entropy") return { loss: -logprob, slope: -1 };
  if (policy === "reinforce") return { loss: -advantage * logprob, slope: -advantage };
  const held = Math.min(Math.max(ratio.loss, 1 - clipLow), 1 + clipHigh);
  if (policy === "cispo") {
    countClip(held, ratio.loss, statistics);
    return { loss: -held * advantage * logprob, slope: -held * advantage };
  }
  let term: Term = { loss: -ratio.loss * advantage, slope: -ratio.slope * advantage };
  if (held * advantage < ratio.loss * advantage) {
    term = { loss: -held * advantage, slope: 0 };
    countClip(held, ratio.loss, statistics);
  }
  const { dualClip = 0 } = loss;
  if (dualClip > 0 && advantage < 0 && term.loss > -dualClip * advantage) {
    term = { loss: -dualClip * advantage, slope: 0 };
    statistics.dualClipped += 1;
  }
  return term;
}

function countClip(held: number, ratio: number, statistics: LossStatistics): void {
  if (held > ratio) statistics.clippedLow += 1;
  if (held < ratio) statistics.clippedHigh += 1;
}

/** Returns the weight of a token that an older policy sampled. @param logWeight proximal - behaviour, in nats */
export function behaviourWeight(loss: Loss, logWeight: number, statistics?: LossStatistics): number {
  const { behaviourWeight: mode = "none", behaviourCap = 5 } = loss;
  if (mode === "none") return 1;
  const weight = ratioOf(logWeight, highestOf.token).loss;
  if (weight <= behaviourCap) return weight;
  if (statistics) statistics.behaviourCut += 1;
  return mode === "truncate" ? behaviourCap : 0;
}

/** Returns Schulman's estimate of KL(policy || reference). @param r log-probability of the reference - policy, in nats */
function klTerm(estimator: NonNullable<Loss["kl"]>, r: number): Term {
  if (estimator === "none") return { loss: 0, slope: 0 };
  if (estimator === "k1") return { loss: -r, slope: 1 };
  if (estimator === "k2") return { loss: (r * r) / 2, slope: -r };
  const held = Math.min(Math.max(r, -highestOf.token), highestOf.token);
  return { loss: Math.exp(held) - 1 - held, slope: held === r ? 1 - Math.exp(r) : 0 };
}

/** Returns exp of a clamped logarithm, whose derivative is 0 beyond the clamp. */
function ratioOf(logRatio: number, highest: number): Term {
  const held = Math.min(Math.max(logRatio, -highestOf.token), highest);
  const value = Math.exp(held);
  return { loss: value, slope: held === logRatio ? value : 0 };
}

function meanLogRatio({ proximal }: Columns, logprobs: Float32Array, trained: Uint8Array, first: number, end: number) {
  let [sum, count] = [0, 0];
  for (let token = first; token < end; token++) {
    if (trained[token] !== 1) continue;
    sum += (logprobs[token] as number) - (proximal?.[token] ?? 0);
    count += 1;
  }
  return count === 0 ? 0 : sum / count;
}

function noStatistics(): LossStatistics {
  return {
    tokens: 0,
    loss: 0,
    policyLoss: 0,
    klLoss: 0,
    valueLoss: 0,
    entropy: 0,
    ratio: 0,
    highestRatio: 0,
    clippedLow: 0,
    clippedHigh: 0,
    dualClipped: 0,
    behaviourWeight: 0,
    behaviourCut: 0,
    proximalKl: 0,
    referenceKl: 0,
  };
}
