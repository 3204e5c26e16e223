import type { Choice } from "../tables/choices.js";
import type { Option } from "./answers.js";
import type { Draw } from "./draw.js";

/** Ids of the limits of a choice. */
export interface Limits {
  /** Limits that apply to the user at the end of the history. */
  active: readonly string[];
  /** Limits that the user withdrew. */
  lifted: readonly string[];
  /** All limits that do not apply to the user at the end, including `lifted`. */
  free: readonly string[];
}

/**
 * Draws twelve options, the right option first. Each option violates two limits: the right option two free limits, of
 * which one is lifted, one wrong option two active limits, and each of the other ten options one active and one free
 * limit. Active and free limits are equally frequent in the list, so that it does not reveal the answer.
 */
export function drawOptions(draw: Draw, choice: Choice, { active, lifted, free }: Limits): Option[] {
  const back = draw.one(lifted);
  const right = [back, draw.one(free.filter((id) => id !== back))];
  const mixed = active.flatMap((one) => free.map((other) => [one, other]));
  const broken = [right, draw.some(active, 2), ...draw.some(mixed, 10)];
  const names = draw.some(choice.names, broken.length);
  return broken.map((breaks, at) => ({
    name: names[at] as string,
    breaks,
    features: featuresOf(draw, choice, breaks),
  }));
}

function featuresOf(draw: Draw, { neutral, limits }: Choice, breaks: readonly string[]): string[] {
  const told = limits.filter(({ id }) => breaks.includes(id)).map(({ features }) => draw.one(features));
  return draw.some([draw.one(neutral), ...told], 3);
}
