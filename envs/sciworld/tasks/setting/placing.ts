/** Functions that put the things of a task into the house and break devices. */

import { shuffled } from "../../../shared/rng/java-random.js";
import { allWithin } from "../../engine/reach.js";
import { byAge, type Thing, type World } from "../../engine/thing.js";

export interface Placing {
  readonly thing: Thing;
  /** Name of the thing. The thing is not added if the room already has a thing with this name. */
  readonly name: string;
  readonly room: string;
  /** Names of possible containers. Default: the room itself. */
  readonly containers?: readonly string[];
  /** True to add the thing even if the room already has a thing with this name. */
  readonly always?: boolean;
  /** True to look for the name only in the direct contents of the room. */
  readonly isShallow?: boolean;
}

/** Puts a thing into a room. @throws {Error} the house does not have the room */
export function put(
  { thing, name, room, containers = [], always, isShallow }: Placing,
  universe: Thing,
  world: World,
): void {
  const place = oldestNamed(room, allWithin(universe));
  if (!place) throw new Error(`expected the name of a room of the house, but received ${room}`);
  const isIn = (one: Thing): boolean =>
    one.visibleContents().some((other) => other.name === name || (!isShallow && isIn(other)));
  const places =
    containers.length > 0 ? place.visibleContents().filter((one) => containers.includes(one.name)) : [place];
  if (!always && places.some(isIn)) return;
  if (containers.length === 0) place.add(thing);
  else
    shuffled(everythingIn(place), world.random)
      .find((one) => containers.includes(one.name))
      ?.add(thing);
}

function oldestNamed(name: string, things: readonly Thing[]): Thing | undefined {
  let oldest: Thing | undefined;
  for (const thing of things) if (thing.name === name && (!oldest || thing.age < oldest.age)) oldest = thing;
  return oldest;
}

/** Returns all contents of a thing at any depth, including hidden things, sorted by age. */
function everythingIn(thing: Thing): Thing[] {
  const found = new Set<Thing>();
  const collect = (one: Thing) => {
    for (const inside of one.contents) {
      found.add(inside);
      collect(inside);
    }
  };
  collect(thing);
  return [...found].sort(byAge);
}

/** Breaks every device with this name in a place, at any depth. */
export function disable(name: string, place: string, universe: Thing): void {
  for (const thing of allWithin(universe)) {
    if (thing.name === name && thing.device && isInside(thing, place)) thing.device.isBroken = true;
  }
}

function isInside({ container }: Thing, place: string): boolean {
  return container !== undefined && (container.name === place || isInside(container, place));
}
