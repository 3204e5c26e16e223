/** The ground outside with the things on the ground, and the actions of digging and chopping. */

import { nameOf } from "../../engine/naming.js";
import { remove } from "../../engine/removal.js";
import type { Kind, Thing, World } from "../../engine/thing.js";
import { container, fillIfDry, withContents } from "./containers.js";
import { soil, wood } from "./substances.js";
import { called, looksLike } from "./words.js";

export const ground: Kind = {
  name: "ground",
  material: "soil",
  opening: "open",
  words: called("ground"),
  describe: looksLike("the "),
  /** Moves the contents of the ground into the place that contains the ground. */
  live(thing) {
    if (thing.container) for (const one of [...thing.contents]) thing.container.add(one);
  },
};

const hole: Kind = {
  name: "hole",
  opening: "open",
  words: called("hole"),
  describe: (thing) => (thing.contents.length > 0 ? withContents(thing) : `a hole ${nameOf(thing)}`),
};

export const firePit = container("fire pit", "ceramic", { words: called("fire pit") });
export const fountain = container("fountain", "ceramic", { words: called("fountain"), live: fillIfDry });

export function dig(patient: Thing, world: World): string | undefined {
  const place = patient.container;
  if (patient.kind !== ground || !place) return undefined;
  place.add(world.make(hole));
  place.add(world.make(soil));
  return "You dig a hole in the ground, and place the soil nearby.";
}

/** Chops a thing with the axe, which fells a tree or breaks a device. */
export function chop(patient: Thing, world: World): string | undefined {
  if (patient.is("tree")) return fell(patient, world);
  if (!patient.device) return undefined;
  patient.device.isBroken = true;
  return `You hit the ${patient.name} with the axe, causing it to break.`;
}

function fell(tree: Thing, world: World): string | undefined {
  if (!tree.container) return undefined;
  if (tree.life?.stage.name === "seed") return "You can't chop a seed.";
  tree.container.add(world.make(wood));
  const name = nameOf(tree);
  remove(tree, { leavesContents: true });
  return `You chop down the ${name}, creating wood.`;
}
