/** Numbers of flower pots. */
import { type JavaRandom, shuffled } from "../../../shared/rng/java-random.js";

const numbers = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Number of pot numbers that one draw returns. */
export const potNumbers = numbers.length;

export function drawPotNumbers(random: JavaRandom): number[] {
  return shuffled(numbers, random);
}
