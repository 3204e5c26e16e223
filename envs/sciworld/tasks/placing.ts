/** Putting a task's things into the house, and breaking what is not to be used. */

import { shuffled } from "../../rng/java-random.js";
import { allWithin } from "../engine/reach.js";
import { byAge, type Thing, type World } from "../engine/thing.js";

export interface Placing {
  readonly thing: Thing;
  /** What it is looked for as: where the room has such a thing already, none is added. */
  readonly name: string;
  readonly room: string;
  /** Names of what it may be put into; none: the room itself. */
  readonly containers?: readonly string[];
  /** Even where there is one. */
  readonly always?: boolean;
  /** Only what lies open in the place counts as being there. */
  readonly isShallow?: boolean;
}

/** @throws {Error} the house has no such room */
export function put(
  { thing, name, room, containers = [], always, isShallow }: Placing,
  universe: Thing,
  world: World,
): void {
  const place = [...allWithin(universe)].sort(byAge).find((one) => one.name === room);
  if (!place) throw new Error(`expected a room ${room} in the house, but received none`);
  const inside = (one: Thing) => (isShallow ? one.contents : everythingIn(one));
  const isIn = (one: Thing) => inside(one).some((other) => other.name === name);
  const places = containers.length > 0 ? place.contents.filter((one) => containers.includes(one.name)) : [place];
  if (!always && places.some(isIn)) return;
  if (containers.length === 0) place.add(thing);
  else
    shuffled(everythingIn(place), world.random)
      .find((one) => containers.includes(one.name))
      ?.add(thing);
}

/** Also what is hidden. By age. */
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

/** Breaks each device of that name that is in that place, however deep. */
export function disable(name: string, place: string, universe: Thing): void {
  for (const thing of allWithin(universe)) {
    if (thing.name === name && thing.device && isInside(thing, place)) thing.device.isBroken = true;
  }
}

function isInside({ container }: Thing, place: string): boolean {
  return container !== undefined && (container.name === place || isInside(container, place));
}
