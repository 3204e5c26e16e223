/** Goals about what is wired to what. */
import { leadsTo, neighbourAt, neighbours } from "../engine/electricity.js";
import type { Thing } from "../engine/thing.js";
import { isSame } from "./focus.js";
import type { Goal } from "./goal.js";
import { around, elsewhere, isCalled, nearTo } from "./surroundings.js";

const isWire = (thing: Thing | undefined) => thing?.is("unpolarized") ?? false;

type Fits = (thing: Thing) => boolean;

const isLightBulb: Fits = (thing) => thing.is("light bulb");

/** @param name left out: any */
const isPowerSource =
  (name?: string): Fits =>
  (thing) =>
    thing.is("generator") && (name === undefined || isCalled(thing, name));

/** A wire has each of these at an end. */
function joined(description: string, ...ends: readonly Fits[]): Goal {
  return around(description, (thing) => isWire(thing) && ends.every((fits) => neighbours(thing).some(fits)));
}

/** A wire is fastened to its first or second contact. */
function wired(name: string, at: 0 | 1, description: string): Goal {
  const fits = (thing: Thing) => isCalled(thing, name) && thing.contacts && isWire(neighbourAt(thing.contacts[at]));
  return around(description, fits);
}

interface CircuitOptions {
  /** The name of what powers it. Left out: anything. */
  readonly source?: string;
  /** As the original begins what it says of these goals in one of the tasks. */
  readonly beginsWithCapital?: boolean;
}

/** On the way to a circuit through a thing. */
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

/** On the way to a circuit with a light bulb that shows whether a thing conducts. */
export function towardsTestCircuit(name: string): Goal[] {
  const partly = "at least partially connected to a";
  return [
    ...towardsCircuit(name),
    joined(`task object is ${partly} light bulb through wire`, (thing) => isCalled(thing, name), isLightBulb),
    joined(`light bulb is ${partly} power source through wire`, isPowerSource(), isLightBulb),
  ];
}

/** What the goal before was about is powered by this source: another one fails the task. */
export function poweredBy(source: string, description: string): Goal {
  const check: Goal["check"] = (focus, view) => {
    if (!focus || !isSame(focus, view)) return "open";
    return leadsTo(focus, source) ? "met" : "failed";
  };
  return { description, isAboutThing: true, aim: { type: "powered by", source }, check };
}
