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
  return splitsOf(count).flatMap(([from, to]) => {
    const split = Array.from({ length: to - from }, (_, at) => from + at);
    return shuffled(split, random).slice(0, Math.floor(split.length * share));
  });
}

/** How many numbers `subsample` draws. */
export function subsampleSize(count: number, share: number): number {
  return splitsOf(count).reduce((sum, [from, to]) => sum + Math.floor((to - from) * share), 0);
}

/** Where train, dev and test begin and end. */
function splitsOf(count: number): [number, number][] {
  const [half, threeQuarters] = [Math.floor(count * 0.5), Math.floor(count * 0.75)];
  return [
    [0, half],
    [half, threeQuarters],
    [threeQuarters, count],
  ];
}
