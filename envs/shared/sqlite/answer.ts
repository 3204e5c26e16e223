import type Database from "better-sqlite3";
import { Recent } from "../kept/recent.js";
import { compareTo, goldRows } from "./compare.js";
import { describe } from "./describe.js";
import { runQuery } from "./query.js";
import type { DatabaseAnswers, DatabaseRequest } from "./request.js";
import { prepareReading } from "./statement.js";

/**
 * Answers a request about an open database.
 *
 * @param begin starts the time limit; called immediately before the submitted SQL runs
 * @throws {Error} the gold query fails
 */
export function answerAbout(
  database: Database.Database,
  request: DatabaseRequest<unknown>,
  begin: () => void,
): DatabaseAnswers[DatabaseRequest<unknown>["op"]] {
  if (request.op === "describe") return describe(database, request.table);
  if (request.op === "query") {
    begin();
    return runQuery(database, request.sql, request.rows);
  }
  const { gold, sql, ordered } = request;
  const { rows, width } = goldOf(database, gold);
  begin();
  return compareTo(rows, width, database, sql, ordered);
}

interface Gold {
  rows: ReturnType<typeof goldRows>;
  /** Number of columns. */
  width: number;
}

/**
 * Number of cached gold queries per database. The cache helps because all answers of a group are compared with the same
 * gold rows.
 */
const mostKept = 32;
/** Maximum number of rows of a gold query whose result is cached. */
const mostKeptRows = 1_000;
const kept = new WeakMap<Database.Database, Recent<Gold>>();

function goldOf(database: Database.Database, gold: string): Gold {
  const ofDatabase = kept.get(database) ?? new Recent<Gold>(mostKept);
  kept.set(database, ofDatabase);
  const known = ofDatabase.get(gold);
  if (known) return known;
  const rows = goldRows(database, gold);
  const made = { rows, width: prepareReading(database, gold).columns().length };
  return rows.length > mostKeptRows ? made : ofDatabase.set(gold, made);
}
