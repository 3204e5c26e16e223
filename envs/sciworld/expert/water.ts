/** Water from a tap: what stands in a sink is filled by it, while the sink's own water runs off. */
import type { Thing } from "../engine/thing.js";
import { bathtub, sink } from "../facts/plumbing.js";
import { canBeTurnedOn, turnedOn } from "./going.js";
import { emptyVessels, putInto } from "./handling.js";
import type { Situation } from "./situation.js";
import { cheapest, type Step, type Way } from "./step.js";

const basins = new Set([sink, bathtub]);

/** Some water in a vessel. */
export function waysToDraw(situation: Situation): Way[] {
  return emptyVessels(situation).flatMap((vessel) =>
    waysUnderTap(vessel, situation).map(({ cost, step }) => ({
      cost: situation.distanceTo(vessel) + cost,
      step: () => step() ?? situation.do("wait1"),
    })),
  );
}

/** With water running into it. */
export function underTap(vessel: Thing, situation: Situation): Step {
  return cheapest(waysUnderTap(vessel, situation));
}

/** Their costs are from where the vessel is. */
function waysUnderTap(vessel: Thing, situation: Situation): Way[] {
  const taps = situation.things.filter((thing) => basins.has(thing.kind) && canBeTurnedOn(thing));
  return taps.map((tap) => ({
    cost: situation.distanceBetween(vessel, tap) + 2,
    step: () => putInto(vessel, tap, situation) ?? turnedOn(tap, situation),
  }));
}
