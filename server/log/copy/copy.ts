/**
 * Copies a log from SQLite to PostgreSQL, or back, without changing it. Rows keep their numbers, so the places of steps
 * stay right. The progress is stored with the rows, so that a copy that was stopped can continue.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { Interrupted } from "../../config/operator-error.js";
import { isDamage } from "../records/damage.js";
import type { OnProgress } from "../sqlite/verify.js";
import { ExtentChecks } from "./check-extents.js";
import { type LogPlace, shownPlace } from "./log-place.js";
import { PostgresSource } from "./postgres-source.js";
import { PostgresTarget } from "./postgres-target.js";
import { type CopySource, expectResetResults, stateOf } from "./source.js";
import { SqliteSource } from "./sqlite-source.js";
import { SqliteTarget } from "./sqlite-target.js";
import { checkedRows, keyOfRow, type LogTable, logTables, type Row } from "./tables.js";
import type { CopyTarget } from "./target.js";

export interface Copy {
  episodes: number;
  /** Number of steps of all episodes. Steps that forks share count for each of them. */
  steps: number;
  pages: number;
  /** Bytes of the pages and reset results. */
  bytes: number;
  /** Number of rows that an earlier, stopped copy had copied. */
  resumedRows: number;
}

export interface CopyOptions {
  onProgress?: OnProgress;
  /** Stops the copy after the rows that are being written. */
  signal?: AbortSignal;
}

interface Work extends Required<Pick<CopyOptions, "onProgress">> {
  source: CopySource;
  target: CopyTarget;
  signal: AbortSignal | undefined;
  done: number;
  total: number;
}

/**
 * Copies a log to an empty database or a new file, or continues a copy of the same log. Compares every row afterwards.
 *
 * @throws {LogDamage} a part of the log is damaged
 * @throws {Interrupted} the signal stopped the copy
 * @throws {Error} one of the logs is in use or its lock was lost, the target has another log, or a row cannot be read or written
 */
export async function copyLog(
  from: LogPlace,
  to: LogPlace,
  { onProgress = () => {}, signal }: CopyOptions = {},
): Promise<Copy> {
  if (shownPlace(from) === shownPlace(to))
    throw new Error("expected two different logs, but received the same one twice");
  const source = await openSource(from);
  try {
    await expectResetResults(source);
    const target = await openTarget(to);
    try {
      const work = { source, target, onProgress, signal, done: 0, total: await partsOf(source) };
      const resumedRows = await beginOrResume(work, to);
      return { ...(await resumable(() => copyRows(work))), resumedRows };
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

function openSource(place: LogPlace): Promise<CopySource> {
  return "path" in place ? SqliteSource.open(place.path) : PostgresSource.open(place.url);
}

function openTarget(place: LogPlace): Promise<CopyTarget> {
  return "path" in place ? SqliteTarget.open(place.path) : PostgresTarget.open(place.url);
}

/** Returns the number of rows, each of which is copied and then compared. */
async function partsOf({ tables }: CopySource): Promise<number> {
  let rows = 0;
  for (const table of logTables) rows += await tables.count(table);
  return 2 * rows;
}

/** Returns the number of rows that are already copied. @throws {Error} the target is a copy of another log */
async function beginOrResume({ source, target }: Work, to: LogPlace): Promise<number> {
  const state = await stateOf(source);
  if (target.source === null) {
    await target.begin(state);
    return 0;
  }
  if (target.source !== state) {
    const remedy = "path" in to ? `Remove ${to.path}` : "Remove it with `DROP SCHEMA palestra CASCADE`";
    throw new Error(
      `expected an unfinished copy of the same log, but another log, or steps of a gym, came between. ${remedy}`,
    );
  }
  let rows = 0;
  for (const table of logTables) rows += (await target.progressOf(table)).rows;
  return rows;
}

async function copyRows(work: Work): Promise<Omit<Copy, "resumedRows">> {
  const { source, target } = work;
  for (const table of logTables) await copyTable(work, table);
  const checks = new ExtentChecks();
  const sizes = new Map<string, { rows: number; bytes: number }>();
  for (const table of logTables) sizes.set(table.name, await compareTable(work, table, checks));
  await expectGoingOn(work);
  await target.finish(source.highestKey);
  const of = (name: string) => sizes.get(name) as { rows: number; bytes: number };
  return {
    episodes: of("episodes").rows,
    steps: checks.steps,
    pages: of("pages").rows,
    bytes: of("pages").bytes + of("openings").bytes,
  };
}

/** Adds to an error, such as that of a full disk, how the operator can continue the copy. */
async function resumable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const message = (error as Error).message;
    if (isDamage(error) || error instanceof Interrupted || /^expected/.test(message)) throw error;
    throw new Error(`${message}. Run the same command again to continue`, { cause: error });
  }
}

async function copyTable(work: Work, table: LogTable): Promise<void> {
  const { source, target } = work;
  let progress = await target.progressOf(table);
  advance(work, progress.rows);
  if (progress.isDone) return;
  let rows = checkedRows(table, await source.tables.read(table, progress.after));
  for (;;) {
    await expectGoingOn(work);
    const last = rows.at(-1);
    const before = progress;
    const after = last ? keyOfRow(table, last) : before.after;
    progress = { after, rows: before.rows + rows.length, isDone: !last };
    // The next rows are read while the current ones are written.
    const written = target.write(table, rows, before, progress);
    const [next] = await Promise.all([last ? source.tables.read(table, after) : [], written]);
    if (!last) return;
    advance(work, rows.length);
    rows = checkedRows(table, next);
    // Lets signals arrive between the synchronous calls of SQLite.
    await sleep(0);
  }
}

/** Reads a table of both logs, and compares every value. @throws {Error} a row differs */
async function compareTable(
  work: Work,
  table: LogTable,
  checks: ExtentChecks,
): Promise<{ rows: number; bytes: number }> {
  const { source, target } = work;
  const sum = { rows: 0, bytes: 0 };
  for (let rows = await source.tables.read(table, null); rows.length > 0; ) {
    await expectGoingOn(work);
    const expected = checkedRows(table, rows);
    const first = expected[0] as Row;
    await expectEqual(table, expected, target);
    if (table.name === "pages") checks.addPages(expected);
    if (table.name === "extents") checks.check(expected);
    sum.rows += expected.length;
    if (table.checked) for (const row of expected) sum.bytes += Buffer.byteLength(row[table.checked.at] as string);
    advance(work, expected.length);
    rows = await source.tables.read(table, keyOfRow(table, expected.at(-1) ?? first));
  }
  const copied = await target.tables.count(table);
  if (copied !== sum.rows) throw differs(table, `${copied} rows instead of ${sum.rows}`);
  return sum;
}

/** @throws {Error} the target's rows between the first and the last of these rows differ from them */
async function expectEqual(table: LogTable, rows: readonly Row[], target: CopyTarget): Promise<void> {
  for (let at = 0; at < rows.length; ) {
    const previous = at === 0 ? null : keyOfRow(table, rows[at - 1] as Row);
    const from = previous ?? before(table, rows[0] as Row);
    const copied = await target.tables.read(table, from, rows.length - at);
    if (copied.length === 0) throw differs(table, `no row ${keyOfRow(table, rows[at] as Row).join(", ")}`);
    for (const row of copied) {
      const expected = rows[at++] as Row;
      if (row.some((value, i) => value !== expected[i]))
        throw differs(table, `another row ${keyOfRow(table, expected).join(", ")}`);
    }
  }
}

/** Returns the greatest key before that of a row. */
function before(table: LogTable, row: Row): number[] {
  const key = [...keyOfRow(table, row)];
  key[key.length - 1] = (key.at(-1) as number) - 1;
  return key;
}

function differs({ name }: LogTable, received: string): Error {
  return new Error(
    `expected a copy of each row of ${name}, but the copy has ${received}. Remove the copy and start again`,
  );
}

function advance(work: Work, rows: number): void {
  work.done += rows;
  work.onProgress(Math.min(work.done, work.total), Math.max(1, work.total));
}

/** @throws {Interrupted} the copy was told to stop @throws {Error} the lock of one of the logs was lost */
async function expectGoingOn({ source, target, signal }: Work): Promise<void> {
  if (signal?.aborted) throw new Interrupted("The copy was interrupted. Run the same command again to continue.");
  await Promise.all([source.expectLocked(), target.expectLocked()]);
}
