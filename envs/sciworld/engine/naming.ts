/** Names of things: the present name, and all words that refer to a thing. */
import type { Thing } from "./thing.js";

/** Returns the name with a note about fire. @param name default: the present name */
export function nameOf(thing: Thing, name = thing.presentName?.(thing) ?? thing.name): string {
  const { material, passage } = thing;
  if (passage) return `door between ${passage.from.name} and ${passage.to.name}`;
  if (material?.isBurning) return `${name} (on fire)`;
  return material?.hasBurned ? `burned ${name}` : name;
}

/**
 * Returns the destination of a passage, seen from a place at one end of the passage or from a container of such a place.
 */
export function destinationOf({ passage }: Thing, place: Thing): Thing | undefined {
  if (!passage) return undefined;
  const { from, to } = passage;
  if (place === from) return to;
  if (place === to) return from;
  if (place.contains(from)) return to;
  return place.contains(to) ? from : undefined;
}

/** Returns words for the direction of a passage, which distinguish the passage from other passages. */
export function directionOf(thing: Thing, place: Thing): string | undefined {
  if (!thing.passage) return undefined;
  const { from, to } = thing.passage;
  const destination = destinationOf(thing, place);
  const direction = destination ? `to ${destination.name}` : `from ${from.name} to ${to.name}`;
  return `${thing.name} ${direction}`.toLowerCase();
}

/** Returns the end of a passage that is at a place. */
export function originOf({ passage }: Thing, place: Thing): Thing | undefined {
  if (!passage) return undefined;
  const { from, to } = passage;
  if (place === from || place === to) return place;
  if (place.contains(from)) return from;
  return place.contains(to) ? to : undefined;
}

/** Returns all words for a thing. @param place place of the speaker, since passages are named by the destination */
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
