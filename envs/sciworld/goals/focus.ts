/** Goals about the thing in focus. */
import type { Family } from "../engine/kind-facts.js";
import type { StateOfMatter } from "../engine/material.js";
import type { Thing } from "../engine/thing.js";
import { type Goal, type GoalView, met, type Outcome } from "./goal.js";

type Options = Partial<Omit<Goal, "check" | "description">>;

interface FocusOptions extends Options {
  /** True if a wrong thing in focus does not fail the task. */
  readonly forgives?: boolean;
  /** Family of things to which the goal applies. Things of other families in focus are ignored. */
  readonly among?: Family;
}

/** Whether the thing in focus is the thing that met the previous goal, if any. */
export const isSame = (focus: Thing, { lastMetWith }: GoalView) => lastMetWith === undefined || lastMetWith === focus;

/** Goal: a thing with this name is in focus. A wrong thing in focus fails the task, unless `forgives` is true. */
export function focusOn(
  name: string,
  description: string,
  { forgives = false, among, ...options }: FocusOptions = {},
): Goal {
  const check = (focus: Thing | undefined): Outcome => {
    if (!focus || (among && !focus.is(among))) return "open";
    if (focus.name.toLowerCase() === name.toLowerCase()) return "met";
    return forgives ? "open" : "failed";
  };
  return { description, isAboutThing: true, aim: { type: "focus on", name }, ...options, check };
}

/** Goal: exactly this thing is in focus. Any other thing in focus fails the task. */
export function focusOnThis(thing: Thing, description: string, options: Options = {}): Goal {
  const fits = (focus: Thing) => focus === thing && focus.name === thing.kind.name;
  const check = (focus: Thing | undefined): Outcome => {
    if (!focus) return "open";
    return fits(focus) ? "met" : "failed";
  };
  return { description, isAboutThing: true, aim: { type: "focus on any", fits }, ...options, check };
}

/** Goal: the thing that met the previous goal satisfies a condition. */
export function still(
  description: string,
  holds: (focus: Thing, view: GoalView) => boolean | undefined,
  options: Options = {},
): Goal {
  const check: Goal["check"] = (focus, view) => met(focus && isSame(focus, view) && holds(focus, view));
  return { description, isAboutThing: true, ...options, check };
}

/** Goal: the thing in focus is a device with this name, and the device is on. */
export function activated(device: string, description: string, options: Options = {}): Goal {
  const check: Goal["check"] = (focus) => met(focus?.name === device && focus.device?.isActive);
  return { description, isAboutThing: true, aim: { type: "turned on" }, ...options, check };
}

/** Goal: the thing is in a state of matter. @param orBurning true to accept a burning thing too */
export function inState(state: StateOfMatter, description: string, { orBurning = false } = {}): Goal {
  const holds = ({ material }: Thing) => material?.state === state || (orBurning && material?.isBurning);
  return still(description, holds, { aim: { type: "state", states: [state], orBurning } });
}

const stateNote = "stateOfMatter";

/** Goal: the thing has a material, in any state. The state is stored in `notes` for later goals. */
export function inAnyState(description: string): Goal {
  const holds = ({ material }: Thing, { notes }: GoalView) => {
    if (material) notes.set(stateNote, material.state);
    return material !== undefined;
  };
  return still(description, holds, { aim: { type: "state", states: "any", orBurning: false } });
}

export function inOtherState(description: string): Goal {
  const holds = ({ material }: Thing, { notes }: GoalView) =>
    material && material.state !== (notes.get(stateNote) ?? "");
  return still(description, holds, { aim: { type: "state", states: "another", orBurning: false } });
}

/** Maximum number of nested containers that are searched. */
const deepest = 20;

/** Goal: the thing is in a container. @param failing names of containers that fail the task */
export function keptIn(
  container: string,
  description: string,
  failing: readonly string[] = [],
  options: Options = {},
): Goal {
  const check: Goal["check"] = (focus, view) => {
    if (!focus || !isSame(focus, view)) return "open";
    const around = containersOf(focus);
    if (around.some(({ name }) => failing.includes(name))) return "failed";
    return met(around.some(({ name }) => name.toLowerCase() === container.toLowerCase()));
  };
  return { description, isAboutThing: true, aim: { type: "kept in", container, failing }, ...options, check };
}

function containersOf(thing: Thing): Thing[] {
  const found: Thing[] = [];
  for (let one = thing.container; one && found.length < deepest; one = one.container) found.push(one);
  return found;
}

/**
 * Goal: the thing is in the box for its temperature. The wrong box fails the task. At exactly the threshold both boxes
 * are right.
 */
export function boxedByTemperature(threshold: number, above: string, below: string, description: string): Goal {
  const check: Goal["check"] = (focus, view) => {
    const temperature = focus?.material?.temperature;
    if (!focus || temperature === undefined || !isSame(focus, view)) return "open";
    const box = focus.container?.name;
    if (box === above) return temperature >= threshold ? "met" : "failed";
    if (box === below) return temperature <= threshold ? "met" : "failed";
    return "open";
  };
  const aim = { type: "boxed by temperature", threshold, above, below } as const;
  return { description, isAboutThing: true, aim, check };
}

/** Goal: the thing is at least this many degrees warmer than at the first check. */
export function warmer(degrees: number, description: string, options?: Options): Goal {
  return temperature(description, (now, first) => now >= first + degrees, options);
}

export function colder(degrees: number, description: string, options?: Options): Goal {
  return temperature(description, (now, first) => now <= first - degrees, options);
}

function temperature(description: string, holds: (now: number, first: number) => boolean, options: Options = {}): Goal {
  let first: number | undefined;
  return {
    description,
    ...options,
    check(focus) {
      const now = focus?.material?.temperature;
      if (now === undefined) return "open";
      first ??= now;
      return met(holds(now, first));
    },
  };
}
