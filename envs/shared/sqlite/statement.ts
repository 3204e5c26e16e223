/** Checks that SQL consists of one statement that only reads. */
import type Database from "better-sqlite3";
import { prepareWithTexts } from "./double-quoted.js";

/** Maximum length of SQL in characters. */
const longestSql = 20_000;
const first = ["select", "with", "values", "explain"];
/** Regular expression for a table function that would reveal file paths of the machine. */
const forbidden = /\bpragma_database_list\b/i;

/** Error if SQL is refused before it runs. The message is for the agent. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/**
 * Prepares a statement that returns each row as a list of cells. A name in double quotes that no column has is a text.
 *
 * @throws {Refused} the SQL writes, or does not begin with an allowed word
 * @throws {Error} SQLite's own error, for example for several statements
 */
export function prepareReading(database: Database.Database, sql: string): Database.Statement<[], unknown[]> {
  check(sql);
  const statement = prepareWithTexts(database, sql);
  if (!statement.readonly || !statement.reader)
    throw new Refused("expected a statement that reads, but received a statement that writes");
  return statement.raw();
}

function check(sql: string): void {
  if (sql.length > longestSql)
    throw new Refused(`expected SQL of at most ${longestSql} characters, but received ${sql.length}`);
  if (sql.includes("\0")) throw new Refused("the SQL contains a NUL character. Remove it.");
  const word = firstWord(sql);
  if (word === "") throw new Refused("expected a SELECT statement, but received an empty text");
  if (!first.includes(word.toLowerCase()))
    throw new Refused(`expected a statement that begins with SELECT, WITH, VALUES or EXPLAIN, but received ${word}`);
  if (forbidden.test(sql)) throw new Refused("the SQL uses pragma_database_list, which is not allowed.");
}

/** Returns the first word after white space and comments. */
function firstWord(sql: string): string {
  let at = 0;
  for (;;) {
    while (at < sql.length && /\s/.test(sql[at] as string)) at += 1;
    const end = sql.startsWith("--", at)
      ? sql.indexOf("\n", at)
      : sql.startsWith("/*", at)
        ? sql.indexOf("*/", at)
        : -2;
    if (end === -2) break;
    if (end === -1) return "";
    at = end + (sql[end] === "*" ? 2 : 1);
  }
  return /^[a-z_]+|^\S/i.exec(sql.slice(at, at + 50))?.[0] ?? "";
}
