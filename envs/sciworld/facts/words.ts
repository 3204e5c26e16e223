/** Ways of being called and of looking that many kinds have in common. */

import { nameOf } from "../engine/naming.js";
import type { Kind, Thing } from "../engine/thing.js";

/** Its own name, as fire has left it, and these. */
export const called =
  (...words: readonly string[]): Kind["words"] =>
  (thing) => [...words, thing.name, nameOf(thing)];

/** Its name, after an article or nothing. */
export const looksLike =
  (before: "" | "a " | "an " | "A " | "the " | "A blank " | "a substance called "): Kind["describe"] =>
  (thing) =>
    before + nameOf(thing);

/** What it is made of, before a word: a wood table. */
export const madeOf = (thing: Thing, word: string): string => `${thing.material?.substance} ${word}`;

/**
 * Of passages, which are called by where they lead: only what is in one, as its contacts are, asks for other words, and
 * the original has none.
 */
export const passageWords: Kind["words"] = () => ["ERROR: SHOULD USE OVERRIDE FOR PORTAL."];
