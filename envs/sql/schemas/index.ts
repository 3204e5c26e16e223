import { football, library, music } from "./culture.js";
import { airline, hospital, university } from "./institutions.js";
import type { Schema } from "./schema.js";
import { logistics, shop } from "./trade.js";

/** All schemas. Consecutive tasks use them in this order. */
export const schemas: readonly Schema[] = [shop, library, airline, hospital, university, music, football, logistics];

/** @throws {Error} the schema does not exist */
export function schemaOf(name: string): Schema {
  const found = schemas.find((schema) => schema.name === name);
  if (found) return found;
  throw new Error(`expected one of ${schemas.map((schema) => schema.name).join(", ")}, but received ${name}`);
}
