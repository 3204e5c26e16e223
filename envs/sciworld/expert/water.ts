/** Steps that draw water from a tap. A running tap fills vessels in the sink, although the sink drains. */
import type { Thing } from "../engine/thing.js";
import { bathtub, sink } from "../facts/things/plumbing.js";
import { canBeTurnedOn, turnedOn } from "./going.js";
import { emptyVessels, putInto } from "./handling.js";
import type { Situation } from "./situation.js";
import { cheapest, type Step, type Way } from "./step.js";

const basins = new Set([sink, bathtub]);

/** Returns the ways to get a vessel with water. */
export function waysToDraw(situation: Situation): Way[] {
  return emptyVessels(situation).flatMap((vessel) =>
    waysUnderTap(vessel, situation).map(({ cost, step }) => ({
      cost: situation.distanceTo(vessel) + cost,
      step: () => step() ?? situation.do("wait1"),
    })),
  );
}

/** Returns the next step to put a vessel under a running tap. */
export function underTap(vessel: Thing, situation: Situation): Step {
  return cheapest(waysUnderTap(vessel, situation));
}

/** Returns the ways to put a vessel under a tap. The costs start at the place of the vessel. */
function waysUnderTap(vessel: Thing, situation: Situation): Way[] {
  const taps = situation.things.filter((thing) => basins.has(thing.kind) && canBeTurnedOn(thing));
  return taps.map((tap) => ({
    cost: situation.distanceBetween(vessel, tap) + 2,
    step: () => putInto(vessel, tap, situation) ?? turnedOn(tap, situation),
  }));
}
