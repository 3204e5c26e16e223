import { Pcg64 } from "../../shared/rng/pcg64.js";

/** Random choices in the generation of a history. */
export class Draw {
  private readonly random: Pcg64;

  constructor(seed: bigint) {
    this.random = new Pcg64(seed);
  }

  /** Returns an integer from `low` to `high` inclusive. */
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

  /** Returns `count` different integers from 0 to `below - 1`, in ascending order. */
  places(below: number, count: number): number[] {
    return this.some([...Array(below).keys()], count).sort((a, b) => a - b);
  }

  /** Returns true with probability 1 / `times`. */
  chance(times: number): boolean {
    return this.random.integers(0, times) === 0;
  }
}
