/** Type numbers of ScienceWorld's kinds, which its API returns with valid actions. */
import { jsonFile, once } from "../../../shared/kept/data-file.js";
import type { Thing } from "../../engine/thing.js";
import { ice } from "./substances.js";

/** Names of the types; the position is the number, from 0. Some types are abstract: no thing has them. */
export const types = jsonFile<readonly string[]>(new URL("../../data/types.json", import.meta.url));

const numbers = once(() => new Map(types().map((type, number) => [type, number])));

/** Type number of a kind that is not in the table. */
const noType = -1;

export function typeNumber(thing: Thing): number {
  return numbers().get(typeOf(thing)) ?? noType;
}

/** Types that several kinds have: the name of such a kind ends with the first entry. */
const byEnd: readonly (readonly [string, string])[] = [
  [" light bulb", "light bulb"],
  [" paper", "coloured paper"],
  [" sandwich", "sandwich"],
  [" box", "answer box"],
];

function typeOf(thing: Thing): string {
  const { kind, name, life, material } = thing;
  if (thing.is("contact")) return numbers().has(name) ? name : "terminal";
  if (kind === ice) return "ice";
  if (numbers().has(kind.name)) return kind.name;
  if (kind.name === "table") return `${material?.substance} table`;
  if (life) return `${life.species} tree`;
  if (thing.is("location")) return "room";
  // Unknown substances with a melting point have their state in the name.
  if (kind.name.startsWith("unknown substance")) return material?.names ? "melting unknown" : "conducting unknown";
  return byEnd.find(([end]) => kind.name.endsWith(end))?.[1] ?? kind.name;
}
