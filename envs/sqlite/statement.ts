/** Checks that SQL is one statement that only reads. */
import type Database from "better-sqlite3";

/** Maximum number of characters of SQL. */
const longestSql = 20_000;
const first = ["select", "with", "values", "explain"];
/** Matches a function that would reveal file paths of the machine. */
const forbidden = /\bpragma_database_list\b/i;

/** SQL was refused before it ran. The message is for the agent. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/**
 * Prepares the statement. The rows of the statement are returned as lists.
 *
 * @throws {Refused} the SQL writes, or has several statements
 * @throws {Error} SQLite's own error
 */
export function prepareReading(database: Database.Database, sql: string): Database.Statement<[], unknown[]> {
  check(sql);
  const statement = database.prepare<[], unknown[]>(sql);
  if (!statement.readonly || !statement.reader)
    throw new Refused("expected a statement that reads, but received one that writes");
  return statement.raw();
}

function check(sql: string): void {
  if (sql.length > longestSql)
    throw new Refused(`expected SQL of at most ${longestSql} characters, but received ${sql.length}`);
  if (sql.includes("\0")) throw new Refused("expected SQL without NUL characters, but received one");
  const word = firstWord(sql);
  if (word === "") throw new Refused("expected a SELECT statement, but received no SQL");
  if (!first.includes(word.toLowerCase()))
    throw new Refused(`expected a statement that begins with SELECT, WITH, VALUES or EXPLAIN, but received ${word}`);
  if (forbidden.test(sql)) throw new Refused("expected no pragma_database_list, but received it");
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
