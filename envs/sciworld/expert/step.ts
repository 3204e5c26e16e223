/** Steps of the expert. */
import type { Thing } from "../engine/thing.js";
import type { Command } from "../parser/parser.js";

/** The aim is impossible. */
export const hopeless = Symbol("hopeless");

/** A command, `hopeless`, or undefined if the aim is already met. Steps are chained: `open(door) ?? enter(door)`. */
export type Step = Command | typeof hopeless | undefined;

/** One of several ways to an aim. */
export interface Way {
  /** Approximate number of steps. */
  readonly cost: number;
  step(): Step;
}

/** Returns the step of the cheapest possible way. Of several ways with equal cost, the first is used. */
export function cheapest(ways: readonly Way[]): Step {
  const inOrder = ways.filter(({ cost }) => Number.isFinite(cost)).sort((one, other) => one.cost - other.cost);
  for (const way of inOrder) {
    const step = way.step();
    if (step !== hopeless) return step;
  }
  return hopeless;
}

/** Returns the first step that any of the things still needs. */
export function each(things: readonly Thing[], step: (thing: Thing) => Step): Step {
  for (const thing of things) {
    const next = step(thing);
    if (next) return next;
  }
  return undefined;
}
