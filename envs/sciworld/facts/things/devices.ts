/** Appliances and tools. */
import { setOnFire } from "../../engine/combustion.js";
import { inLines, inOneLine } from "../../engine/description.js";
import { coolContents, heatContents } from "../../engine/heat.js";
import type { Device } from "../../engine/kind-facts.js";
import type { Material } from "../../engine/material.js";
import { nameOf } from "../../engine/naming.js";
import type { Kind, Thing } from "../../engine/thing.js";
import { contentsAndPassages } from "../matter/containers.js";
import { chop, dig } from "../matter/ground.js";
import { called, looksLike } from "../matter/words.js";

export const off: Partial<Device> = { canActivate: true };
export const on: Partial<Device> = { canActivate: true, isActive: true };
const tool: Partial<Device> = { isTool: true };

export const power = ({ device }: Thing) => (device?.isActive ? "on" : "off");
const doorOf = (thing: Thing) => `The ${nameOf(thing)} door is ${thing.isOpen ? "open" : "closed"}. `;

const heats =
  (upTo: number): NonNullable<Kind["live"]> =>
  (thing) => {
    if (thing.device?.isActive) heatContents(thing, upTo);
  };

const cools =
  (downTo: number): NonNullable<Kind["live"]> =>
  (thing) => {
    if (thing.device?.isActive) coolContents(thing, downTo);
  };

/** Returns a hot plate, which heats the things on it. */
function hob(name: string, upTo: number): Kind {
  return {
    name,
    opening: "open",
    isMovable: false,
    device: off,
    heatsTo: upTo,
    live: heats(upTo),
    words: (thing) => [name, thing.name],
    describe(thing) {
      const contents = inOneLine(contentsAndPassages(thing), { place: thing });
      return `a ${thing.name}, which is turned ${power(thing)}. On the ${name} is: ${contents}.`;
    },
  };
}

/** Returns an oven with a door. A closed door prevents access to the contents, but does not stop heating. */
function furnace(name: string, word: string, upTo: number): Kind {
  return {
    name,
    opening: "closed",
    isMovable: false,
    device: off,
    heatsTo: upTo,
    live: heats(upTo),
    words: called(word),
    describe(thing, detail) {
      const looks = `a ${nameOf(thing)}, which is turned ${power(thing)}. ${doorOf(thing)}`;
      if (!thing.isOpen) return looks;
      const begin = `In the ${nameOf(thing)} is: `;
      const contents = contentsAndPassages(thing);
      if (detail === "full") return `${looks}${begin}\n${inLines(contents, { place: thing })}`;
      return `${looks}${begin}${inOneLine(contents, { place: thing })}.`;
    },
  };
}

/** Returns a cooler, which is on from the start. Its description mentions its state only if it is off. */
function cooler(name: string, word: string, downTo: number): Kind {
  return {
    name,
    opening: "closed",
    isMovable: false,
    device: on,
    coolsTo: downTo,
    live: cools(downTo),
    words: called(word),
    describe(thing) {
      const state = thing.device?.isActive ? "" : ", which is turned off";
      const looks = `a ${nameOf(thing)}${state}. ${doorOf(thing)}`;
      if (!thing.isOpen) return looks;
      return `${looks}In the ${nameOf(thing)} is: ${inOneLine(contentsAndPassages(thing), { place: thing })}.`;
    },
  };
}

export const stove = hob("stove", 260);
export const hotPlate = hob("hot plate", 260);
export const oven = furnace("oven", "oven", 540);
export const blastFurnace = furnace("blast furnace", "furnace", 3000);
export const fridge = cooler("fridge", "fridge", 2);
export const freezer = cooler("freezer", "freezer", -18);
export const ultraColdFreezer = cooler("ultra low temperature freezer", "freezer", -86);

const flameTemperature = 2200;
/** Number of degrees by which the lighter warms a thing that does not ignite. */
const warmth = 10;

export const lighter: Kind = {
  name: "lighter",
  material: "metal",
  opening: "none",
  device: tool,
  words: called("lighter"),
  describe: looksLike("a "),
  use(_, patient) {
    const { material } = patient;
    if (!material) return "It's not clear how to use those items together.";
    if (catchesFire(material)) return setOnFire(patient);
    material.temperature += Math.max(0, Math.min(warmth, flameTemperature - material.temperature));
    return `The lighter heats up the ${patient.name} a small amount.`;
  },
};

/** Returns the reading of a thermometer, or undefined for a thing without a material. */
function reading({ material }: Thing): string | undefined {
  return material && `${material.temperature.toFixed(0)} degrees celsius`;
}

/** Whether the lighter ignites a material. */
export function catchesFire({ facts }: Material): boolean {
  return facts.combustionPoint <= flameTemperature;
}

export const thermometer: Kind = {
  name: "thermometer",
  material: "glass",
  opening: "none",
  device: tool,
  words: called("thermometer"),
  describe: (thing) => `a ${nameOf(thing)}, currently reading a temperature of ${reading(thing)}`,
  use(_, patient) {
    const temperature = reading(patient);
    if (temperature) return `the thermometer measures a temperature of ${temperature}`;
    return "That thing doesn't appear to have a temperature that the thermometer can read. ";
  },
};

export const axe: Kind = {
  name: "axe",
  material: "steel",
  opening: "none",
  device: tool,
  words: called("axe"),
  describe: looksLike("an "),
  use: (_, patient, world) => chop(patient, world),
};

export const shovel: Kind = {
  name: "shovel",
  material: "steel",
  opening: "none",
  device: tool,
  words: called("shovel"),
  describe: looksLike("a "),
  use: (_, patient, world) => dig(patient, world),
};
