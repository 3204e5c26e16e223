import type { Family } from "./ask.js";
import { linked } from "./linked.js";
import { nested } from "./nested.js";
import { single } from "./single.js";

/** All kinds of questions, by name. */
export const families: Readonly<Record<string, Family>> = { ...single, ...linked, ...nested };

export const familyNames: readonly string[] = Object.keys(families);

/** Names of the easy kinds of questions. */
export const easyFamilies: readonly string[] = familyNames.filter((name) => (families[name] as Family).difficulty <= 2);
