import type { Draw } from "./draw.js";

export const difficulties = [1, 2, 3, 4, 5] as const;
export type Difficulty = (typeof difficulties)[number];

/** A problem and its answer. */
export interface Problem {
  text: string;
  /** Answer in common notation, such as `3/4`, `[1, 5)` or `2, 3`. */
  answer: string;
  /** Steps of a solution, as formulas for the calculator. */
  working: string[];
}

/** Generates a problem of one kind. The difficulty increases the size of the numbers and the number of steps. */
export type Family = (draw: Draw, difficulty: Difficulty) => Problem;

/**
 * Creates a problem with a number as its answer. The answer is computed independently of the formulas; the last formula
 * has the same value.
 */
export function numeric(text: string, answer: number | string, ...working: string[]): Problem {
  return { text, answer: String(answer), working };
}

/** Returns `top/bottom` in lowest terms. */
export function fraction(top: number, bottom: number): string {
  let [a, b] = [Math.abs(top), Math.abs(bottom)];
  while (b > 0) [a, b] = [b, a % b];
  const sign = top * bottom < 0 ? "-" : "";
  const [up, down] = [Math.abs(top) / a, Math.abs(bottom) / a];
  return down === 1 ? `${sign}${up}` : `${sign}${up}/${down}`;
}

/** Formats cents as money with two decimals, such as `12.50`. */
export function money(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
