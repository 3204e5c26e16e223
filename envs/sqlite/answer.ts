import type Database from "better-sqlite3";
import { compareTo, goldRows } from "./compare.js";
import { describe } from "./describe.js";
import { runQuery } from "./query.js";
import type { DatabaseAnswers, DatabaseRequest } from "./request.js";
import { prepareReading } from "./statement.js";

/**
 * Answers a request about a database that is open.
 *
 * @param begin is called where the caller's SQL begins to run
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
  const rows = goldRows(database, gold);
  const width = prepareReading(database, gold).columns().length;
  begin();
  return compareTo(rows, width, database, sql, ordered);
}
