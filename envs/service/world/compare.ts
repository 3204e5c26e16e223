import { isDeepStrictEqual } from "node:util";
import type { Database } from "./database.js";

/** Whether two databases are in the same state. Addresses may differ in case and punctuation. */
export function isSameState(one: Database, other: Database): boolean {
  return isDeepStrictEqual(plain(one), plain(other));
}

export function plainAddress(address: string): string {
  return (address.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
}

function plain(database: Database): Database {
  const copy = structuredClone(database);
  for (const order of Object.values(copy.orders)) order.address = plainAddress(order.address);
  return copy;
}
