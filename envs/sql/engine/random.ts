import { MersenneTwister } from "../../shared/rng/mersenne-twister.js";

/**
 * Returns a random generator for a seed and a purpose. With the same seed, each purpose has its own sequence of
 * numbers.
 */
export function randomOf(seed: number, purpose: string): MersenneTwister {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(purpose)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return new MersenneTwister((BigInt(seed) << 32n) | BigInt(hash));
}
