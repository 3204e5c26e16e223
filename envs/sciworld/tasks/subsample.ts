/** A part of a great many variations. */
import { JavaRandom, shuffled } from "../../rng/java-random.js";

/** The generator of the original's choice, which is the same in every episode. */
const seed = 5;

/**
 * Drawn from each of the splits by itself, so that none gets what is another's.
 * @param share from 0 to 1 @returns their numbers, each below `count`, train, dev and test one after the other
 */
export function subsample(count: number, share: number): number[] {
  const random = new JavaRandom(seed);
  const [half, threeQuarters] = [Math.floor(count * 0.5), Math.floor(count * 0.75)];
  const all = Array.from({ length: count }, (_, number) => number);
  const splits = [all.slice(0, half), all.slice(half, threeQuarters), all.slice(threeQuarters)];
  return splits.flatMap((split) => shuffled(split, random).slice(0, Math.floor(split.length * share)));
}
