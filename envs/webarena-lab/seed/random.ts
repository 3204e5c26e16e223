/**
 * Random generator for seeded data. Each list has its own stream, so that changing one list does not change the other
 * lists.
 */
import { Pcg64 } from "../../shared/rng/pcg64.js";

export class Random extends Pcg64 {
  /** @param name name of the stream. Streams with the same name and seed give the same draws. */
  static of(name: string, seed = 0): Random {
    let hash = 0xcbf29ce484222325n;
    // The seed is the 64-bit FNV-1a hash of the name.
    for (const byte of Buffer.from(name)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    return new Random((hash << 64n) | BigInt(seed));
  }

  /** Draws an integer from `low` to `high`, both inclusive. */
  between(low: number, high: number): number {
    return this.integers(low, high + 1);
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  /**
   * Draws `count` different items in random order.
   *
   * @throws {RangeError} the list `items` has fewer than `count` items
   */
  sample<T>(items: readonly T[], count: number): T[] {
    if (count > items.length)
      throw new RangeError(`expected a count of at most ${items.length}, but received ${count}`);
    const rest = [...items];
    return Array.from({ length: count }, () => rest.splice(this.integers(0, rest.length), 1)[0] as T);
  }

  /** Draws a key with a probability in proportion to its weight. */
  weighted<T extends string>(weights: Readonly<Record<T, number>>): T {
    const entries = Object.entries(weights) as [T, number][];
    let at = this.random() * entries.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [key, weight] of entries) {
      at -= weight;
      if (at < 0) return key;
    }
    return (entries.at(-1) as [T, number])[0];
  }
}
