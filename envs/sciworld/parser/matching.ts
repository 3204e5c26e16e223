/** Matching what was typed with the pattern of an action, in every way that it can be meant. */
import type { Pattern } from "../actions/action.js";
import type { Thing } from "../engine/thing.js";
import { referentsOf } from "./referents.js";

/** What an input may mean: everything within reach, from a place. */
export interface Namable {
  readonly things: readonly Thing[];
  readonly place: Thing;
}

/** @returns for each way the things in the slots, in their order; each once */
export function matches(input: string, pattern: Pattern, namable: Namable): Thing[][] {
  const found: Thing[][] = [];
  match(input, pattern, 0, namable, [], found);
  return found.filter((one, at) => !found.slice(0, at).some((other) => isSame(one, other)));
}

function isSame(one: readonly Thing[], other: readonly Thing[]): boolean {
  return one.every((thing, at) => thing === other[at]);
}

function match(
  rest: string,
  pattern: Pattern,
  at: number,
  namable: Namable,
  soFar: readonly Thing[],
  found: Thing[][],
): void {
  const element = pattern[at];
  if (!element) {
    if (rest.trim().length === 0) found.push([...soFar]);
    return;
  }
  if (!("slot" in element)) {
    for (const words of element) {
      if (rest.startsWith(words)) match(rest.slice(words.length).trim(), pattern, at + 1, namable, soFar, found);
    }
    return;
  }
  for (const thing of namable.things) {
    for (const referent of referentsOf(thing, namable.place)) {
      if (!rest.startsWith(referent)) continue;
      match(rest.slice(referent.length).trim(), pattern, at + 1, namable, [...soFar, thing], found);
    }
  }
}
