import { football, library, music } from "./culture.js";
import { airline, hospital, university } from "./institutions.js";
import type { Schema } from "./schema.js";
import { logistics, shop } from "./trade.js";

/** In the order in which tasks go through them. */
export const schemas: readonly Schema[] = [shop, library, airline, hospital, university, music, football, logistics];

/** @throws {Error} there is no such schema */
export function schemaOf(name: string): Schema {
  const found = schemas.find((schema) => schema.name === name);
  if (found) return found;
  throw new Error(`expected one of ${schemas.map((schema) => schema.name).join(", ")}, but received ${name}`);
}
