/** Steps of the expert. */
import type { Thing } from "../engine/thing.js";
import type { Command } from "../parser/parser.js";

/** The aim is impossible. */
export const hopeless = Symbol("hopeless");

/**
 * A command, `hopeless`, or undefined if nothing is left to do. Steps can therefore be chained: `open(door) ??
 * enter(door)`.
 */
export type Step = Command | typeof hopeless | undefined;

/** One of several ways to reach an aim. */
export interface Way {
  /** Approximate number of steps. */
  readonly cost: number;
  step(): Step;
}

/** Returns the step of the cheapest way that is possible. If several ways have equal costs, the first is used. */
export function cheapest(ways: readonly Way[]): Step {
  const inOrder = ways.filter(({ cost }) => Number.isFinite(cost)).sort((one, other) => one.cost - other.cost);
  for (const way of inOrder) {
    const step = way.step();
    if (step !== hopeless) return step;
  }
  return hopeless;
}

/** Returns the first step that is still needed for one of the things, or undefined if none is. */
export function each(things: readonly Thing[], step: (thing: Thing) => Step): Step {
  for (const thing of things) {
    const next = step(thing);
    if (next) return next;
  }
  return undefined;
}
