/** The loss that a trainer minimizes. Log-probabilities are in nats. Losses are weighted sums over tokens. */
import type { RawLoss, RawLossInputs, RawLossStatistics } from "../addon/structs.js";
import { check, expectLengths, floats, number, numberAbove, oneOf, table } from "../format/options.js";

/** Names of the policy losses, in the order of the C ABI. */
const policies = ["cross-entropy", "reinforce", "ppo", "gspo", "cispo"] as const;
const behaviourWeights = ["none", "truncate", "mask"] as const;
const klEstimators = ["none", "k1", "k2", "k3"] as const;

/**
 * The loss is the weighted sum of its tokens' losses. The weights decide whether the loss is a token mean, a sequence mean
 * or a sum over a constant length. In the formulas of `policy`, u = exp(logprob - proximal) is the ratio and A the
 * advantage.
 */
export interface Loss {
  /**
   * Loss of the policy:
   * - `cross-entropy`: -logprob (supervised fine-tuning)
   * - `reinforce`: -A logprob
   * - `ppo`: -min(u A, clip(u) A) (Schulman et al. 2017), with dual clip (Ye et al. 2020)
   * - `gspo`: as `ppo`, with one ratio per sequence: exp of the mean of its tokens' log-ratios (Zheng et al. 2025)
   * - `cispo`: -stop-gradient(clip(u)) A logprob (MiniMax 2025)
   */
  policy: (typeof policies)[number];
  /** Lower clip. The ratio is clipped to [1 - clipLow, 1 + clipHigh]. `clipLow` and `clipHigh` are 0.2 by default. */
  clipLow?: number;
  clipHigh?: number;
  /** Dual clip. A value above 1 limits the loss to -dualClip A where A < 0. 0, the default, sets no limit. */
  dualClip?: number;
  /**
   * Weight of tokens that an older policy sampled: w = exp(proximal - behavior) (Hilton et al. 2021). Above the cap,
   * `truncate` uses the cap and `mask` uses 0.
   */
  behaviourWeight?: (typeof behaviourWeights)[number];
  /** Cap of the behavior weight. Default 5. */
  behaviourCap?: number;
  /** Estimator of KL(policy || reference), by Schulman. */
  kl?: (typeof klEstimators)[number];
  klCoefficient?: number;
  /** Coefficient of the entropy, which is subtracted from the loss. */
  entropyCoefficient?: number;
  /** Temperature of the softmax. Default 1. */
  temperature?: number;
  /**
   * Weight of the value loss 0.5 max((v - return)^2, (clip(v, old value ± valueClip) - return)^2). A value loss needs a
   * value head.
   */
  valueCoefficient?: number;
  /** Clip of the value. Default Infinity, which gives the plain squared error. */
  valueClip?: number;
}

/** Inputs of the loss. Each array has one number per token of the pack. A Float32Array is used without a copy. */
export interface LossInputs {
  /** Weight of each token in the sum. A token with weight 0 is not trained. Default: 1. */
  weight?: ArrayLike<number>;
  /** Advantage of each token. Required by every policy except `cross-entropy`. */
  advantage?: ArrayLike<number>;
  /** Log-probability of each token at the time of sampling. Required by `behaviourWeight`. */
  behaviour?: ArrayLike<number>;
  /** Log-probability of each token at the start of this update. Required by every policy with a ratio. */
  proximal?: ArrayLike<number>;
  /** Log-probability of each token under the reference policy. Required by `kl`. */
  reference?: ArrayLike<number>;
  /** Targets of the value loss. */
  returns?: ArrayLike<number>;
  /** Values at the start of this update, for valueClip. */
  oldValues?: ArrayLike<number>;
}

/**
 * Sums over the trained tokens. Only the losses are weighted sums: divide them by the sum of the weights to get means,
 * and the other fields by `tokens`.
 */
export interface LossStatistics extends RawLossStatistics {
  /** Number of trained tokens. */
  tokens: number;
  /** Weighted sum of all terms. */
  loss: number;
  /** Weighted sums of the loss terms, before the terms are multiplied by their coefficients. */
  policyLoss: number;
  klLoss: number;
  valueLoss: number;
  /** Sum of the entropies in nats. */
  entropy: number;
  ratio: number;
  /** Highest ratio of a token; not a sum. */
  highestRatio: number;
  /**
   * Number of tokens whose ratio was clipped at the lower bound. The next two fields count the upper bound and the dual
   * clip.
   */
  clippedLow: number;
  clippedHigh: number;
  dualClipped: number;
  behaviourWeight: number;
  /** Number of tokens whose behavior weight was truncated or masked. */
  behaviourCut: number;
  /** k3 estimates of KL(policy || proximal) and KL(policy || reference). */
  proximalKl: number;
  referenceKl: number;
}

const anyNumber = number(-Number.MAX_VALUE, Number.MAX_VALUE);
const notNegative = number(0, Number.MAX_VALUE);
const orInfinity = number(0, Number.POSITIVE_INFINITY);

const lossTable = table({
  policy: oneOf(policies),
  clipLow: number(0, 1).default(0.2),
  clipHigh: notNegative.default(0.2),
  dualClip: notNegative.default(0),
  behaviourWeight: oneOf(behaviourWeights).default("none"),
  behaviourCap: orInfinity.default(5),
  kl: oneOf(klEstimators).default("none"),
  klCoefficient: notNegative.default(0),
  entropyCoefficient: anyNumber.default(0),
  temperature: numberAbove(0).default(1),
  valueCoefficient: notNegative.default(0),
  valueClip: orInfinity.default(Number.POSITIVE_INFINITY),
});

export function rawLoss(loss: Loss): RawLoss {
  const { policy, behaviourWeight, kl, ...numbers } = check("the loss", lossTable, loss);
  return {
    ...numbers,
    policy: policies.indexOf(policy),
    behaviourWeight: behaviourWeights.indexOf(behaviourWeight),
    kl: klEstimators.indexOf(kl),
  };
}

const column = floats.optional().transform((given) => given ?? null);

const inputsTable = table({
  weight: column,
  advantage: column,
  behaviour: column,
  proximal: column,
  reference: column,
  returns: column,
  oldValues: column,
});

export function rawInputs(inputs: LossInputs, tokens: number): RawLossInputs {
  const columns = check("the inputs of the loss", inputsTable, inputs);
  expectLengths(tokens, columns);
  columns.weight ??= new Float32Array(tokens).fill(1);
  return columns;
}
