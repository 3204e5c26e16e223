/** Unknown substances, each named by a letter. */

import { renameByState } from "../../engine/state-of-matter.js";
import type { Kind, Thing, World } from "../../engine/thing.js";
import { called } from "./words.js";

/** Returns an unknown substance. It is a metal until a task changes its properties. @param letter a capital letter */
export function unknownSubstance(letter: string): Kind {
  return {
    name: `unknown substance ${letter}`,
    material: "metal",
    words: called("unknown substance"),
    describe: ({ name }) => name,
  };
}

/** Melting points in degrees Celsius, by letter. */
export const unknownMeltingPoints = {
  B: 75,
  C: 115,
  D: -30,
  E: -10,
  F: 275,
  G: 30,
  H: 225,
  J: -75,
  K: 520,
  L: 325,
  M: -25,
  N: 175,
  O: 25,
  P: 75,
  Q: 425,
  R: 30,
  S: 15,
  T: -2,
  U: 625,
  V: -220,
  W: 575,
  X: -175,
  Y: 675,
  Z: 775,
};

export type UnknownLetter = keyof typeof unknownMeltingPoints;
export const unknownLetters = Object.keys(unknownMeltingPoints) as UnknownLetter[];

/** Makes an unknown substance with the melting point of its letter. Its name contains its current state of matter. */
export function meltingUnknown(letter: UnknownLetter, world: World): Thing {
  const thing = world.make(unknownSubstance(letter));
  const { name, material } = thing;
  if (!material) return thing;
  material.meltingPoint = unknownMeltingPoints[letter];
  material.substance = name;
  material.names = { solid: `solid ${name}`, liquid: `liquid ${name}`, gas: `gaseous ${name}` };
  renameByState(thing, material);
  return thing;
}
