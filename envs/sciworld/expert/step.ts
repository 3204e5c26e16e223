/** What is done next towards something. */
import type { Thing } from "../engine/thing.js";
import type { Command } from "../parser/parser.js";

/** There is no way to it. */
export const hopeless = Symbol("hopeless");

/** Undefined: it is so already. So that one thing after the other is done, in a row: `open(door) ?? enter(door)`. */
export type Step = Command | typeof hopeless | undefined;

/** One of several ways to the same. */
export interface Way {
  /** In about so many steps. */
  readonly cost: number;
  step(): Step;
}

/** Along the cheapest way that there is; of equal ones, the first. */
export function cheapest(ways: readonly Way[]): Step {
  const inOrder = ways.filter(({ cost }) => Number.isFinite(cost)).sort((one, other) => one.cost - other.cost);
  for (const way of inOrder) {
    const step = way.step();
    if (step !== hopeless) return step;
  }
  return hopeless;
}

/** The first step that any of them still takes. */
export function each(things: readonly Thing[], step: (thing: Thing) => Step): Step {
  for (const thing of things) {
    const next = step(thing);
    if (next) return next;
  }
  return undefined;
}
