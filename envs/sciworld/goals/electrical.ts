/** Goals about electrical connections. */
import { leadsTo, neighbourAt, neighbours } from "../engine/electricity.js";
import type { Thing } from "../engine/thing.js";
import { isSame } from "./focus.js";
import type { Goal } from "./goal.js";
import { around, elsewhere, isCalled, nearTo } from "./surroundings.js";

const isWire = (thing: Thing | undefined) => thing?.is("unpolarized") ?? false;

type Fits = (thing: Thing) => boolean;

const isLightBulb: Fits = (thing) => thing.is("light bulb");

/** Returns a condition for sources of power. @param name name of the source. Default: any source */
const isPowerSource =
  (name?: string): Fits =>
  (thing) =>
    thing.is("generator") && (name === undefined || isCalled(thing, name));

/** Goal: a wire near the agent is connected to a thing for each of these conditions. */
function joined(description: string, ...ends: readonly Fits[]): Goal {
  return around(description, (thing) => isWire(thing) && ends.every((fits) => neighbours(thing).some(fits)));
}

/** Goal: a wire is connected to the first or second contact of a thing. */
function wired(name: string, at: 0 | 1, description: string): Goal {
  const fits = (thing: Thing) => isCalled(thing, name) && thing.contacts && isWire(neighbourAt(thing.contacts[at]));
  return around(description, fits);
}

interface CircuitOptions {
  /** Name of the source of power. Default: any source. */
  readonly source?: string;
  /** True if the descriptions start with a capital letter, as in one task of ScienceWorld. */
  readonly beginsWithCapital?: boolean;
}

/** Returns unordered goals for the steps of building a circuit with a thing. */
export function towardsCircuit(name: string, { source, beginsWithCapital = false }: CircuitOptions = {}): Goal[] {
  const told = (text: string) => (beginsWithCapital ? text.charAt(0).toUpperCase() + text.slice(1) : text);
  const partly = "task object is at least partially connected to";
  const isTaskObject: Fits = (thing) => isCalled(thing, name);
  return [
    elsewhere("move to a new location"),
    nearTo(name, { as: "part to power" }),
    wired(name, 0, told("connect the task object's (terminal1/anode) to a wire")),
    wired(name, 1, told("connect the task object's (terminal2/cathode) to a wire")),
    joined(told(`${partly} power source through wire`), isTaskObject, isPowerSource(source)),
  ];
}

/**
 * Returns unordered goals for the steps of building a circuit with a light bulb, which shows whether a thing conducts.
 */
export function towardsTestCircuit(name: string): Goal[] {
  const partly = "at least partially connected to a";
  return [
    ...towardsCircuit(name),
    joined(`task object is ${partly} light bulb through wire`, (thing) => isCalled(thing, name), isLightBulb),
    joined(`light bulb is ${partly} power source through wire`, isPowerSource(), isLightBulb),
  ];
}

/** Goal: this source powers the thing that met the previous goal. A different source fails the task. */
export function poweredBy(source: string, description: string): Goal {
  const check: Goal["check"] = (focus, view) => {
    if (!focus || !isSame(focus, view)) return "open";
    return leadsTo(focus, source) ? "met" : "failed";
  };
  return { description, isAboutThing: true, aim: { type: "powered by", source }, check };
}
