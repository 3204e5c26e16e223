/** What is known about the skills of a helper, and what the director may believe of them. */
import type { Draw } from "../../shared/rng/draw.js";

/** Probabilities of a right answer that a helper may have for a kind of part. */
export const levels = [0.3, 0.55, 0.8, 0.97] as const;

export const tiers = ["small", "medium", "large"] as const;
export type Tier = (typeof tiers)[number];
/** Probability of each level, which is drawn for each helper and each kind of part on its own. */
export type Shares = readonly number[];
export type Priors = Readonly<Record<Tier, Shares>>;

/** Shares of the jobs with two helpers: a helper is good or bad at a kind. */
export const clearPriors: Priors = {
  small: [0.5, 0, 0, 0.5],
  medium: [0.35, 0, 0, 0.65],
  large: [0.2, 0, 0, 0.8],
};
export const usualPriors: Priors = {
  small: [0.35, 0.2, 0.15, 0.3],
  medium: [0.15, 0.25, 0.3, 0.3],
  large: [0, 0.2, 0.35, 0.45],
};

/** Returns the mean skill of a tier. */
export function meanOf(shares: Shares): number {
  return shares.reduce((sum, share, at) => sum + share * (levels[at] as number), 0);
}

/** Past calls of a helper for a kind of part. */
export interface Track {
  right: number;
  calls: number;
}

export function drawTrack(draw: Draw, skill: number): Track {
  const calls = draw.number(4, 12);
  const right = Array.from({ length: calls }, () => draw.happens(skill)).filter(Boolean).length;
  return { right, calls };
}

/** Values of the option `skills`. */
export type Known = "told" | "record" | "hidden";

/**
 * Returns the probability of a right answer, given all that the director can know: the level itself, or the shares of the
 * helper's tier, which its price shows, and its track record.
 */
export function believed(known: Known, shares: Shares, skill: number, { right, calls }: Track): number {
  if (known === "told") return skill;
  const wrong = calls - right;
  const weights = shares.map((share, at) => {
    const level = levels[at] as number;
    return known === "hidden" ? share : share * level ** right * (1 - level) ** wrong;
  });
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.reduce((sum, weight, at) => sum + weight * (levels[at] as number), 0) / total;
}
