/** Taking things along, and putting them into others: solid things by hand, liquids in vessels. */
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

/** In the inventory, a liquid in what it is in. */
export function carry(thing: Thing, situation: Situation): Step {
  const vessel = isLiquid(thing) ? thing.container : undefined;
  if (vessel) return inVessel(thing, situation) ?? carry(vessel, situation);
  if (situation.isCarried(thing)) return undefined;
  return canBeTaken(thing) ? (reach(thing, situation) ?? situation.do("pick up", thing)) : hopeless;
}

/** Both within reach: it is taken along to the other, unless that is carried about. */
export function bringTo(thing: Thing, other: Thing, situation: Situation): Step {
  const areTogether = situation.isCarried(other) || situation.distanceBetween(thing, other) === 0;
  return (areTogether ? undefined : carry(thing, situation)) ?? reach(thing, situation) ?? reach(other, situation);
}

/** Straight in it, and not in anything else that is in it. */
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

/** Or it is the same. */
export function isWithin(thing: Thing, container: Thing): boolean {
  return thing === container || (thing.container !== undefined && isWithin(thing.container, container));
}

/** A tool, on a thing that stays where it is. */
export function use(tool: Thing, thing: Thing, situation: Situation): Step {
  return bringTo(tool, thing, situation) ?? situation.do("use object", tool, thing);
}

/** About how many steps it takes, of whoever stands before it, to have it in hand. */
export function effortOf(thing: Thing, situation: Situation): number {
  if (!canBeTaken(thing)) return Number.POSITIVE_INFINITY;
  if (!isLiquid(thing) || (thing.container && isVessel(thing.container))) return 1;
  const distances = emptyVessels(situation).map((vessel) => situation.distanceBetween(vessel, thing));
  return 2 + Math.min(...distances);
}

/** The nearest first. */
export function emptyVessels(situation: Situation): Thing[] {
  return situation.byDistance((thing) => isVessel(thing) && thing.visibleContents().length === 0);
}

/** Of a liquid: in something that it can be poured out of. Of what cannot be lifted, it is scooped. */
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
