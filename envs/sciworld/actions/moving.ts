/** Actions that move things: move, pick up, put down, pour, dunk. */
import { disconnect, isConnected } from "../engine/electricity.js";
import type { Thing } from "../engine/thing.js";
import { type Action, place, slot } from "./action.js";

const move: Action = {
  name: "move object",
  id: 9,
  pattern: [["move", "put"], slot("obj"), ["to", "in", "into", "on"], slot("moveTo")],
  refuse: ([thing, target]) => refuseToMove(thing as Thing, target as Thing),
  perform: ([thing, target]) => moveTo(thing as Thing, target as Thing),
};

const pickUp: Action = {
  name: "pick up",
  id: 21,
  pattern: [["pick up", "get", "take"], slot("obj")],
  refuse: ([thing], { inventory }) => refuseToMove(thing as Thing, inventory),
  offers: ([thing], { inventory }) => !inventory.contains(thing as Thing) && canMove(thing as Thing, inventory),
  perform: ([thing], { inventory }) => moveTo(thing as Thing, inventory),
};

const putDown: Action = {
  name: "put down",
  id: 22,
  pattern: [["put down", "drop"], slot("obj")],
  refuse: ([thing], scene) => refuseToMove(thing as Thing, place(scene)),
  offers: ([thing], scene) => scene.inventory.contains(thing as Thing) && canMove(thing as Thing, place(scene)),
  perform: ([thing], scene) => moveTo(thing as Thing, place(scene)),
};

const pour: Action = {
  name: "pour object",
  id: 10,
  offeredAs: ["pour", "into"],
  pattern: [["pour"], slot("obj"), ["in", "into", "on", "to"], slot("moveTo")],
  refuse: ([thing, target]) => refuseToPour(thing as Thing, target as Thing),
  perform([poured, into]) {
    const [thing, target] = [poured as Thing, into as Thing];
    if (thing === target) return "You can't move something into itself.";
    if (!thing.opening?.isContainer)
      return `${transfer(thing, target, "\n")}You pour the ${thing.name} into the ${target.name}.`;
    const movable = thing.contents.filter((one) => one.isMovable);
    const loosened = movable.map((one) => transfer(one, target, "\n")).join("");
    return `${loosened}You pour the contents of the ${thing.name} into the ${target.name}.`;
  },
};

const dunk: Action = {
  name: "dunk object",
  id: 26,
  offeredAs: ["dunk", "into"],
  pattern: [["dunk"], slot("moveTo"), ["in", "into"], slot("moveFrom")],
  refuse: ([vessel, source]) => refuseToDunk(vessel as Thing, source as Thing),
  // ScienceWorld offers the action with the two things swapped.
  offers: ([source, vessel]) => refuseToDunk(vessel as Thing, source as Thing) === undefined,
  perform([filled, from]) {
    const [vessel, source] = [filled as Thing, from as Thing];
    const moved = liquidsIn(source).filter((one) => one.isMovable);
    const loosened = moved.map((one) => transfer(one, vessel, "")).join("");
    const names = moved.map((one) => one.name).join(", ");
    return `${loosened}You dunk the ${vessel.name} in the ${source.name}, moving the liquids (${names}) to the ${vessel.name}.`;
  },
};

export const movingActions = [move, pickUp, putDown, pour, dunk];

function canMove(thing: Thing, target: Thing): boolean {
  return refuseToMove(thing, target) === undefined;
}

/**
 * Moves a thing and disconnects its wires. @returns a note for the observation if wires were disconnected, else an
 * empty text
 */
function transfer(thing: Thing, target: Thing, after: string): string {
  target.add(thing);
  if (!isConnected(thing)) return "";
  disconnect(thing);
  return `(disconnecting ${thing.name})${after}`;
}

function moveTo(thing: Thing, target: Thing): string {
  return `${transfer(thing, target, "")}You move the ${thing.name} to the ${target.name}.`;
}

const cannotHoldLiquid =
  "You can't pick up a liquid directly.  Try pouring it from one container to another, or dunking empty containers into containers filled with the liquid.";

export function refuseToMove(thing: Thing, target: Thing): string | undefined {
  if (!thing.isMovable) return `The ${thing.name} is not moveable.`;
  if (thing === target) return "You can't move something into itself.";
  if (thing.material?.state === "liquid") return cannotHoldLiquid;
  if (thing.material?.state === "gas") return "You can't pick up a gas directly.";
  if (!target.opening) return "That can't be moved there.";
  return target.isOpen ? undefined : `That can't be moved there, because the ${target.name} isn't open.`;
}

function refuseToPour(thing: Thing, target: Thing): string | undefined {
  if (!thing.isMovable) return `The ${thing.name} is not moveable.`;
  const refused = thing.opening?.isContainer ? refuseVessel(thing) : refuseFluid(thing);
  if (refused) return refused;
  if (!target.opening) return "That can't be moved there, because it's not a container.";
  if (!target.isOpen) return `That can't be moved there, because the ${target.name} isn't open.`;
  const isEmpty = thing.opening?.isContainer && thing.contents.length === 0;
  return isEmpty ? `The ${thing.name} is empty, so there's nothing to pour.` : undefined;
}

function refuseVessel(thing: Thing): string | undefined {
  return thing.isOpen ? undefined : `The ${thing.name} can't be poured out, because it's not open.`;
}

function refuseFluid({ name, container, material }: Thing): string | undefined {
  if (!container) return `The ${name} can't be poured out because it doesn't appear to be in a container.`;
  if (!container.isMovable) return `The ${container.name} the ${name} is in is not movable.`;
  if (material?.state === "solid") return "I'm not sure how to pour a solid. ";
  return material?.state === "gas" ? "You can't pour a gas directly. " : undefined;
}

function refuseToDunk(vessel: Thing, source: Thing): string | undefined {
  if (source === vessel) return "You can't dunk something into itself.";
  if (!vessel.isMovable) return `The ${vessel.name} is not moveable.`;
  if (vessel.opening && !vessel.isOpen) return `The ${vessel.name} is not open.`;
  if (!vessel.opening?.isContainer) return `The ${vessel.name} is not a container.`;
  const liquids = liquidsIn(source);
  if (liquids.length === 0) return `The ${source.name} does not contain any liquids to dunk into.`;
  return liquids.some((one) => one.isMovable) ? undefined : `The liquids in ${source.name} aren't able to move.`;
}

function liquidsIn(source: Thing): Thing[] {
  return source.visibleContents().filter(({ material }) => material?.state === "liquid");
}
