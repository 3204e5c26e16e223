/** Compares the rows of two queries. The order of columns matters, and the names of columns do not. */
import type Database from "better-sqlite3";
import type { Comparison } from "./request.js";
import { prepareReading, Refused } from "./statement.js";

type Row = readonly unknown[];

/** Relative tolerance for numbers, because the rounding of a sum depends on the order of its terms. */
const tolerance = 1e-9;
/** Absolute tolerance for numbers near zero, whose difference may be only a rounding error. */
const leastDifference = 1e-12;
/** Maximum number of rows of a gold query. The answers of questions are far smaller. */
const mostRows = 200_000;

/**
 * Returns the rows of the gold query, with integers as bigint.
 *
 * @throws {Error} the gold query fails
 */
export function goldRows(database: Database.Database, gold: string): Row[] {
  const rows: Row[] = [];
  for (const row of prepareReading(database, gold).safeIntegers().iterate()) {
    if (rows.length >= mostRows)
      throw new Error(`expected a gold query of at most ${mostRows} rows, but received more than ${mostRows}`);
    rows.push(row);
  }
  return rows;
}

/** Compares submitted SQL with the gold rows. An SQL error counts as a difference. */
export function compareTo(
  gold: readonly Row[],
  width: number,
  database: Database.Database,
  sql: string,
  ordered: boolean,
): Comparison {
  try {
    const statement = prepareReading(database, sql).safeIntegers();
    const columns = statement.columns().length;
    if (columns !== width) return differs(`expected ${width} columns, but received ${columns}`);
    const rows: Row[] = [];
    for (const row of statement.iterate()) {
      if (rows.length >= gold.length)
        return differs(`expected ${gold.length} rows, but received more than ${gold.length}`);
      rows.push(row);
    }
    if (rows.length < gold.length) return differs(`expected ${gold.length} rows, but received ${rows.length}`);
    if (isSameList(gold, rows)) return { equal: true };
    if (!ordered && isSameMultiset(gold, rows)) return { equal: true };
    return differs(
      `expected the ${gold.length} right rows${ordered ? " in the right order" : ""}, but received different rows`,
    );
  } catch (error) {
    const kind = error instanceof Refused ? "a statement that reads" : "a query that runs";
    return differs(`expected ${kind}, but received ${(error as Error).message}`);
  }
}

export function isSameList(left: readonly Row[], right: readonly Row[]): boolean {
  return left.length === right.length && left.every((row, at) => isSameRow(row, right[at] as Row));
}

/**
 * Whether two lists contain the same rows in any order. For speed, rows are first grouped by their non-numeric cells.
 */
export function isSameMultiset(left: readonly Row[], right: readonly Row[]): boolean {
  if (left.length !== right.length) return false;
  const groups = groupsOf(left);
  const others = groupsOf(right);
  return [...groups].every(([key, rows]) => {
    const match = others.get(key);
    return match !== undefined && isSameGroup(rows, match);
  });
}

function isSameGroup(left: Row[], right: Row[]): boolean {
  if (left.length !== right.length) return false;
  left.sort(byNumbers);
  right.sort(byNumbers);
  if (isSameList(left, right)) return true;
  // Numbers that differ by rounding may be sorted differently, so each row may match any row that is left.
  const rest = [...right];
  return left.every((row) => {
    const at = rest.findIndex((other) => isSameRow(row, other));
    if (at >= 0) rest.splice(at, 1);
    return at >= 0;
  });
}

function groupsOf(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = JSON.stringify(row.map(withoutNumber));
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

function withoutNumber(cell: unknown): unknown {
  if (isNumber(cell)) return 0;
  return Buffer.isBuffer(cell) ? [cell.toString("hex")] : cell;
}

function byNumbers(left: Row, right: Row): number {
  for (const [at, cell] of left.entries()) {
    const other = right[at];
    // A bigint and a number are compared by value.
    if (isNumber(cell) && isNumber(other) && (cell < other || cell > other)) return cell < other ? -1 : 1;
  }
  return 0;
}

function isSameRow(left: Row, right: Row): boolean {
  return left.length === right.length && left.every((cell, at) => isSameCell(cell, right[at]));
}

export function isSameCell(left: unknown, right: unknown): boolean {
  if (isNumber(left) && isNumber(right)) return isSameNumber(left, right);
  if (Buffer.isBuffer(left) && Buffer.isBuffer(right)) return left.equals(right);
  return left === right;
}

/** Whether a cell is numeric. SQLite returns integers as bigint and reals as number. */
function isNumber(cell: unknown): cell is number | bigint {
  return typeof cell === "number" || typeof cell === "bigint";
}

/**
 * Whether two numbers are equal. Whole numbers are compared exactly, because similar long identifiers must count as
 * different. Only two reals that are too large to be exact may differ by rounding.
 */
function isSameNumber(left: number | bigint, right: number | bigint): boolean {
  // Neither is less: a bigint and a number are compared by value, as in SQLite.
  if (left <= right && left >= right) return true;
  const [one, other] = [Number(left), Number(right)];
  if (Number.isInteger(one) && Number.isInteger(other) && (isExact(left) || isExact(right))) return false;
  if (!Number.isFinite(one) || !Number.isFinite(other)) return false;
  return Math.abs(one - other) <= Math.max(leastDifference, tolerance * Math.max(Math.abs(one), Math.abs(other)));
}

function isExact(value: number | bigint): boolean {
  return typeof value === "bigint" || Number.isSafeInteger(value);
}

function differs(why: string): Comparison {
  return { equal: false, why };
}
