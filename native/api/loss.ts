/** What a trainer minimises: the loss family of the engine, as options. Units: nats; sums over tokens, weighted. */
import { checkOptions, floats, number, numberAbove, oneOf, optional } from "../format/options.js";

/** In the order of the C ABI. */
const policies = ["cross-entropy", "reinforce", "ppo", "gspo", "cispo"] as const;
const behaviourWeights = ["none", "truncate", "mask"] as const;
const klEstimators = ["none", "k1", "k2", "k3"] as const;

/**
 * The loss of a token, times its weight, summed: a caller chooses token means, sequence means or constant lengths by
 * the weights. u = exp(logprob - proximal) is the ratio, A the advantage.
 */
export interface Loss {
  /**
   * - `cross-entropy`: -logprob (supervised fine-tuning)
   * - `reinforce`: -A logprob
   * - `ppo`: -min(u A, clip(u) A) (Schulman et al. 2017), with dual clip (Ye et al. 2020)
   * - `gspo`: the same with one ratio a sequence, exp of the mean of its tokens' (Zheng et al. 2025)
   * - `cispo`: -stop-gradient(clip(u)) A logprob (MiniMax 2025)
   */
  policy: (typeof policies)[number];
  /** The ratio is clipped to [1 - clipLow, 1 + clipHigh]. Default 0.2 each. */
  clipLow?: number;
  clipHigh?: number;
  /** Above 1: for A < 0 the loss is at most -dualClip A. 0, the default: none. */
  dualClip?: number;
  /** How old samples count, by w = exp(proximal - behaviour) (Hilton et al. 2021): min(w, cap), or 0 past the cap. */
  behaviourWeight?: (typeof behaviourWeights)[number];
  /** Default 5. */
  behaviourCap?: number;
  /** Schulman's estimators of KL(policy || reference). */
  kl?: (typeof klEstimators)[number];
  klCoefficient?: number;
  /** Entropy is subtracted with this weight. */
  entropyCoefficient?: number;
  /** Of the softmax. Default 1. */
  temperature?: number;
  /** Of 0.5 max((v - return)^2, (clip(v, old value ± valueClip) - return)^2). Needs a value head. */
  valueCoefficient?: number;
  /** Default Infinity: the plain square. */
  valueClip?: number;
}

/** Numbers (tokens) each, by token of the pack: a Float32Array, which is taken as it is, or another array. */
export interface LossInputs {
  /** Of each token in the sum; 0: not trained. Default: 1. */
  weight?: ArrayLike<number>;
  /** All policies but cross-entropy. */
  advantage?: ArrayLike<number>;
  /** Log-probability when the token was sampled: for behaviourWeight. */
  behaviour?: ArrayLike<number>;
  /** Log-probability at the start of this update: for ratios. */
  proximal?: ArrayLike<number>;
  /** Log-probability of the reference policy: for kl. */
  reference?: ArrayLike<number>;
  /** For the value loss. */
  returns?: ArrayLike<number>;
  oldValues?: ArrayLike<number>;
}

/** Sums over tokens, weighted where it says so: divide by what the weights stand for. */
export interface LossStatistics {
  /** Tokens that were trained. */
  tokens: number;
  /** Weighted, all terms together. */
  loss: number;
  /** Weighted, before their coefficients. */
  policyLoss: number;
  klLoss: number;
  valueLoss: number;
  /** Nats. */
  entropy: number;
  ratio: number;
  /** The highest, not a sum. */
  highestRatio: number;
  clippedLow: number;
  clippedHigh: number;
  dualClipped: number;
  behaviourWeight: number;
  /** Tokens whose behaviour weight was truncated or masked. */
  behaviourCut: number;
  /** k3 of proximal to current, and of reference to current. */
  proximalKl: number;
  referenceKl: number;
}

export function rawLoss(loss: Loss): Record<string, number> {
  const any = number(-Number.MAX_VALUE, Number.MAX_VALUE);
  const positive = number(0, Number.MAX_VALUE);
  const orInfinity = number(0, Number.POSITIVE_INFINITY);
  const { policy, behaviourWeight, kl, ...numbers } = checkOptions("the loss", loss, {
    policy: oneOf(policies),
    clipLow: optional(number(0, 1), 0.2),
    clipHigh: optional(positive, 0.2),
    dualClip: optional(positive, 0),
    behaviourWeight: optional(oneOf(behaviourWeights), "none"),
    behaviourCap: optional(orInfinity, 5),
    kl: optional(oneOf(klEstimators), "none"),
    klCoefficient: optional(positive, 0),
    entropyCoefficient: optional(any, 0),
    temperature: optional(numberAbove(0), 1),
    valueCoefficient: optional(positive, 0),
    valueClip: optional(orInfinity, Number.POSITIVE_INFINITY),
  });
  return {
    ...numbers,
    policy: policies.indexOf(policy),
    behaviourWeight: behaviourWeights.indexOf(behaviourWeight),
    kl: klEstimators.indexOf(kl),
  };
}

export function rawInputs(inputs: LossInputs, tokens: number): Record<string, Float32Array | null> {
  const array = optional(floats(tokens), null);
  const { weight, ...rest } = checkOptions("the inputs of the loss", inputs, {
    weight: array,
    advantage: array,
    behaviour: array,
    proximal: array,
    reference: array,
    returns: array,
    oldValues: array,
  });
  return { weight: weight ?? new Float32Array(tokens).fill(1), ...rest };
}
