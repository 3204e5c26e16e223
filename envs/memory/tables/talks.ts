/** Everyday conversations, which are irrelevant to all questions. */
import { jsonFile } from "../../shared/kept/data-file.js";

/** Placeholders in sentences: `{x}` is the first text of a pair, `{y}` the second. */
export interface Talk {
  ask: readonly string[];
  answer: readonly string[];
  pairs: readonly (readonly [string, string])[];
  /** Optional continuations: a message of the user and the reply. */
  more: readonly (readonly [string, string])[];
}

export const talks = jsonFile<readonly Talk[]>(new URL("../data/talks.json", import.meta.url));
