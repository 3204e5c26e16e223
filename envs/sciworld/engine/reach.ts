/** Reachability: finds the visible things of a place, including the contents of open containers. */
import type { Family } from "./kind-facts.js";
import { destinationOf } from "./naming.js";
import { byAge, type Thing } from "./thing.js";

/** Returns the reachable things in a thing, sorted by age. */
export function within(thing: Thing): Thing[] {
  const found = new Set<Thing>();
  collectWithin(thing, found);
  return [...found].sort(byAge);
}

/** Returns the reachable things of a family in a thing, sorted by age. Contacts are not included. */
export function familyWithin(thing: Thing, family: Family): Thing[] {
  const found: Thing[] = [];
  collectFamily(family, thing, found);
  return found.sort(byAge);
}

function collectFamily(family: Family, thing: Thing, found: Thing[]): void {
  for (const one of thing.visibleContents()) {
    if (one.is(family)) found.push(one);
    if (one.isOpen) collectFamily(family, one, found);
  }
}

function collectWithin(thing: Thing, found: Set<Thing>): void {
  for (const one of thing.visibleContents()) {
    found.add(one);
    if (one.is("polarized") || one.is("unpolarized")) for (const contact of one.contacts ?? []) found.add(contact);
    if (one.isOpen) collectWithin(one, found);
  }
}

/** Callback for a visited thing. @param hasContacts whether the contacts of the thing are reachable too */
export type Visit = (thing: Thing, hasContacts: boolean) => void;

/**
 * Visits everything that an agent at a place can name: the place, its passages, their destinations, and the reachable
 * things with all contacts. Every input causes a visit, so the function must be fast: the order is undefined, and some
 * things are visited twice.
 */
export function visitNamable(place: Thing, visit: Visit): void {
  visit(place, true);
  for (const passage of place.passages) {
    const destination = destinationOf(passage, place);
    if (destination) visit(destination, false);
  }
  visitWithin(place, visit);
}

function visitWithin(thing: Thing, visit: Visit): void {
  for (const one of thing.held) {
    if (one.contact?.owner === thing) continue;
    visit(one, true);
    if (one.isOpen) visitWithin(one, visit);
  }
  for (const passage of thing.passages) visit(passage, false);
}

/**
 * Returns everything visible at a place: the place, its passages, their destinations, and the reachable things sorted
 * by age.
 */
export function visibleAt(place: Thing): Thing[] {
  const found = new Set<Thing>([place]);
  collectWays(place, found);
  for (const thing of within(place)) found.add(thing);
  return [...found];
}

/**
 * Returns a thing, all of its contents at any depth, even in closed containers, and the destinations of all passages. A
 * container comes before its contents, which are sorted by age. @param hidden whether hidden things are included
 */
export function everythingFrom(thing: Thing, { hidden = false } = {}, found = new Set<Thing>()): Set<Thing> {
  if (!thing.isHidden || hidden) found.add(thing);
  collectWays(thing, found);
  const inside = [...(hidden ? thing.contents : thing.visibleContents()), ...thing.passages].sort(byAge);
  if (!thing.isHidden || hidden) for (const one of inside) everythingFrom(one, { hidden }, found);
  return found;
}

function collectWays(place: Thing, found: Set<Thing>): void {
  for (const passage of place.passages) {
    found.add(passage);
    const destination = destinationOf(passage, place);
    if (destination) found.add(destination);
  }
}

/** Returns the location of a thing, or undefined if a closed container is around the thing. */
export function locationOf(thing: Thing): Thing | undefined {
  const { container } = thing;
  if (!container || container.is("location")) return container;
  return thing.isOpen ? locationOf(container) : undefined;
}

/** Returns all visible contents at any depth. A container comes before its contents. */
export function allWithin(thing: Thing, found: Thing[] = []): Thing[] {
  for (const one of thing.visibleContents()) {
    found.push(one);
    allWithin(one, found);
  }
  for (const passage of thing.passages) found.push(passage);
  return found;
}
