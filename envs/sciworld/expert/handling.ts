/** Steps that carry things and put them into containers. Solids are carried by hand, liquids in vessels. */
import type { Thing } from "../engine/thing.js";
import * as containers from "../facts/matter/containers.js";
import { opened, reach } from "./going.js";
import type { Situation } from "./situation.js";
import { cheapest, hopeless, type Step } from "./step.js";

const vessels = new Set([
  ...[containers.metalPot, containers.glassCup, containers.plasticCup, containers.woodCup, containers.tinCup],
  ...[containers.paperCup, containers.ceramicCup, containers.jug, containers.glassJar, containers.bowl],
]);

export const isVessel = ({ kind }: Thing) => vessels.has(kind);

const isLiquid = ({ material }: Thing) => material?.state === "liquid";
const canBeTaken = ({ isMovable, material }: Thing) => isMovable && material?.state !== "gas";

/** Returns the next step to take a thing into the inventory. A liquid is taken in its vessel. */
export function carry(thing: Thing, situation: Situation): Step {
  const vessel = isLiquid(thing) ? thing.container : undefined;
  if (vessel) return inVessel(thing, situation) ?? carry(vessel, situation);
  if (situation.isCarried(thing)) return undefined;
  return canBeTaken(thing) ? (reach(thing, situation) ?? situation.do("pick up", thing)) : hopeless;
}

/**
 * Returns the next step to make both things reachable: the agent takes the first thing to the second, unless it carries
 * the second.
 */
export function bringTo(thing: Thing, other: Thing, situation: Situation): Step {
  const areTogether = situation.isCarried(other) || situation.distanceBetween(thing, other) === 0;
  return (areTogether ? undefined : carry(thing, situation)) ?? reach(thing, situation) ?? reach(other, situation);
}

/** Returns the next step to put a thing directly into a container, not into a thing inside it. */
export function putInto(thing: Thing, container: Thing, situation: Situation): Step {
  if (container.contains(thing)) return undefined;
  if (!canBeTaken(thing) || isWithin(container, thing)) return hopeless;
  return (
    (isLiquid(thing) ? inVessel(thing, situation) : undefined) ??
    bringTo(thing, container, situation) ??
    opened(container, situation) ??
    situation.do(isLiquid(thing) ? "pour object" : "move object", thing, container)
  );
}

/** Whether a thing is the container itself or inside it, at any depth. */
export function isWithin(thing: Thing, container: Thing): boolean {
  return thing === container || (thing.container !== undefined && isWithin(thing.container, container));
}

/** Returns the next step to use a tool on a thing, which is not moved. */
export function use(tool: Thing, thing: Thing, situation: Situation): Step {
  return bringTo(tool, thing, situation) ?? situation.do("use object", tool, thing);
}

/** Estimates the number of steps to pick up a thing in the place of the agent. */
export function effortOf(thing: Thing, situation: Situation): number {
  if (!canBeTaken(thing)) return Number.POSITIVE_INFINITY;
  if (!isLiquid(thing) || (thing.container && isVessel(thing.container))) return 1;
  const distances = emptyVessels(situation).map((vessel) => situation.distanceBetween(vessel, thing));
  return 2 + Math.min(...distances);
}

/** Returns empty vessels, the nearest first. */
export function emptyVessels(situation: Situation): Thing[] {
  return situation.byDistance((thing) => isVessel(thing) && thing.visibleContents().length === 0);
}

/** Returns the next step to get a liquid into a vessel that can be carried: an empty vessel is dunked into it. */
function inVessel(liquid: Thing, situation: Situation): Step {
  const source = liquid.container;
  if (!source) return hopeless;
  if (isVessel(source)) return undefined;
  const ways = emptyVessels(situation).map((vessel) => ({
    cost: situation.distanceTo(vessel) + situation.distanceBetween(vessel, liquid),
    step: () => dunk(vessel, liquid, source, situation),
  }));
  return cheapest(ways);
}

function dunk(vessel: Thing, liquid: Thing, source: Thing, situation: Situation): Step {
  return bringTo(vessel, liquid, situation) ?? opened(vessel, situation) ?? situation.do("dunk object", vessel, source);
}
