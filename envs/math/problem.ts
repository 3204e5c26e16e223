import type { Draw } from "./draw.js";

export const difficulties = [1, 2, 3, 4, 5] as const;
export type Difficulty = (typeof difficulties)[number];

/** What is asked, and what is right. */
export interface Problem {
  text: string;
  /** As a person would write it: `3/4`, `[1, 5)`, `2, 3`. */
  answer: string;
  /** Formulas, each for the calculator, that lead to it. */
  working: string[];
}

/** Makes a problem of one kind. Numbers and steps grow with the difficulty. */
export type Family = (draw: Draw, difficulty: Difficulty) => Problem;

/** A problem whose answer is the value of its last formula, worked out apart from it. */
export function numeric(text: string, answer: number | string, ...working: string[]): Problem {
  return { text, answer: String(answer), working };
}

/** `top/bottom` in lowest terms. */
export function fraction(top: number, bottom: number): string {
  let [a, b] = [Math.abs(top), Math.abs(bottom)];
  while (b > 0) [a, b] = [b, a % b];
  const sign = top * bottom < 0 ? "-" : "";
  const [up, down] = [Math.abs(top) / a, Math.abs(bottom) / a];
  return down === 1 ? `${sign}${up}` : `${sign}${up}/${down}`;
}

/** Hundredths as money: `12.5` is written `12.50`. */
export function money(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`;
}
