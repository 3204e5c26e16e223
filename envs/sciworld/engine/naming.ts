/** Names of things: the current name, and all words that refer to a thing. */
import type { Thing } from "./thing.js";

/** Returns the name of a thing with a note if it burns or has burned. @param name default: the current name */
export function nameOf(thing: Thing, name = thing.presentName?.(thing) ?? thing.name): string {
  const { material, passage } = thing;
  if (passage) return `door between ${passage.from.name} and ${passage.to.name}`;
  if (material?.isBurning) return `${name} (on fire)`;
  return material?.hasBurned ? `burned ${name}` : name;
}

/**
 * Returns the place that a passage leads to, seen from the place at its other end or from a container of that place.
 */
export function destinationOf({ passage }: Thing, place: Thing): Thing | undefined {
  if (!passage) return undefined;
  const { from, to } = passage;
  if (place === from) return to;
  if (place === to) return from;
  if (place.contains(from)) return to;
  return place.contains(to) ? from : undefined;
}

/** Returns words such as "door to the kitchen", which distinguish a passage from the other passages of a place. */
export function directionOf(thing: Thing, place: Thing): string | undefined {
  if (!thing.passage) return undefined;
  const { from, to } = thing.passage;
  const destination = destinationOf(thing, place);
  const direction = destination ? `to ${destination.name}` : `from ${from.name} to ${to.name}`;
  return `${thing.name} ${direction}`.toLowerCase();
}

/** Returns the end of a passage that belongs to a place. */
export function originOf({ passage }: Thing, place: Thing): Thing | undefined {
  if (!passage) return undefined;
  const { from, to } = passage;
  if (place === from || place === to) return place;
  if (place.contains(from)) return from;
  return place.contains(to) ? to : undefined;
}

/**
 * Returns a prefix of each word for a passage. @param place place of the agent, as for `wordsFor`
 */
export function passageStems(thing: Thing, place: Thing): readonly string[] {
  const other = thing.is("drain") ? originOf(thing, place) : destinationOf(thing, place);
  return other ? [thing.name, other.name] : [thing.name];
}

/**
 * Returns all words for a thing. @param place place of the agent; passages are named by their destination from this
 * place
 */
export function wordsFor(thing: Thing, place: Thing): readonly string[] {
  if (!thing.passage) return thing.kind.words(thing);
  if (thing.is("drain")) {
    const origin = originOf(thing, place);
    return origin ? [thing.name, `${origin.name} ${thing.name}`] : [thing.name];
  }
  const destination = destinationOf(thing, place);
  if (destination) return [thing.name, `${thing.name} to ${destination.name}`, `${destination.name} ${thing.name}`];
  const { from, to } = thing.passage;
  return [thing.name, `${thing.name} from ${from.name} to ${to.name}`, `${thing.name} from ${to.name} to ${from.name}`];
}
