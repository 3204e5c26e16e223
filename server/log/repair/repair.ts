/** Makes a usable log out of a damaged one. The damaged file is only read. */
import { closeSync, existsSync, fsyncSync, openSync, rmSync } from "node:fs";
import type Database from "better-sqlite3";
import { openDatabase } from "../../../native/sqlite/index.js";
import { placesPerPage } from "../records/step-page.js";
import { DatabaseFile } from "../salvage/database-file.js";
import { recognise } from "../salvage/kinds.js";
import { type CutEpisode, Rebuild } from "../salvage/rebuild.js";
import { rowsOf } from "../salvage/rows.js";
import { SalvagedRows } from "../salvage/salvaged-rows.js";
import { type LostPage, Tree } from "../salvage/tree.js";
import { RowsBefore } from "../sqlite/newest-rows.js";
import { countBytes, migrate, sumRows } from "../sqlite/schema.js";
import { LogStore } from "../sqlite/store.js";
import { type OnProgress, verifyLog } from "../sqlite/verify.js";

/** Content of a repaired log, compared with the damaged one. */
export interface Repair {
  /** Number of episodes in the repaired log. */
  episodes: number;
  /** Number of steps of these episodes. */
  steps: number;
  /** Episodes that have lost a part. They have failed with LOG_CORRUPT. All other episodes are complete. */
  cut: readonly CutEpisode[];
  /** Keys of the episodes that are lost. The key is the number in the id: `ep-KEY-...`. */
  lost: readonly number[];
  /** Damaged or missing parts of the log. */
  parts: readonly string[];
  /** True if running episodes that are not in `cut` may lack their newest steps. */
  mayLackNewest: boolean;
}

/** Number of pages of the file, or of episodes, between two calls of `onProgress`. */
const partsPerProgress = 1_000;

/**
 * Writes the intact part of a log to a new file. The caller has locked the log, if it can be locked.
 *
 * @param to path of the new file, which is removed if the repair fails
 * @throws {Error} the new file exists or cannot be written, or the damaged file cannot be read
 */
export function repairLog(path: string, to: string, onProgress: OnProgress = () => {}): Repair {
  if (existsSync(to)) throw new Error(`expected a new file for the repaired log, but ${to} exists`);
  try {
    const repair = rebuildLog(path, to, onProgress);
    // Opens the log as a gym does.
    new LogStore(to, "full").close();
    flush(to);
    const { damages } = verifyLog(to);
    if (damages.length > 0)
      throw new Error(`expected an intact log after the repair, but received: ${damages[0]?.part}`);
    return repair;
  } catch (error) {
    for (const suffix of ["", "-wal", "-shm"]) rmSync(to + suffix, { force: true });
    throw error;
  }
}

function rebuildLog(path: string, to: string, onProgress: OnProgress): Repair {
  closeSync(openSync(to, "wx", 0o600));
  const file = new DatabaseFile(path);
  const database = openDatabase(to);
  try {
    // The file is flushed once, at the end. A crash before that leaves a partial file, which no program uses.
    database.pragma("synchronous = OFF");
    database.pragma("auto_vacuum = INCREMENTAL");
    migrate(database);
    return database.transaction(() => fill(database, file, new RowsBefore(path), onProgress))();
  } finally {
    database.close();
    file.close();
  }
}

function fill(database: Database.Database, file: DatabaseFile, before: RowsBefore, onProgress: OnProgress): Repair {
  const rows = new SalvagedRows(database);
  const tree = new Tree(file);
  const free = file.freePages();
  const pagesWithLostRows: number[] = [];
  for (let page = 1; page <= file.pageCount; page++) {
    if (!free.has(page) && !salvagePage(file, page, rows, tree)) pagesWithLostRows.push(page);
    if (page % partsPerProgress === 0) onProgress(page, 2 * file.pageCount);
  }
  rows.finish();
  const missing = before.missingIn(database);
  const lostPages = tree.lostPages();
  const mayMissPages = lostPages.some(({ table }) => table === null || table === "pages");
  const rebuild = new Rebuild(database, rows, mayMissPages || rows.damagedPages.size > 0);
  const lost = rebuild.removeLost();
  const total = count(database, `SELECT count(*) FROM episodes`);
  let done = 0;
  rebuild.episodes(() => {
    done += 1;
    if (done % partsPerProgress === 0 || done === total) onProgress(total + done, 2 * total);
  });
  const lostRows = pagesWithLostRows.map((page) => `A row on database page ${page}`);
  const lacking = missing ? [`The end of the write-ahead log, with ${missing}`] : [];
  const parts = [...damagedParts(file, lostPages), ...lacking, ...lostRows, ...damagedRows(database, rows)];
  // The index on disk names the episodes of older pages.
  const isNewestDamaged = [...rows.damagedPages].some((page) => page > rows.upTo || rebuild.isIndexDamaged);
  const mayLackNewest =
    mayMissPages || file.lostCommits > 0 || missing !== null || lostRows.length > 0 || isNewestDamaged;
  rebuild.continueNumbers();
  database.exec(countBytes + sumRows);
  const steps = count(database, `SELECT coalesce(sum(json_array_length(places)), 0) FROM extents`);
  return { episodes: total, steps, cut: rebuild.cut, lost, parts, mayLackNewest };
}

/** Returns whether all rows of the page could be read. */
function salvagePage(file: DatabaseFile, page: number, rows: SalvagedRows, tree: Tree): boolean {
  tree.add(page);
  let isWhole = true;
  for (const row of rowsOf(file, page)) {
    const known = row && recognise(row);
    if (known?.kind === "root") tree.addRoot(known.page, known.table);
    else if (known) rows.add(known);
    // Entries of an index are not rows of the log.
    else if (!row || row.rowid !== null) isWhole = false;
  }
  return isWhole;
}

function damagedParts(file: DatabaseFile, lostPages: readonly LostPage[]): string[] {
  const parts: string[] = [];
  if (file.pageCount === 0) parts.push("The whole file, which is empty");
  if (file.isCut) parts.push("The end of the file, which is missing");
  if (file.lostCommits > 0) parts.push(`The write-ahead log, with ${file.lostCommits} commits after its damage`);
  for (const { page, table } of lostPages) parts.push(`Database page ${page}${table === null ? "" : ` of ${table}`}`);
  return parts;
}

function damagedRows(database: Database.Database, rows: SalvagedRows): string[] {
  const inOrder = (numbers: Iterable<number>) => [...numbers].sort((a, b) => a - b);
  const missing = missingPages(database, rows.upTo).filter((page) => !rows.damagedPages.has(page));
  return [
    ...inOrder(rows.damagedPages).map((page) => `Page ${page}`),
    ...inOrder(missing).map((page) => `Page ${page}, which is missing`),
    ...inOrder(rows.damagedResetResults).map((key) => `The reset result of episode ${key}`),
    ...rows.damagedRows,
  ];
}

/** Returns missing pages: those that the index of steps names, and those between the newest pages. */
function missingPages(database: Database.Database, upTo: number): number[] {
  const indexed = `
    SELECT DISTINCT value / ${placesPerPage} AS page FROM oldExtents, json_each(places)
      WHERE page NOT IN (SELECT page FROM pages)`;
  const gaps = `
    SELECT page, next FROM (SELECT page, lead(page) OVER (ORDER BY page) AS next FROM pages WHERE page >= ?)
      WHERE next > page + 1`;
  const found = new Set(database.prepare(indexed).pluck().all() as number[]);
  for (const { page, next } of database.prepare(gaps).all(upTo) as { page: number; next: number }[])
    for (let missing = page + 1; missing < next; missing++) if (missing > upTo) found.add(missing);
  return [...found];
}

function count(database: Database.Database, sql: string): number {
  return database.prepare(sql).pluck().get() as number;
}

function flush(path: string): void {
  const file = openSync(path, "r+");
  fsyncSync(file);
  closeSync(file);
}
