/**
 * Starts the tasks that a log starts on its own after thousands of steps, so that tests and benches need not write so
 * many.
 */
import type Database from "better-sqlite3";
import type { StepTable } from "#palestra/server/log/sqlite/step-table.js";
import type { LogStore } from "#palestra/server/log/sqlite/store.js";

function insideOf(store: LogStore): { database: Database.Database; steps: StepTable } {
  return store as unknown as { database: Database.Database; steps: StepTable };
}

/** Copies all pages of the write-ahead log to the main file. The next write starts the write-ahead log over. */
export function checkpoint(store: LogStore): void {
  insideOf(store).database.pragma("wal_checkpoint(PASSIVE)");
}

/** Moves the steps that are indexed in memory to the index on disk. */
export function indexSteps(store: LogStore): void {
  insideOf(store).steps.index();
}
