/** Words and descriptions that many kinds share. */

import { nameOf } from "../engine/naming.js";
import type { Kind, Thing } from "../engine/thing.js";

/** Returns the words of a kind: the given words, the name of the kind, and the name with a note about fire. */
export const called =
  (...words: readonly string[]): Kind["words"] =>
  (thing) => [...words, thing.name, nameOf(thing)];

/** Returns a description: the name after an article. */
export const looksLike =
  (before: "" | "a " | "an " | "A " | "the " | "A blank " | "a substance called "): Kind["describe"] =>
  (thing) =>
    before + nameOf(thing);

/** Returns a word after the material, such as "wood table". */
export const madeOf = (thing: Thing, word: string): string => `${thing.material?.substance} ${word}`;

/**
 * Words of passages, which are normally named by the destination. Only the contacts in a passage use these words.
 * ScienceWorld shows an error text in this case.
 */
export const passageWords: Kind["words"] = () => ["ERROR: SHOULD USE OVERRIDE FOR PORTAL."];
