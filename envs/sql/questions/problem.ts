/** Generates a question, and checks that the databases make it a good question. */
import type Database from "better-sqlite3";
import { compareTo, goldRows } from "../../shared/sqlite/compare.js";
import { prepareReading } from "../../shared/sqlite/statement.js";
import { randomOf } from "../engine/random.js";
import type { Problem } from "../engine/request.js";
import type { Schema } from "../schemas/schema.js";
import { Ask, type Draft, type Family } from "./ask.js";
import { families } from "./families.js";

/** Maximum number of drafts before the generation fails. */
const mostTries = 400;
/** Maximum number of rows in the answer to a question. */
const mostRows = 400;

/**
 * Generates a problem.
 *
 * @param databases databases of the schema. The agent sees the first database. An answer must be right on all
 * databases.
 * @throws {Error} no draft was a good question
 */
export function makeProblem(
  schema: Schema,
  databases: readonly Database.Database[],
  name: string,
  seed: number,
): Problem {
  const family = families[name] as Family;
  const ask = new Ask(schema, databases[0] as Database.Database, randomOf(seed, `${schema.name} ${name}`));
  for (let tried = 0; tried < mostTries; tried++) {
    const draft = family.build(ask);
    if (!draft || !isGood(draft, schema, databases)) continue;
    const { gold, order } = draft;
    return {
      question: wording(draft),
      gold,
      ordered: order !== undefined,
      family: name,
      difficulty: family.difficulty,
    };
  }
  throw new Error(`no draft of the family ${name} is a good question about the schema ${schema.name}`);
}

function wording({ question, columns, order }: Draft): string {
  const list = columns.length === 1 ? columns[0] : `${columns.slice(0, -1).join(", ")} and ${columns.at(-1)}`;
  const count = columns.length === 1 ? "one column" : `${columns.length} columns in this order`;
  const rows = order === undefined ? "The order of the rows does not matter." : `Order the rows by ${order}.`;
  return `${question}\nReturn ${count}: ${list}. ${rows}`;
}

/**
 * Whether a draft is a good question. The answer must have rows, and the rows must differ between the databases. A
 * guess or a likely mistake must not give the same rows.
 */
function isGood(draft: Draft, schema: Schema, databases: readonly Database.Database[]): boolean {
  const results = databases.map((database) => goldRows(database, draft.gold));
  const [rows] = results as [unknown[][]];
  if (rows.length === 0 || rows.length > mostRows || isTrivial(rows)) return false;
  const ordered = draft.order !== undefined;
  const gives = (sql: string) =>
    databases.every(
      (database, at) =>
        compareTo(results[at] as unknown[][], width(database, draft.gold), database, sql, ordered).equal,
    );
  const constant = `VALUES ${rows.map((row) => `(${row.map(constantOf).join(", ")})`).join(", ")}`;
  const guesses = schema.tables.flatMap(({ name, columns }) => [
    `SELECT COUNT(*) FROM ${name}`,
    `SELECT * FROM ${name}`,
    ...columns.flatMap((column) => [
      `SELECT ${column.name} FROM ${name}`,
      `SELECT DISTINCT ${column.name} FROM ${name}`,
    ]),
  ]);
  return ![constant, ...(draft.traps ?? []), ...guesses].some(gives);
}

function isTrivial(rows: readonly unknown[][]): boolean {
  return rows.every((row) => row.every((cell) => cell === null || cell === 0 || cell === 0n));
}

function width(database: Database.Database, sql: string): number {
  return prepareReading(database, sql).columns().length;
}

function constantOf(cell: unknown): string {
  if (typeof cell === "number" || typeof cell === "bigint") return String(cell);
  return cell === null ? "NULL" : `'${String(cell).replaceAll("'", "''")}'`;
}
