/** Steps that go to a thing and reach it. */
import { destinationOf } from "../engine/naming.js";
import type { Thing } from "../engine/thing.js";
import { closedAround, type Situation, stepsThrough } from "./situation.js";
import { cheapest, hopeless, type Step } from "./step.js";

export function goTo(goal: Thing, situation: Situation): Step {
  const { place } = situation;
  if (place === goal) return undefined;
  if (situation.can("teleport to location")) return situation.do("teleport to location", goal);
  const distances = situation.distancesTo(goal);
  const ways = place.passages.flatMap((door) => {
    const next = destinationOf(door, place);
    const distance = next && distances.get(next);
    if (distance === undefined) return [];
    const step = () => opened(door, situation) ?? situation.do("move through door", next as Thing);
    return [{ cost: stepsThrough(door) + distance, step }];
  });
  return cheapest(ways);
}

/**
 * Returns the next step to make a thing reachable: in the place of the agent or its inventory,
 * and not in a closed container.
 */
export function reach(thing: Thing, situation: Situation): Step {
  const place = situation.placeOf(thing);
  if (!place) return hopeless;
  const [outermost] = closedAround(thing);
  return goTo(place, situation) ?? (outermost && opened(outermost, situation));
}

/** Returns a step that opens a reachable door or container, unless it is open. */
export function opened(thing: Thing, situation: Situation): Step {
  if (thing.passage?.isOpen || thing.isOpen) return undefined;
  return thing.passage || thing.opening?.canClose ? situation.do("open door", thing) : hopeless;
}

export function turnedOn(device: Thing, situation: Situation): Step {
  if (device.device?.isActive) return undefined;
  return canBeTurnedOn(device) ? (reach(device, situation) ?? situation.do("activate", device)) : hopeless;
}

/** Whether a device is on or can be turned on. */
export function canBeTurnedOn({ device }: Thing): boolean {
  return device !== undefined && (device.isActive || (device.canActivate && !device.isBroken));
}

export function focusOn(thing: Thing, situation: Situation): Step {
  if (situation.game.focus === thing) return undefined;
  return reach(thing, situation) ?? situation.do("focus on", thing);
}
