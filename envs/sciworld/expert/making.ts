/** Steps that make a missing thing: by a change of state, by mixing or by growing. Water is drawn from a tap. */
import type { Thing } from "../engine/thing.js";
import { water } from "../facts/matter/substances.js";
import { type Reaction, type Reagent, reactions } from "../facts/things/reactions.js";
import { bringIntoState } from "./changing-state.js";
import { reach } from "./going.js";
import { waysToBear } from "./growing.js";
import { effortOf, isVessel, putInto } from "./handling.js";
import type { Situation } from "./situation.js";
import { cheapest, type Step, type Way } from "./step.js";
import { waysToDraw } from "./water.js";

/** Returns the ways to make a thing with this name, ignoring things that already have the name. */
export function waysToMake(name: string, situation: Situation): Way[] {
  return [
    ...(name === water.name ? waysToDraw(situation) : []),
    ...situation.things.flatMap((thing) => wayBackTo(name, thing, situation)),
    ...waysToBear(name, situation),
    ...reactions
      .filter(({ product }) => product.name.toLowerCase() === name.toLowerCase())
      .map((reaction) => ({ cost: costOfMixing, step: () => mix(reaction, situation) })),
  ];
}

/** Cost of mixing. It is higher than the cost of any other way. */
const costOfMixing = 100;

/** Returns the way to change the state of a thing to the state in which it has this name, or an empty list. */
function wayBackTo(name: string, thing: Thing, situation: Situation): Way[] {
  const names = thing.material?.names;
  const states = (["solid", "liquid", "gas"] as const).filter((state) => names?.[state] === name);
  if (states.length === 0 || states.includes(thing.material?.state ?? "gas")) return [];
  const cost = situation.distanceTo(thing) + effortOf(thing, situation) + ticksAtLeast;
  return [{ cost, step: () => bringIntoState(thing, { states }, situation) }];
}

/** Minimum number of ticks for a change of state. */
const ticksAtLeast = 5;

/** Returns the next step to mix the reagents in a vessel that is empty or contains only reagents. */
function mix({ reagents }: Reaction, situation: Situation): Step {
  const supplies = reagents.map((reagent) => supplyOf(reagent, situation));
  const vessels = situation.byDistance((thing) => isVessel(thing) && holdsOnly(thing, reagents));
  const ways = vessels.map((vessel) => {
    const fetching = supplies
      .filter(({ reagent }) => !holds(vessel, reagent))
      .map((supply) => waysToFetch(supply, vessel, situation));
    const costs = fetching.map((each) => Math.min(...each.map(({ cost }) => cost)));
    return {
      cost: fetching[0] ? costs.reduce((sum, cost) => sum + cost) : situation.distanceTo(vessel),
      step: () => (fetching[0] ? cheapest(fetching[0]) : (reach(vessel, situation) ?? situation.do("mix", vessel))),
    };
  });
  return cheapest(ways);
}

const holds = (vessel: Thing, reagent: Reagent) => vessel.contents.some((thing) => isReagent(thing, reagent));

function holdsOnly(vessel: Thing, reagents: readonly Reagent[]): boolean {
  return reagents.filter((reagent) => holds(vessel, reagent)).length === vessel.visibleContents().length;
}

interface Supply {
  readonly reagent: Reagent;
  /** Existing things that match the reagent. */
  readonly things: readonly Thing[];
  readonly made: readonly Way[];
}

function supplyOf(reagent: Reagent, situation: Situation): Supply {
  const things = situation.things.filter((thing) => isReagent(thing, reagent));
  return { reagent, things, made: waysToMake(reagent.name, situation) };
}

function waysToFetch({ things, made }: Supply, vessel: Thing, situation: Situation): Way[] {
  const fetched = things.map((thing) => ({
    cost: situation.distanceTo(thing) + effortOf(thing, situation) + situation.distanceBetween(thing, vessel),
    step: () => putInto(thing, vessel, situation),
  }));
  return [...fetched, ...made];
}

function isReagent({ name: its, material }: Thing, { name, state }: Reagent): boolean {
  if (state === undefined) return its === name;
  return material?.state === state && (its === name || material.substance === name);
}
