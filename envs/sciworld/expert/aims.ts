/** Finds the next step towards the first unmet goal of a task. */
import type { Thing } from "../engine/thing.js";
import type { Aim, StateAim } from "../goals/aim.js";
import { bringIntoState } from "./changing-state.js";
import { type FocusAim, find } from "./focusing.js";
import { focusOn } from "./going.js";
import { grow } from "./growing.js";
import { putInto } from "./handling.js";
import { power } from "./powering.js";
import type { Situation } from "./situation.js";
import { hopeless, type Step } from "./step.js";

/** Aims of all unmet goals, in order. */
export type Aims = readonly [Aim, ...(readonly Aim[])];

/** Returns the next step. @param subject thing that met the last goal, if any */
export function pursue([aim, ...later]: Aims, subject: Thing | undefined, situation: Situation): Step {
  if (!canBeDone([aim, ...later], situation)) return hopeless;
  switch (aim.type) {
    case "focus on":
    case "focus on any":
    case "focus on stage":
      return find(aim, later, situation);
    case "grown":
      if (!subject) return find({ ...aim, type: "focus on stage" }, later, situation);
  }
  if (!subject || !situation.placeOf(subject)) return hopeless;
  return focusOn(subject, situation) ?? achieve(aim, later, subject, situation);
}

/** Whether the goals can be met at all: without electrical actions, no device can be powered. */
function canBeDone(aims: Aims, situation: Situation): boolean {
  return situation.can("connect electrically") || !aims.some(({ type }) => type === "turned on");
}

/** Returns the next step towards an aim for the thing that is already in focus. */
function achieve(aim: Exclude<Aim, FocusAim>, later: readonly Aim[], subject: Thing, situation: Situation): Step {
  switch (aim.type) {
    case "state":
      return bringIntoState(subject, { ...aim, states: statesOf(aim, subject) }, situation);
    case "kept in":
      return putIntoNamed(subject, aim.container, situation);
    case "boxed by temperature":
      return putIntoNamed(subject, isWarm(subject, aim.threshold) ? aim.above : aim.below, situation);
    case "turned on":
      return power(subject, later.find((one) => one.type === "powered by")?.source, situation);
    case "powered by":
      return undefined;
    case "grown":
      return grow([subject], manyTicks, situation);
  }
}

/** Number of ticks to wait for growth, where no stage that matters can be missed. */
const manyTicks = 10;

function statesOf({ states }: StateAim, { material }: Thing) {
  const all = ["solid", "liquid", "gas"] as const;
  if (states === "any") return all;
  return states === "another" ? all.filter((state) => state !== material?.state) : states;
}

/** Whether a thing is warm enough at the moment. Its temperature may change while it is carried. */
function isWarm({ material }: Thing, threshold: number): boolean {
  return (material?.temperature ?? threshold) >= threshold;
}

function putIntoNamed(thing: Thing, name: string, situation: Situation): Step {
  const container = situation.named(name);
  return container ? putInto(thing, container, situation) : hopeless;
}
