/**
 * Pairs of queries with equal or different rows, where the second query is derived from the first. If the effect of a
 * change depends on the rows, a case is only made for suitable rows.
 */
import type Database from "better-sqlite3";

export type Cell = string | number | bigint | null | Buffer;
export type Row = readonly Cell[];

export interface Case {
  /** Change that gives the second query. */
  change: string;
  gold: string;
  sql: string;
  ordered: boolean;
  equal: boolean;
}

/** A gold query with its rows. */
export interface Gold {
  sql: string;
  ordered: boolean;
  columns: number;
  rows: readonly Row[];
}

export function goldOf(database: Database.Database, sql: string, ordered: boolean): Gold {
  const statement = database.prepare<[], Row>(sql).raw().safeIntegers();
  return { sql, ordered, columns: statement.columns().length, rows: statement.all() };
}

/** Returns a query that gives these rows in this order on any database. */
export function literalQuery(rows: readonly Row[]): string {
  const names = (rows[0] as Row).map((_, at) => `c${at}`);
  const values = rows.map((row, place) => `(${[place, ...row.map(literal)].join(", ")})`);
  return `WITH listed(place, ${names.join(", ")}) AS (VALUES ${values.join(", ")}) SELECT ${names.join(", ")} FROM listed ORDER BY place`;
}

export function literal(cell: Cell): string {
  if (cell === null) return "NULL";
  if (typeof cell === "bigint") return String(cell);
  // A fraction or an exponent makes the literal a real.
  if (typeof cell === "number") return Number.isInteger(cell) ? `${cell}.0` : String(cell);
  return Buffer.isBuffer(cell) ? `x'${cell.toString("hex")}'` : `'${cell.replaceAll("'", "''")}'`;
}

/** Returns whether two cells differ by far more than any tolerance. */
export function isFar(left: Cell, right: Cell): boolean {
  if (isNumber(left) && isNumber(right)) {
    const [one, other] = [Number(left), Number(right)];
    return Math.abs(one - other) > 1e-3 * Math.max(1, Math.abs(one), Math.abs(other));
  }
  return typeof left !== typeof right || (left === null) !== (right === null) || String(left) !== String(right);
}

export function isNumber(cell: Cell | undefined): cell is number | bigint {
  return typeof cell === "number" || typeof cell === "bigint";
}

/** Returns all changes that fit a query. Changes of the order are omitted if it matters. */
export function casesOf(gold: Gold): Case[] {
  const made = [
    ...sameSyntax(gold),
    ...sameRows(gold),
    ...otherCounts(gold),
    ...otherOrders(gold),
    ...otherCells(gold),
  ];
  return made.map((each) => ({ ...each, gold: gold.sql, ordered: gold.ordered }));
}

type Made = Pick<Case, "change" | "sql" | "equal">;

const same = (change: string, sql: string): Made => ({ change, sql, equal: true });
const other = (change: string, sql: string): Made => ({ change, sql, equal: false });

/** Returns rewritings of the same query, or queries that wrap it without changing its rows. */
function sameSyntax({ sql, ordered, columns }: Gold): Made[] {
  const names = Array.from({ length: columns }, (_, at) => `c${at}`);
  const made = [same("comments and a semicolon", `/* an answer */ ${sql} -- of mine\n;`)];
  if (ordered) return made;
  const nulls = names.map(() => "NULL").join(", ");
  return [
    ...made,
    same("a subquery", `SELECT * FROM (${sql})`),
    same("a CTE", `WITH answer AS MATERIALIZED (${sql}) SELECT * FROM answer`),
    same(
      "other names",
      `WITH a(${names.join(", ")}) AS (${sql}) SELECT ${names.map((n) => `${n} AS "the ${n}"`).join(", ")} FROM a`,
    ),
    same("UNION ALL with no rows", `SELECT * FROM (${sql}) UNION ALL SELECT ${nulls} WHERE 0`),
    same("another order", `SELECT * FROM (${sql}) ORDER BY ${names.map((_, at) => `${at + 1} DESC`).join(", ")}`),
    same("a double negation", `SELECT * FROM (${sql}) WHERE NOT (NOT (1 = 1))`),
    same("a join with one row", `SELECT a.* FROM (${sql}) a CROSS JOIN (SELECT 1)`),
    same(
      "CASE of itself",
      `WITH a(${names.join(", ")}) AS (${sql}) SELECT ${names.map((n) => `CASE WHEN ${n} IS NULL THEN NULL ELSE ${n} END`).join(", ")} FROM a`,
    ),
  ];
}

/** Returns literal queries whose numbers differ within the tolerance. */
function sameRows({ rows, ordered, columns, sql }: Gold): Made[] {
  const changed = (change: (cell: Cell) => Cell) => literalQuery(rows.map((row) => row.map(change)));
  const has = (fits: (cell: Cell) => boolean) => rows.some((row) => row.some(fits));
  const isReal = (cell: Cell) => typeof cell === "number" && cell !== 0;
  const isDistinct = new Set(rows.map((row) => row.map(literal).join())).size === rows.length;
  const made = [same("the rows, written down", literalQuery(rows))];
  if (has(isReal))
    made.push(
      same(
        "reals off by 1e-12",
        changed((cell) => (isReal(cell) ? Number(cell) * (1 + 1e-12) : cell)),
      ),
    );
  if (has((cell) => typeof cell === "bigint"))
    made.push(
      same(
        "integers as reals",
        changed((cell) => (typeof cell === "bigint" ? Number(cell) : cell)),
      ),
    );
  if (isDistinct && !ordered) {
    made.push(same("DISTINCT of distinct rows", `SELECT DISTINCT * FROM (${sql})`));
    made.push(same("INTERSECT with itself", `SELECT * FROM (${sql}) INTERSECT SELECT * FROM (${sql})`));
  }
  const names = Array.from({ length: columns }, (_, at) => `c${at}`);
  const isNumeric = names.map((_, at) => rows.every((row) => row[at] === null || isNumber(row[at])));
  if (!ordered && isNumeric.includes(true)) {
    const neutral = names.map((name, at) => (isNumeric[at] ? `(${name} + 0) * 1 - 0` : name));
    made.push(
      same(
        "arithmetic that changes nothing",
        `WITH a(${names.join(", ")}) AS (${sql}) SELECT ${neutral.join(", ")} FROM a`,
      ),
    );
  }
  return made;
}

/** Returns queries with other numbers of rows or columns. */
function otherCounts({ sql, rows, columns }: Gold): Made[] {
  const copies = rows.length - new Set(rows.map((row) => row.map(literal).join())).size;
  return [
    other("one row less", `SELECT * FROM (${sql}) LIMIT ${rows.length - 1}`),
    other("one row twice", `SELECT * FROM (${sql}) UNION ALL SELECT * FROM (SELECT * FROM (${sql}) LIMIT 1)`),
    other("no rows", `SELECT * FROM (${sql}) WHERE 0`),
    other("a column more", `SELECT *, 1 FROM (${sql})`),
    other("all rows twice", `SELECT * FROM (${sql}) UNION ALL SELECT * FROM (${sql})`),
    ...(copies > 0 ? [other("DISTINCT of rows with copies", `SELECT DISTINCT * FROM (${sql})`)] : []),
    ...(columns > 1 ? [other("a column less", `WITH a AS (${sql}) SELECT 1 FROM a`)] : []),
  ];
}

/** Returns queries with columns or rows in another order. */
function otherOrders({ rows, ordered, columns }: Gold): Made[] {
  const made: Made[] = [];
  const [first, last] = [rows[0], rows.at(-1)] as [Row, Row];
  if (ordered && rows.length > 1 && first.some((cell, at) => isFar(cell, last[at] as Cell)))
    made.push(other("the order reversed", literalQuery([...rows].reverse())));
  if (columns < 2) return made;
  // The new first column has a value that the old one did not have.
  const isNew = rows.some(([, cell]) => rows.every(([before]) => isFar(cell as Cell, before as Cell)));
  if (isNew)
    made.push(other("two columns swapped", literalQuery(rows.map(([a, b, ...rest]) => [b, a, ...rest] as Row))));
  const second = rows.find((row) => isFar(row[0] as Cell, first[0] as Cell) && isFar(row[1] as Cell, first[1] as Cell));
  if (second) {
    const crossed = rows.map((row) => {
      if (row === first) return [row[0], second[1], ...row.slice(2)] as Row;
      return row === second ? ([row[0], first[1], ...row.slice(2)] as Row) : row;
    });
    made.push(other("the cells of two rows exchanged", literalQuery(crossed)));
  }
  return made;
}

/** Returns literal queries in which one cell differs. */
function otherCells({ rows }: Gold): Made[] {
  const made: Made[] = [];
  const change = (name: string, fits: (cell: Cell) => boolean, ...values: ((cell: Cell) => Cell)[]) => {
    const row = rows.find((each) => each.some(fits));
    if (!row) return;
    const at = row.findIndex(fits);
    for (const value of values) {
      const next = value(row[at] as Cell);
      const sql = literalQuery(
        rows.map((each) => (each === row ? each.map((cell, column) => (column === at ? next : cell)) : each)),
      );
      made.push(other(`${name} becomes ${literal(next)}`, sql));
    }
  };
  change(
    "NULL",
    (cell) => cell === null,
    () => 0n,
    () => "",
    () => "NULL",
  );
  change(
    "an integer",
    (cell) => typeof cell === "bigint",
    () => null,
    (cell) => String(cell),
    (cell) => (cell as bigint) + 1n,
  );
  change(
    "a text",
    (cell) => typeof cell === "string" && /[a-z]/.test(cell),
    (cell) => `${cell} `,
    (cell) => String(cell).toUpperCase(),
    () => null,
  );
  // Relative to the greatest real, so that the change exceeds all rounding errors.
  const greatest = Math.max(...rows.flat().map((cell) => (typeof cell === "number" ? Math.abs(cell) : 0)));
  if (greatest > 0 && rows.length < 500)
    change(
      "the greatest real",
      (cell) => typeof cell === "number" && Math.abs(cell) === greatest,
      (cell) => Number(cell) * (1 + 1e-6),
      (cell) => String(cell),
      () => null,
    );
  return made;
}
