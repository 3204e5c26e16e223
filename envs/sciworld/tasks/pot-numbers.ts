/** The numbers by which tasks tell their flower pots apart. */
import { type JavaRandom, shuffled } from "../../rng/java-random.js";

const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** How many are drawn. */
export const potNumbers = numbers.length;

export function drawPotNumbers(random: JavaRandom): number[] {
  return shuffled(numbers, random);
}
