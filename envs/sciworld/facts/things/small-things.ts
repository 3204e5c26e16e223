/** Small things of different materials. */

import { nameOf } from "../../engine/naming.js";
import type { Kind } from "../../engine/thing.js";
import type { MaterialName } from "../matter/materials.js";
import { called, looksLike, madeOf } from "../matter/words.js";

/** Returns a small thing. @param word word for the thing, shown after its material */
function small(name: string, material: MaterialName, word: string): Kind {
  return {
    name,
    material,
    describe: looksLike("A "),
    words: (thing) => [thing.name, madeOf(thing, word), nameOf(thing)],
  };
}

export const metalFork = small("metal fork", "steel", "fork");
export const plasticFork = small("plastic fork", "plastic", "fork");
export const paperClip = small("paper clip", "steel", "paper clip");
export const aluminumFoil: Kind = {
  name: "aluminum foil",
  material: "aluminum",
  words: called(),
  describe: looksLike("A "),
};
