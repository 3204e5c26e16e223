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

export const isLiquid = ({ material }: Thing) => material?.state === "liquid";
const isGas = ({ material }: Thing) => material?.state === "gas";
const isEmpty = (thing: Thing) => thing.visibleContents().length === 0;

/** In the inventory, a liquid in what it is in. */
export function carry(thing: Thing, situation: Situation): Step {
  if (situation.isCarried(thing) && !(isLiquid(thing) && thing.container === situation.inventory)) return undefined;
  if (isLiquid(thing)) return inVessel(thing, situation) ?? carry(thing.container as Thing, situation);
  if (!thing.isMovable || isGas(thing)) return hopeless;
  return reach(thing, situation) ?? situation.do("pick up", thing);
}

/** Or it is the same. */
export function isWithin(thing: Thing, container: Thing): boolean {
  return thing === container || (thing.container !== undefined && isWithin(thing.container, container));
}

/** Straight in it, and not in anything else in it. */
export function putInto(thing: Thing, container: Thing, situation: Situation): Step {
  if (container.contains(thing)) return undefined;
  if (!thing.isMovable || isGas(thing) || isWithin(container, thing)) return hopeless;
  const isOnTheWay = situation.isCarried(container) || situation.placeOf(thing) === situation.placeOf(container);
  return (
    (isOnTheWay ? undefined : carry(thing, situation)) ??
    (isLiquid(thing) ? inVessel(thing, situation) : undefined) ??
    reach(thing, situation) ??
    reach(container, situation) ??
    opened(container, situation) ??
    situation.do(isLiquid(thing) ? "pour object" : "move object", thing, container)
  );
}

/** A tool, on a thing that stays where it is. */
export function use(tool: Thing, thing: Thing, situation: Situation): Step {
  const isThere = situation.distanceBetween(tool, thing) === 0;
  return (
    (isThere ? undefined : carry(tool, situation)) ??
    reach(thing, situation) ??
    reach(tool, situation) ??
    situation.do("use object", tool, thing)
  );
}

/** About how many steps it takes to have it in hand. */
export function effortOf(thing: Thing, situation: Situation): number {
  if (!thing.isMovable || isGas(thing)) return Number.POSITIVE_INFINITY;
  if (!isLiquid(thing) || (thing.container && isVessel(thing.container))) return 1;
  const vessel = emptyVessel(situation);
  return vessel ? 2 + situation.distanceBetween(vessel, thing) : Number.POSITIVE_INFINITY;
}

/** Of a liquid: in something that it can be poured out of. */
function inVessel(liquid: Thing, situation: Situation): Step {
  const source = liquid.container;
  if (!source) return hopeless;
  if (isVessel(source)) return undefined;
  const ways = emptyVessels(situation).map((vessel) => ({
    cost: situation.distanceTo(vessel) + situation.distanceBetween(vessel, liquid),
    step: () => dunk(vessel, liquid, situation),
  }));
  return cheapest(ways);
}

function dunk(vessel: Thing, liquid: Thing, situation: Situation): Step {
  const isOnTheWay = situation.placeOf(vessel) === situation.placeOf(liquid);
  return (
    (isOnTheWay ? undefined : carry(vessel, situation)) ??
    reach(liquid, situation) ??
    reach(vessel, situation) ??
    opened(vessel, situation) ??
    situation.do("dunk object", vessel, liquid.container as Thing)
  );
}

export function emptyVessel(situation: Situation): Thing | undefined {
  return emptyVessels(situation)[0];
}

/** The nearest first. */
export function emptyVessels(situation: Situation): Thing[] {
  return situation.byDistance((thing) => isVessel(thing) && isEmpty(thing));
}
