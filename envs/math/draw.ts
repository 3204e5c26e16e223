import { Pcg64 } from "../shared/rng/pcg64.js";

const people = [
  ...["Ada", "Bilal", "Chen", "Dana", "Elif", "Farah", "Goran", "Hanna", "Imani", "Jonas", "Kofi", "Lena"],
  ...["Mateo", "Nadia", "Omar", "Priya", "Quentin", "Rosa", "Sven", "Tala", "Uma", "Viktor", "Wanda", "Yusuf"],
];

/** Random choices in the generation of one problem. */
export class Draw {
  private readonly random: Pcg64;

  constructor(seed: bigint) {
    this.random = new Pcg64(seed);
  }

  /** Draws an integer from `low` to `high`, both inclusive. */
  whole(low: number, high: number): number {
    return this.random.integers(low, high + 1);
  }

  one<T>(items: readonly T[]): T {
    return this.random.choice(items);
  }

  some<T>(items: readonly T[], count: number): T[] {
    const left = [...items];
    this.random.shuffle(left);
    return left.slice(0, count);
  }

  people(count: number): string[] {
    return this.some(people, count);
  }

  /** Picks one of several wordings and replaces each placeholder, such as `{name}`, with its value. */
  say(wordings: readonly string[], values: Readonly<Record<string, string | number>>): string {
    return this.one(wordings).replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values[name];
      if (value === undefined) throw new Error(`expected a value of ${name}, but received none`);
      return String(value);
    });
  }
}
