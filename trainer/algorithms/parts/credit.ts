/** Conversion of advantages to credits, used by all algorithms. */
import type { Trajectory } from "../../rollout/trajectory.js";
import type { Credit } from "./algorithm.js";
import type { ResolvedSettings } from "./defaults.js";
import { tokenWeights } from "./token-weights.js";
import type { Stretch } from "./turn-discount.js";
import { type Advantages, whitened, whitenedByEnvironment } from "./whitening.js";

/**
 * Assigns the advantage of each stretch to its sampled tokens. @param advantages advantage of each stretch, in order
 */
export function spread(stretches: readonly Stretch[], advantages: readonly number[]): Advantages {
  const spreads = new Map<Trajectory, Float64Array>();
  for (const [index, { trajectory, first, end }] of stretches.entries()) {
    const values = spreads.get(trajectory) ?? new Float64Array(trajectory.tokens.length);
    values.fill(advantages[index] as number, first, end);
    spreads.set(trajectory, values);
  }
  return spreads;
}

const normalise = {
  none: (advantages: Advantages) => advantages,
  batch: whitened,
  environment: whitenedByEnvironment,
} as const;

/**
 * Converts advantages to credits: whitens the advantages if the settings say so, adds weights, and keeps only sampled
 * tokens.
 *
 * @param returns targets of the critic
 */
export function creditsOf(
  settings: ResolvedSettings,
  advantages: Advantages,
  returns?: Advantages,
): ReadonlyMap<Trajectory, Credit> {
  const normalised = normalise[settings.adv_norm](advantages);
  const weights = tokenWeights([...advantages.keys()], settings);
  const credits = new Map<Trajectory, Credit>();
  for (const [trajectory, values] of normalised) {
    const learnt = returns?.get(trajectory);
    credits.set(trajectory, {
      advantages: sampled(trajectory, values),
      weights: sampled(trajectory, new Float64Array(values.length).fill(weights.get(trajectory) as number)),
      ...(learnt ? { returns: sampled(trajectory, learnt) } : {}),
    });
  }
  return credits;
}

/**
 * Returns the values, with 0 for tokens that were not sampled. For millions of tokens, a loop is ten times faster than
 * `from` with a function.
 */
function sampled({ mask }: Trajectory, values: Float64Array): Float32Array {
  const kept = new Float32Array(mask.length);
  for (let token = 0; token < mask.length; token++) {
    if (mask[token] === 1) kept[token] = values[token] as number;
  }
  return kept;
}
