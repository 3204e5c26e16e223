/**
 * Steps that put the right thing in focus: an existing thing, a thing that must be made, or a thing that must still
 * grow.
 */
import { isConnected, leadsTo } from "../engine/electricity.js";
import type { Thing } from "../engine/thing.js";
import { bee } from "../facts/living/bees.js";
import type { Aim } from "../goals/aim.js";
import { wait } from "./changing-state.js";
import { focusOn, reach } from "./going.js";
import { grow } from "./growing.js";
import { effortOf, isWithin } from "./handling.js";
import { waysToMake } from "./making.js";
import type { Situation } from "./situation.js";
import { cheapest, hopeless, type Step, type Way } from "./step.js";

export type FocusAim = Extract<Aim, { type: "focus on" | "focus on any" | "focus on stage" }>;

/** Returns the next step towards the right focus. @param later aims that follow for the thing in focus */
export function find(aim: FocusAim, later: readonly Aim[], situation: Situation): Step {
  const ways = situation.things.filter(fitting(aim)).map((thing) => focusing(thing, later, situation));
  if (aim.type === "focus on") ways.push(...waysToMake(aim.name, situation));
  const step = cheapest(ways);
  return step === hopeless && aim.type === "focus on stage" ? waitFor(aim, situation) : step;
}

function fitting(aim: FocusAim): (thing: Thing) => boolean {
  switch (aim.type) {
    case "focus on":
      return ({ name }) => name.toLowerCase() === aim.name.toLowerCase();
    case "focus on any":
      // Bees are excluded, since they do not stay in one place.
      return (thing) => aim.fits(thing) && thing.kind !== bee;
    case "focus on stage":
      return ({ life }) => life?.species === aim.species && life.stage.name === aim.stage;
  }
}

/** Returns the way to focus on a thing. Its cost includes the cost of the next aim. */
function focusing(thing: Thing, later: readonly Aim[], situation: Situation): Way {
  return {
    cost: situation.distanceTo(thing) + effortLater(thing, later[0], situation),
    step: () => makeSafe(thing, later, situation) ?? focusOn(thing, situation),
  };
}

function effortLater(thing: Thing, next: Aim | undefined, situation: Situation): number {
  const effort = situation.isCarried(thing) ? 0 : effortOf(thing, situation);
  if (next?.type === "state" || next?.type === "boxed by temperature") return effort;
  if (next?.type !== "kept in") return 0;
  const box = situation.named(next.container);
  if (!box || isWithin(box, thing)) return Number.POSITIVE_INFINITY;
  return effort + situation.distanceBetween(thing, box);
}

/**
 * Returns a step that removes a thing from the wrong box or source of power, if any. Otherwise the task would fail as
 * soon as the thing is in focus.
 */
function makeSafe(thing: Thing, later: readonly Aim[], situation: Situation): Step {
  for (let one = thing.container; one; one = one.container)
    if (isForbidden(one, later[0])) return reach(thing, situation) ?? situation.do("put down", thing);
  const power = later.find((aim) => aim.type === "powered by");
  if (!power || !isConnected(thing) || leadsTo(thing, power.source)) return undefined;
  return reach(thing, situation) ?? situation.do("disconnect electrically", thing);
}

function isForbidden({ name }: Thing, next: Aim | undefined): boolean {
  if (next?.type === "boxed by temperature") return name === next.above || name === next.below;
  return next?.type === "kept in" && next.failing.includes(name);
}

/** Waits until a living thing of the species that is still in an earlier stage reaches the stage. */
function waitFor({ species, stage }: Extract<FocusAim, { type: "focus on stage" }>, situation: Situation): Step {
  const growing = situation.nearest(({ life }) => {
    if (life?.species !== species) return false;
    const stages = life.stages.map(({ name }) => name);
    return stages.indexOf(life.stage.name) < stages.indexOf(stage);
  });
  if (!growing) return hopeless;
  // A stage of a plant may end after a few ticks; the stage of an animal lasts for more than ten ticks.
  if (growing.is("plant")) return grow([growing], 1, situation);
  return reach(growing, situation) ?? wait(10, situation);
}
