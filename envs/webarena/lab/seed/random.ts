/** Random draws for seeded data. Each list has its own stream, so that a change of one list does not affect the others. */
import { Pcg64 } from "../../../rng/pcg64.js";

export class Random extends Pcg64 {
  /** @param name name of the stream. Equal names give equal draws. */
  static of(name: string, seed = 0): Random {
    let hash = 0xcbf29ce484222325n;
    // The seed is the 64-bit FNV-1a hash of the name.
    for (const byte of Buffer.from(name)) hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
    return new Random((hash << 64n) | BigInt(seed));
  }

  /** Draws a whole number from `low` to `high`, both inclusive. */
  between(low: number, high: number): number {
    return this.integers(low, high + 1);
  }

  chance(share: number): boolean {
    return this.random() < share;
  }

  /**
   * Draws `count` different items in random order.
   *
   * @throws {RangeError} `items` has fewer than `count` items
   */
  sample<T>(items: readonly T[], count: number): T[] {
    if (count > items.length) throw new RangeError(`expected at most ${items.length} items, but received ${count}`);
    const rest = [...items];
    return Array.from({ length: count }, () => rest.splice(this.integers(0, rest.length), 1)[0] as T);
  }

  /** Draws one of the keys in proportion to the weights. */
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
