import { MersenneTwister } from "../../rng/mersenne-twister.js";

/** Returns a random generator for one purpose. Generators of one seed draw different numbers for different purposes. */
export function randomOf(seed: number, purpose: string): MersenneTwister {
  let hash = 0x811c9dc5;
  for (const byte of Buffer.from(purpose)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  return new MersenneTwister((BigInt(seed) << 32n) | BigInt(hash));
}
