/** Samples for the thermometer tasks: things with a random temperature, and known and unknown substances to melt. */
import type { JavaRandom } from "../../../shared/rng/java-random.js";
import type { Kind, World } from "../../engine/thing.js";
import * as foods from "../../facts/matter/foods.js";
import { materials } from "../../facts/matter/materials.js";
import * as substances from "../../facts/matter/substances.js";
import {
  meltingUnknown,
  type UnknownLetter,
  unknownLetters,
  unknownMeltingPoints,
  unknownSubstance,
} from "../../facts/matter/unknown-substances.js";
import { wire } from "../../facts/things/electrical.js";
import { metalFork } from "../../facts/things/small-things.js";
import type { Placing } from "./placing.js";
import { drawVessel, filled } from "./vessels.js";

export interface Sample {
  readonly name: string;
  readonly room: string;
  /** Draws the random value that the sample needs. @returns its temperature, or the number of its vessel */
  draw(random: JavaRandom): number;
  /** Makes the sample. @returns undefined if the house already has the substance */
  make(drawn: number, world: World): Placing | undefined;
}

export interface MeltingSample extends Sample {
  /** Melting point in degrees Celsius. */
  readonly meltingPoint: number;
}

/** Value of a sample that needs no random draw. */
const undrawn = -1;

const times = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

const temperedRooms = ["living room", "bedroom", "bathroom"];
const temperedKinds = [
  ...[substances.sodiumChloride, metalFork, substances.wood, wire],
  ...times(20, unknownSubstance("B")),
];

/**
 * Returns samples with random temperatures. @param points temperatures in degrees Celsius, one of which each sample is
 * compared with
 */
export function temperedSamples(points: readonly number[]): Sample[] {
  return temperedRooms.flatMap((room) =>
    points.flatMap((point) => temperedKinds.map((kind) => tempered(kind, point, room))),
  );
}

function tempered(kind: Kind, point: number, room: string): Sample {
  const { name } = kind;
  return {
    name,
    room,
    draw: (random) => drawTemperature(point, random),
    make(drawn, world) {
      const thing = world.make(kind);
      if (thing.material) thing.material.temperature = drawn;
      return { thing, name, room };
    },
  };
}

/** Draws a temperature that is 50 to 149 degrees above or below a point. */
function drawTemperature(point: number, random: JavaRandom): number {
  const distance = 50 + random.nextInt(100);
  return random.nextBoolean() ? point - distance : point + distance;
}

const kitchen = "kitchen";

/** ScienceWorld creates all samples once for each of the five temperatures in questions. */
const rounds = 5;

const waterOfHouse: MeltingSample = Object.assign(lying(substances.water), { make: () => undefined });

export const knownSamples: readonly MeltingSample[] = times(rounds, [
  waterOfHouse,
  poured(foods.orangeJuice, ["fridge"]),
  lying(foods.chocolate, ["fridge"]),
  ...[substances.mercury, substances.gallium, substances.tin, substances.lead].map((kind) => poured(kind)),
]).flat();

function lying(kind: Kind, containers: readonly string[] = []): MeltingSample {
  const { name } = kind;
  return {
    name,
    room: kitchen,
    get meltingPoint() {
      return meltingPointOf(kind);
    },
    draw: () => undrawn,
    make: (_, world) => ({ thing: world.make(kind), name, room: kitchen, containers }),
  };
}

function poured(kind: Kind, containers: readonly string[] = []): MeltingSample {
  const { name } = kind;
  return {
    name,
    room: kitchen,
    get meltingPoint() {
      return meltingPointOf(kind);
    },
    draw: drawVessel,
    make: (drawn, world) => ({ thing: filled(drawn, world.make(kind), world), name, room: kitchen, containers }),
  };
}

/** Returns the melting point of a kind, in degrees Celsius. @throws {Error} the kind has no material */
function meltingPointOf({ name, material }: Kind): number {
  if (material) return materials()[material].meltingPoint;
  throw new Error(`expected a kind with a material, but received ${name}`);
}

/** A sample with a melting point below this, in degrees Celsius, is put into a vessel. */
const firmFrom = 15;

/** Unknown samples. ScienceWorld creates them in `rounds` inner rounds within each round. */
export const unknownSamples: readonly MeltingSample[] = times(rounds * rounds, unknownLetters.map(unknown)).flat();

function unknown(letter: UnknownLetter): MeltingSample {
  const meltingPoint = unknownMeltingPoints[letter];
  const isFluid = meltingPoint < firmFrom;
  return {
    name: `${isFluid ? "liquid" : "solid"} unknown substance ${letter}`,
    room: kitchen,
    meltingPoint,
    draw(random) {
      // ScienceWorld also draws a melting point, but does not use it.
      random.nextBoolean();
      return isFluid ? drawVessel(random) : undrawn;
    },
    make(drawn, world) {
      const substance = meltingUnknown(letter, world);
      const thing = isFluid ? filled(drawn, substance, world) : substance;
      return { thing, name: thing.name, room: kitchen, always: true };
    },
  };
}
