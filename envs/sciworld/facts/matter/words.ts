/** Functions for words and descriptions that many kinds use. */

import { nameOf } from "../../engine/naming.js";
import type { Kind, Thing } from "../../engine/thing.js";

/** Returns a function for the words of a thing: the given words, its name, and its name with a note about fire. */
export const called =
  (...words: readonly string[]): Kind["words"] =>
  (thing) => [...words, thing.name, nameOf(thing)];

/** Returns a function for the description of a thing: the article and its name. */
export const looksLike =
  (before: "" | "a " | "an " | "A " | "the " | "A blank " | "a substance called "): Kind["describe"] =>
  (thing) =>
    before + nameOf(thing);

/** Returns a word with the material of a thing before it, such as "wood table". */
export const madeOf = (thing: Thing, word: string): string => `${thing.material?.substance} ${word}`;

/**
 * Words for passages, which are normally named by their destination. Only contacts of a passage use these words;
 * ScienceWorld shows an error text there.
 */
export const passageWords: Kind["words"] = () => ["ERROR: SHOULD USE OVERRIDE FOR PORTAL."];
