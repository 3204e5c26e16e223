/** What can be got at from somewhere: what lies open, and what is in open containers of it. */
import { destinationOf } from "./naming.js";
import { byAge, type Thing } from "./thing.js";

/** What is within reach in a thing, by age. */
export function within(thing: Thing): Thing[] {
  const found = new Set<Thing>();
  collectWithin(thing, found);
  return [...found].sort(byAge);
}

function collectWithin(thing: Thing, found: Set<Thing>): void {
  for (const one of thing.visibleContents()) {
    found.add(one);
    if (one.is("polarized") || one.is("unpolarized")) for (const contact of one.contacts ?? []) found.add(contact);
    if (one.isOpen) collectWithin(one, found);
  }
}

/** @param hasContacts whether its contacts are within reach, too */
export type Visit = (thing: Thing, hasContacts: boolean) => void;

/**
 * All that whoever is at a place can name there: itself, its passages, where they lead, and what is within reach, with all
 * contacts. In no order, and some more than once: every input asks for it.
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
  for (const one of thing.contents) {
    if (one.contact?.owner === thing) continue;
    visit(one, true);
    if (one.isOpen) visitWithin(one, visit);
  }
  for (const passage of thing.passages) visit(passage, false);
}

/** What can be told of a place: itself, its passages, where they lead, and what lies open, by age. */
export function visibleAt(place: Thing): Thing[] {
  const found = new Set<Thing>([place]);
  collectWays(place, found);
  for (const thing of within(place)) found.add(thing);
  return [...found];
}

/**
 * A thing, and all in it, open or not, with where all passages lead: from the outside inwards, in each thing by age.
 * Contacts that nobody sees only if they are asked for.
 */
export function everythingFrom(thing: Thing, { hidden = false } = {}, found = new Set<Thing>()): Set<Thing> {
  if (!thing.isHidden || hidden) found.add(thing);
  collectWays(thing, found);
  const inside = [...thing.contents, ...thing.passages].sort(byAge);
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

/** The location that a thing is in, as far as what it is in lies open. */
export function locationOf(thing: Thing): Thing | undefined {
  const { container } = thing;
  if (!container || container.is("location")) return container;
  return thing.isOpen ? locationOf(container) : undefined;
}

/** All that is in it, however deep, but what is hidden and what is in that; from the outside inwards. */
export function allWithin(thing: Thing, found: Thing[] = []): Thing[] {
  for (const one of thing.visibleContents()) {
    found.push(one);
    allWithin(one, found);
  }
  found.push(...thing.passages);
  return found;
}
