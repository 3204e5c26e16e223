/** Problems that ask for a sum or difference of whole numbers. */
import type { Draw } from "./draw.js";
import { numeric, type Problem } from "./problem.js";

export type Sign = "+" | "-";

/** @param signs sign of each term but the first */
export function sumOf(draw: Draw, [first = 0, ...others]: readonly number[], signs: readonly Sign[]): Problem {
  const value = others.reduce((sum, term, at) => (signs[at] === "-" ? sum - term : sum + term), first);
  const formula = [first, ...others.map((term, at) => `${signs[at]} ${term}`)].join(" ");
  const text = draw.say("sums", { formula });
  return numeric(text, value, formula);
}

/** Draws one of the sums and differences of two numbers from 1 to `most` that have a given value. */
export function sumWithValue(draw: Draw, value: number, most: number): Problem {
  const firsts = Array.from({ length: most }, (_, at) => at + 1);
  const pairs = firsts.flatMap((first): [number, number, Sign][] => [
    [first, value - first, "+"],
    [first, first - value, "-"],
  ]);
  const [first, second, sign] = draw.one(pairs.filter(([, second]) => second >= 1 && second <= most));
  return sumOf(draw, [first, second], [sign]);
}
