/** A log that is copied. It is locked, so that no gym writes to it, and is only read. */
import { LogDamage } from "../records/damage.js";
import type { TableReader } from "./table-reader.js";
import { type LogTable, logTables } from "./tables.js";

export interface CopySource {
  /** Tables of the log, with extents of all steps. */
  readonly tables: TableReader;
  /** Highest key that an episode of the log has had. It is not used again. */
  readonly highestKey: number;
  /** @throws {Error} the lock was lost, so a gym may have used the log since */
  expectLocked(): Promise<void>;
  close(): Promise<void>;
}

/** Returns a text that differs between two logs, and changes when a gym writes to the log. */
export async function stateOf({ tables, highestKey }: CopySource): Promise<string> {
  const state: unknown[] = [highestKey];
  for (const table of logTables) state.push(table.name, await tables.lastKey(table), await tables.count(table));
  const [episodes] = logTables as [LogTable];
  const [first] = await tables.read(episodes, null, 1);
  return JSON.stringify([...state, first?.[episodes.columns.indexOf("id")] ?? null]);
}

/** @throws {LogDamage} an episode has no reset result */
export async function expectResetResults({ tables }: CopySource): Promise<void> {
  const [episodes, openings] = logTables as [LogTable, LogTable];
  if ((await tables.count(episodes)) === (await tables.count(openings))) return;
  throw new LogDamage("The table of reset results");
}
