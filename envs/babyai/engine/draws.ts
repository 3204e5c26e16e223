/**
 * The random choices of `MiniGridEnv`, such as `_rand_int`, with the same draws from the random stream. A choice from a
 * list of one element makes no draw.
 */
import { Pcg64 } from "../../shared/rng/pcg64.js";
import { Color } from "./codes.js";

/** Colors sorted by name, as in MiniGrid's COLOR_NAMES, not by number. */
export const colorsByName: readonly Color[] = [
  Color.blue,
  Color.green,
  Color.grey,
  Color.purple,
  Color.red,
  Color.yellow,
];

export class Draws {
  /** Generator of random numbers. Undefined until `seed` is called. */
  private generator: Pcg64 | undefined;

  seed(seed: number | bigint): void {
    if (this.generator) this.generator.seed(seed);
    else this.generator = new Pcg64(seed);
  }

  /** The random stream. @throws {Error} `seed` has not been called */
  get stream(): Pcg64 {
    if (!this.generator) throw new Error("The random stream has no seed. Pass a seed to the first reset.");
    return this.generator;
  }

  /** Returns an integer in [low, high). */
  int(low: number, high: number): number {
    return low + this.stream.below(high - low);
  }

  float(low: number, high: number): number {
    return this.stream.uniform(low, high);
  }

  bool(): boolean {
    return this.stream.below(2) === 0;
  }

  elem<T>(list: readonly T[]): T {
    return list[this.stream.below(list.length)] as T;
  }

  /** Returns `count` different elements, in the order in which they are drawn. */
  subset<T>(list: readonly T[], count: number): T[] {
    const left = [...list];
    return Array.from({ length: count }, () => left.splice(this.int(0, left.length), 1)[0] as T);
  }

  color(): Color {
    return this.elem(colorsByName);
  }

  copyFrom({ generator }: Draws): void {
    this.generator = generator?.clone();
  }
}
