/**
 * Text in double quotes. SQLite reads `"Ann"` as text by default if no column has this name, and public sets of queries
 * rely on it. The bundled SQLite is compiled without this rule (`SQLITE_DQS=0`), so the rule is applied here.
 */
import type Database from "better-sqlite3";

/** SQLite's error for a name in double quotes that no column has. */
const noColumn = /^no such column: "(.*)" - should this be a string literal in single-quotes\?$/s;

/** Regular expression for the parts of SQL that may contain any character: quoted names, texts and comments. */
export const quotedParts =
  /'[^']*(?:''[^']*)*'|"[^"]*(?:""[^"]*)*"|`[^`]*(?:``[^`]*)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;

/** A name in double quotes: its position in the SQL, and its length with the quotes. */
interface Place {
  at: number;
  length: number;
}

/**
 * Prepares a statement. Each name in double quotes that no column has is replaced by a text.
 *
 * @throws {Error} SQLite's error
 */
export function prepareWithTexts(database: Database.Database, sql: string): Database.Statement<[], unknown[]> {
  // Ends, because each round replaces one of the names.
  for (let text = sql; ; ) {
    try {
      return database.prepare<[], unknown[]>(text);
    } catch (error) {
      const name = noColumn.exec((error as Error).message)?.[1];
      const place = name === undefined ? undefined : placeOf(database, text, name);
      if (name === undefined || !place) throw error;
      text = replaced(text, place, `'${name.replaceAll("'", "''")}'`);
    }
  }
}

/**
 * Finds the name that SQLite's error is about. The same name may be a column elsewhere in the SQL. Written in backticks,
 * a name has the same meaning but another error, so the error shows which of the names it is.
 */
function placeOf(database: Database.Database, sql: string, name: string): Place | undefined {
  const other = `\`${name.replaceAll("`", "``")}\``;
  return placesOf(sql, name).find(
    (place) => errorOf(database, replaced(sql, place, other)) === `no such column: ${name}`,
  );
}

function placesOf(sql: string, name: string): Place[] {
  const quoted = `"${name.replaceAll('"', '""')}"`;
  const parts = [...sql.matchAll(quotedParts)].filter(([part]) => part === quoted);
  return parts.map(({ index }) => ({ at: index, length: quoted.length }));
}

function replaced(sql: string, { at, length }: Place, by: string): string {
  return sql.slice(0, at) + by + sql.slice(at + length);
}

function errorOf(database: Database.Database, sql: string): string | undefined {
  try {
    database.prepare(sql);
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}
