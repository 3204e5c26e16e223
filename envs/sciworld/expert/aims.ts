/** What is done next for the first of a task's goals that is not met yet. */
import type { Thing } from "../engine/thing.js";
import { bee } from "../facts/bees.js";
import type { Aim, StateAim } from "../goals/aim.js";
import { bringIntoState, wait } from "./changing-state.js";
import { focusOn, reach } from "./going.js";
import { grow } from "./growing.js";
import { effortOf, isWithin, putInto } from "./handling.js";
import { waysToMake } from "./mixing.js";
import { power } from "./powering.js";
import type { Situation } from "./situation.js";
import { cheapest, hopeless, type Step, type Way } from "./step.js";

type FocusAim = Extract<Aim, { type: "focus on" | "focus on any" | "focus on stage" }>;
type LaterAim = Exclude<Aim, FocusAim>;

/** @param aims of all goals that are not met, in order @param subject what the last one was met with */
export function pursue(aims: readonly (Aim | undefined)[], subject: Thing | undefined, situation: Situation): Step {
  const [aim, ...later] = aims;
  if (!aim || !canBeDone(aims, situation)) return hopeless;
  switch (aim.type) {
    case "focus on":
    case "focus on any":
    case "focus on stage":
      return find(aim, later[0], situation);
    default:
      if (aim.type === "grown" && !subject) return find({ ...aim, type: "focus on stage" }, later[0], situation);
      if (!subject || situation.placeOf(subject) === undefined) return hopeless;
      return focusOn(subject, situation) ?? achieve(aim, later, subject, situation);
  }
}

/** Without wires nothing is turned on: it is not worth beginning. */
function canBeDone(aims: readonly (Aim | undefined)[], situation: Situation): boolean {
  return situation.can("connect electrically") || !aims.some((aim) => aim?.type === "turned on");
}

function achieve(aim: LaterAim, later: readonly (Aim | undefined)[], subject: Thing, situation: Situation): Step {
  switch (aim.type) {
    case "state":
      return bringIntoState(subject, { ...aim, states: statesOf(aim, subject) }, situation);
    case "kept in":
      return putIntoNamed(subject, aim.container, situation);
    case "boxed by temperature":
      return putIntoNamed(subject, boxFor(subject, aim), situation);
    case "turned on":
      return power(subject, sourceOf(later), situation);
    case "grown":
      return grow([subject], situation);
    case "powered by":
      return hopeless;
  }
}

function find(aim: FocusAim, next: Aim | undefined, situation: Situation): Step {
  const ways = situation.things.filter(fitting(aim)).map((thing) => focusing(thing, next, situation));
  if (aim.type === "focus on stage") return orWaitFor(aim, cheapest(ways), situation);
  return cheapest(aim.type === "focus on" ? [...ways, ...waysToMake(aim.name, situation)] : ways);
}

/** By what it takes, with what it will take to do the next thing with it. */
function focusing(thing: Thing, next: Aim | undefined, situation: Situation): Way {
  const isMoved = next?.type === "state" || next?.type === "kept in" || next?.type === "boxed by temperature";
  const box = next?.type === "kept in" ? boxNamed(next.container, situation) : undefined;
  return {
    cost:
      situation.distanceTo(thing) +
      (isMoved && !situation.isCarried(thing) ? effortOf(thing, situation) : 0) +
      (box ? distanceInto(box, thing, situation) : 0),
    step: () => freeFrom(thing, next, situation) ?? focusOn(thing, situation),
  };
}

function distanceInto(box: Thing, thing: Thing, situation: Situation): number {
  return isWithin(box, thing) ? Number.POSITIVE_INFINITY : situation.distanceBetween(thing, box);
}

/** What is in the wrong box already fails the task as it comes into focus. */
function freeFrom(thing: Thing, next: Aim | undefined, situation: Situation): Step {
  const failing = next?.type === "kept in" ? next.failing : [];
  for (let one = thing.container; one; one = one.container)
    if (failing.includes(one.name)) return reach(thing, situation) ?? situation.do("put down", thing);
  return undefined;
}

function fitting(aim: FocusAim): (thing: Thing) => boolean {
  switch (aim.type) {
    case "focus on":
      return ({ name }) => name.toLowerCase() === aim.name.toLowerCase();
    case "focus on any":
      // Bees do not stay where they are put.
      return (thing) => aim.fits(thing) && thing.kind !== bee;
    case "focus on stage":
      return ({ life }) => life?.species === aim.species && life.stage.name === aim.stage;
  }
}

/** Where it is still younger. */
function orWaitFor(
  { species, stage }: Extract<FocusAim, { type: "focus on stage" }>,
  step: Step,
  situation: Situation,
) {
  if (step !== hopeless) return step;
  const isYounger = ({ life }: Thing) => {
    if (life?.species !== species) return false;
    const stages = life.facts.stages.map(({ name }) => name);
    return stages.indexOf(life.stage.name) < stages.indexOf(stage);
  };
  const growing = situation.nearest(isYounger);
  if (!growing) return hopeless;
  // A stage of an animal's life takes more ticks than that, a plant's may take less.
  return reach(growing, situation) ?? wait(growing.is("plant") ? 1 : 10, situation);
}

function statesOf({ states }: StateAim, { material }: Thing) {
  const all = ["solid", "liquid", "gas"] as const;
  if (states === "any") return all;
  return states === "another" ? all.filter((state) => state !== material?.state) : states;
}

function boxFor({ material }: Thing, { threshold, above, below }: Extract<Aim, { type: "boxed by temperature" }>) {
  return (material?.temperature ?? threshold) >= threshold ? above : below;
}

function boxNamed(name: string, situation: Situation): Thing | undefined {
  return situation.nearest((thing) => thing.name.toLowerCase() === name.toLowerCase());
}

function putIntoNamed(thing: Thing, name: string, situation: Situation): Step {
  const box = boxNamed(name, situation);
  return box ? putInto(thing, box, situation) : hopeless;
}

function sourceOf(later: readonly (Aim | undefined)[]): string | undefined {
  return later.find((aim) => aim?.type === "powered by")?.source;
}
