/** All kinds of changes, by the name of their command. */
import { bookingChanges } from "./booking-changes.js";
import type { Change, ChangeKind } from "./change.js";
import type { Database } from "./database.js";
import { orderChanges } from "./order-changes.js";
import { returnChanges } from "./return-changes.js";

export const changeKinds: Readonly<Record<string, ChangeKind>> = {
  ...orderChanges,
  ...returnChanges,
  ...bookingChanges,
};

export function kindOf({ kind }: Change): ChangeKind {
  return changeKinds[kind] as ChangeKind;
}

export function forbidden(database: Database, change: Change): string | undefined {
  return kindOf(change).forbidden(database, change.args);
}

export function costOf(database: Database, change: Change): number {
  return kindOf(change).cost(database, change.args);
}

/** Returns a copy of the database after the changes. */
export function after(database: Database, changes: readonly Change[]): Database {
  const copy = structuredClone(database);
  for (const change of changes) kindOf(change).perform(copy, change.args);
  return copy;
}
