import { Draw as AnyDraw } from "../../shared/rng/draw.js";

/** Random choices in the generation of a history. */
export class Draw extends AnyDraw {
  /** Returns `count` different integers from 0 to `below - 1`, in ascending order. */
  places(below: number, count: number): number[] {
    return this.some([...Array(below).keys()], count).sort((a, b) => a - b);
  }

  /** Returns true with probability 1 / `times`. */
  chance(times: number): boolean {
    return this.number(0, times - 1) === 0;
  }
}
