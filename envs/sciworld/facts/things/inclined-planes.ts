/** Inclined planes: things slide down faster on steeper planes and smoother surfaces. */

import { nameOf } from "../../engine/naming.js";
import type { Kind, Thing } from "../../engine/thing.js";
import { type MaterialName, materials } from "../matter/materials.js";

export interface Surface {
  readonly name: string;
  /** Friction from 0 (no friction) to 1 (nothing slides). */
  readonly friction: number;
}

/** Friction of a plane whose surface is not stated. */
const plainFriction = 0.5;

export interface PlaneFacts {
  /** Angle in degrees. */
  readonly angle: number;
  /** Surface of the plane, which is part of its name. */
  readonly surface?: Surface;
  /** Letter that distinguishes planes with the same name. */
  readonly letter?: string;
}

export function inclinedPlane({ angle, surface, letter }: PlaneFacts): Kind {
  const speed = speedOn(angle, surface?.friction ?? plainFriction);
  const suffix = [letter, surface && `with a ${surface.name} surface`].filter(Boolean).join(" ");
  return {
    name: "inclined plane",
    material: "steel",
    opening: "open",
    presentName: ({ name }) => `${name} ${suffix}`,
    words(thing) {
      const words = ["inclined plane", "plane", thing.name, nameOf(thing)];
      return letter ? [...words, ...words.map((word) => `${word} ${letter}`)] : words;
    },
    describe(thing) {
      const onIt = thing.visibleContents().map((one) => ` a ${nameOf(one)} ${whereabouts(one)}`);
      return onIt.length > 0 ? `an ${nameOf(thing)}, with: ${onIt.join(",")}` : `an ${nameOf(thing)}`;
    },
    live(thing) {
      for (const one of thing.visibleContents()) slide(one, speed);
    },
  };
}

/** Factor of the speed, in lengths of the plane per tick. ScienceWorld stores it as a 32-bit float. */
const gravity = Math.fround(0.1);
const radiansInDegree = Math.PI / 180;

/** Returns the speed of things on a plane, in lengths of the plane per tick. The speed is constant. */
function speedOn(angle: number, friction: number): number {
  return gravity * Math.sin(angle * radiansInDegree) * (1 - friction);
}

/** Moves a thing on a plane for one tick. Liquids reach the bottom at once, and gases the top. */
function slide(thing: Thing, speed: number): void {
  const state = thing.material?.state ?? "solid";
  if (state === "solid") thing.height = Math.max(thing.height - speed, 0);
  else thing.height = state === "gas" ? 1 : 0;
}

/** Minimum height at which a thing counts as being at the top. */
const atTop = Math.fround(0.99);

function whereabouts({ height }: Thing): string {
  if (height === 0) return "at the bottom of the plane";
  if (height >= atTop) return "at the top of the plane";
  return `approximately ${(100 - 100 * height).toFixed(0)}% down the plane`;
}

const known: readonly MaterialName[] = [
  ...(["aluminum", "brass", "bronze", "caesium", "copper", "iron", "lead", "platinum", "steel"] as const),
  ...(["tin", "titanium", "zinc", "glass", "plastic", "ceramic", "wood", "paper", "sandpaper"] as const),
  ...(["cottonCloth", "rubber", "chocolate", "soapyWater", "greenPaint"] as const),
];

export function knownSurfaces(): Surface[] {
  return known.map((name) => {
    const { substance, friction } = materials()[name];
    return { name: substance, friction };
  });
}

export const unknownSurfaces: readonly Surface[] = Object.entries({
  B: 0.7,
  C: 0.4,
  D: 0.6,
  E: 0.2,
  F: 0.8,
  G: 0.3,
  H: 0.9,
  J: 0.9,
}).map(([letter, friction]) => ({ name: `unknown material ${letter}`, friction }));
