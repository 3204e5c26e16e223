/** Steps that carry things and put them into containers. Solids are carried by hand, liquids in vessels. */
import type { Thing } from "../engine/thing.js";
import * as containers from "../facts/containers.js";
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

/** Takes a thing into the inventory. A liquid is taken with the vessel. */
export function carry(thing: Thing, situation: Situation): Step {
  const vessel = isLiquid(thing) ? thing.container : undefined;
  if (vessel) return inVessel(thing, situation) ?? carry(vessel, situation);
  if (situation.isCarried(thing)) return undefined;
  return canBeTaken(thing) ? (reach(thing, situation) ?? situation.do("pick up", thing)) : hopeless;
}

/** Makes both things reachable: takes the first thing to the other thing, unless the other thing is carried. */
export function bringTo(thing: Thing, other: Thing, situation: Situation): Step {
  const areTogether = situation.isCarried(other) || situation.distanceBetween(thing, other) === 0;
  return (areTogether ? undefined : carry(thing, situation)) ?? reach(thing, situation) ?? reach(other, situation);
}

/** Puts a thing directly into a container, not into another thing in the container. */
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

/** Whether a thing is the container or within it. */
export function isWithin(thing: Thing, container: Thing): boolean {
  return thing === container || (thing.container !== undefined && isWithin(thing.container, container));
}

/** Uses a tool on a thing without moving the thing. */
export function use(tool: Thing, thing: Thing, situation: Situation): Step {
  return bringTo(tool, thing, situation) ?? situation.do("use object", tool, thing);
}

/** Estimates the number of steps to pick a thing up, for an agent in the same place. */
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

/** Puts a liquid into a vessel from which it can be poured. A liquid in an immovable container is scooped out. */
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
