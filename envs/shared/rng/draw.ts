import { Pcg64 } from "./pcg64.js";

/** Random choices in the generation of a task. */
export class Draw {
  private readonly random: Pcg64;

  constructor(seed: bigint) {
    this.random = new Pcg64(seed);
  }

  /** Draws an integer from `low` to `high`, both inclusive. */
  number(low: number, high: number): number {
    return this.random.integers(low, high + 1);
  }

  one<T>(items: readonly T[]): T {
    return this.random.choice(items);
  }

  /** Returns `count` different items in random order. */
  some<T>(items: readonly T[], count: number): T[] {
    const left = [...items];
    this.random.shuffle(left);
    return left.slice(0, count);
  }

  /** Returns true with a probability from 0 to 1. */
  happens(probability: number): boolean {
    return this.random.random() < probability;
  }

  /** Returns an index, each with its own probability. @param shares probabilities, whose sum is 1 */
  index(shares: readonly number[]): number {
    let left = this.random.random();
    const found = shares.findIndex((share) => {
      left -= share;
      return left < 0;
    });
    return found < 0 ? shares.findLastIndex((share) => share > 0) : found;
  }
}
