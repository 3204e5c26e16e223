/**
 * The start text: the recipes that the goal needs, among others that use the same ingredients, in random order.
 */
import { MersenneTwister } from "../rng/mersenne-twister.js";
import { type CraftingBook, displayName, type Goal } from "./recipes.js";

/** Of the recipes that use one needed ingredient, at most so many may become distractors. */
const maxUses = 10;
const maxDistractors = 10;

/**
 * The draws are those of the reference, which passes the lines through sets in hash order; here a set is in
 * first-seen order, so that the same seed gives the same text for ever.
 */
export function startText(book: CraftingBook, goal: Goal, seed: number): string {
  const { needed, uses } = book.listing(goal);
  const random = new MersenneTwister(seed);
  const distractors = new Set<string>();
  for (const lines of uses) {
    for (const line of random.sample(lines, Math.min(lines.length, maxUses))) {
      if (!needed.has(line)) distractors.add(line);
    }
  }
  const shown = random.sample([...distractors], Math.min(distractors.size, maxDistractors));
  const lines = [...needed, ...shown];
  random.shuffle(lines);
  return `Crafting commands:\n${lines.join("\n")}\n\nGoal: craft ${displayName(goal.item)}.`;
}
