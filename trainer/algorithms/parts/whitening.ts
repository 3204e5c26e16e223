/** Whitening of advantages over a whole batch. */
import type { Trajectory } from "../../rollout/trajectory.js";

/** Advantages of each row, `[tokens]`, valid where the mask is 1. */
export type Advantages = ReadonlyMap<Trajectory, Float64Array>;

const varianceEpsilon = 1e-8;

/**
 * Whitens advantages: (A - mean) / sqrt(variance + 1e-8) over the sampled tokens of all rows, with the unbiased
 * variance. This is PPO's `masked_whiten`. With fewer than 2 tokens, all advantages become 0.
 */
export function whitened(advantages: Advantages): Advantages {
  let count = 0;
  let total = 0;
  forSampled(advantages, (advantage) => {
    count += 1;
    total += advantage;
  });
  const mean = total / count;
  let squares = 0;
  forSampled(advantages, (advantage) => {
    squares += (advantage - mean) ** 2;
  });
  const scale = count < 2 ? 0 : 1 / Math.sqrt(squares / (count - 1) + varianceEpsilon);
  const moved = new Map<Trajectory, Float64Array>();
  for (const [key, values] of advantages) {
    const whitened = new Float64Array(values.length);
    for (let token = 0; token < values.length; token++) whitened[token] = ((values[token] as number) - mean) * scale;
    moved.set(key, whitened);
  }
  return moved;
}

/**
 * Whitens the advantages of each environment on their own, so that environments whose returns differ in scale have advantages of
 * the same scale. The rows keep their order.
 */
export function whitenedByEnvironment(advantages: Advantages): Advantages {
  const parts = new Map<string, Map<Trajectory, Float64Array>>();
  for (const [row, values] of advantages) {
    const { environment } = row.played;
    const part = parts.get(environment) ?? new Map<Trajectory, Float64Array>();
    parts.set(environment, part.set(row, values));
  }
  const moved = new Map([...parts.values()].flatMap((part) => [...whitened(part)]));
  return new Map([...advantages.keys()].map((row) => [row, moved.get(row) as Float64Array]));
}

function forSampled(advantages: Advantages, visit: (advantage: number) => void): void {
  for (const [{ mask }, values] of advantages) {
    for (let token = 0; token < mask.length; token++) if (mask[token] === 1) visit(values[token] as number);
  }
}
