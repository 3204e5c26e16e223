/** Steps that heat or cool a substance until it is solid, liquid or gaseous. */
import { cooled, heated } from "../engine/heat.js";
import type { Material, StateOfMatter } from "../engine/material.js";
import { stateAt } from "../engine/state-of-matter.js";
import type { Kind, Thing } from "../engine/thing.js";
import { catchesFire, lighter } from "../facts/things/devices.js";
import { canBeTurnedOn, turnedOn } from "./going.js";
import { effortOf, isVessel, putInto, use } from "./handling.js";
import type { Situation } from "./situation.js";
import { cheapest, hopeless, type Step, type Way } from "./step.js";

export interface Wanted {
  readonly states: readonly StateOfMatter[];
  /** True if a burning thing is accepted too. */
  readonly orBurning?: boolean;
}

export function bringIntoState(thing: Thing, wanted: Wanted, situation: Situation): Step {
  const { material } = thing;
  if (!material) return hopeless;
  if (wanted.states.includes(material.state) || (wanted.orBurning && material.isBurning)) return undefined;
  const sources = situation.things.filter(({ kind }) => kind.heatsTo !== undefined || kind.coolsTo !== undefined);
  const ways = sources.map((source) => leaveIn(source, thing, wanted, situation));
  return cheapest([...ways, ...(wanted.orBurning ? ignite(thing, material, situation) : [])]);
}

/**
 * Returns the way that puts a thing into a source of heat or cold and waits. A gas stays in its vessel; other things
 * are taken out.
 */
function leaveIn(source: Thing, thing: Thing, wanted: Wanted, situation: Situation): Way {
  const isInVessel = thing.material?.state === "gas" && thing.container && isVessel(thing.container);
  const moved = isInVessel ? (thing.container as Thing) : thing;
  const ticks = canBeTurnedOn(source) ? ticksIn(source, thing.material as Material, wanted) : Number.POSITIVE_INFINITY;
  const toSource = effortOf(moved, situation) + situation.distanceBetween(thing, source);
  return {
    cost:
      (isInVessel ? slowness * ticks : ticks) + situation.distanceTo(thing) + (source.contains(moved) ? 0 : toSource),
    step: () => putInto(moved, source, situation) ?? turnedOn(source, situation) ?? wait(ticks, situation),
  };
}

/** Approximate factor by which a vessel slows down a change of state. */
const slowness = 5;

/** Maximum number of ticks that a change of state may take. */
const mostTicks = 100;

/** Returns the number of ticks until a thing reaches a wanted state, or infinity if it never does or burns before. */
function ticksIn({ kind }: Thing, material: Material, { states, orBurning = false }: Wanted): number {
  const { facts, meltingPoint, burnsFor } = material;
  let { temperature } = material;
  for (let ticks = 1; ticks <= mostTicks; ticks++) {
    temperature = afterTickIn(kind, temperature);
    const burns = temperature >= facts.combustionPoint && burnsFor > 0;
    if (burns ? orBurning : states.includes(stateAt({ temperature, meltingPoint, facts }))) return ticks;
    if (burns) break;
  }
  return Number.POSITIVE_INFINITY;
}

function afterTickIn({ heatsTo, coolsTo }: Kind, temperature: number): number {
  if (heatsTo !== undefined) return heated(temperature, heatsTo);
  return coolsTo === undefined ? temperature : cooled(temperature, coolsTo);
}

function ignite(thing: Thing, material: Material, situation: Situation): Way[] {
  if (!catchesFire(material) || material.burnsFor === 0) return [];
  return situation.things
    .filter(({ kind }) => kind === lighter)
    .map((tool) => ({
      cost: situation.distanceTo(tool) + situation.distanceBetween(tool, thing) + 1,
      step: () => use(tool, thing, situation),
    }));
}

/** Returns a step that waits ten ticks, or one tick if `ticks` is below ten. */
export function wait(ticks: number, situation: Situation): Step {
  return situation.do(ticks >= 10 ? "wait10" : "wait1");
}
