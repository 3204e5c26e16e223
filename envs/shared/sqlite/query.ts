/** Runs a query and returns its rows as text of limited size. */
import type Database from "better-sqlite3";
import type { QueryAnswer } from "./request.js";
import { prepareReading } from "./statement.js";

/** Default for the maximum number of rows in the text. */
export const mostShown = 50;
/** Maximum number of rows that a query reads in order to count them. */
export const mostCounted = 10_000;
/** Maximum number of characters of the whole text (`mostText`) and of one cell (`mostCell`). */
const mostText = 8_000;
const mostCell = 200;

/**
 * Runs a query. An SQL error is returned, not thrown.
 *
 * @param most maximum number of rows in the text
 */
export function runQuery(database: Database.Database, sql: string, most = mostShown): QueryAnswer {
  try {
    // Without safe integers, an integer over 2^53 would be shown rounded.
    const statement = prepareReading(database, sql).safeIntegers();
    const lines = [
      statement
        .columns()
        .map(({ name }) => cut(name))
        .join(" | "),
    ];
    let rows = 0;
    for (const row of statement.iterate()) {
      rows += 1;
      if (rows <= most) lines.push(row.map(shown).join(" | "));
      if (rows > mostCounted) break;
    }
    return { kind: "rows", text: `${bounded(lines)}\n${countText(rows, lines)}`, rows: Math.min(rows, mostCounted) };
  } catch (error) {
    return { kind: "error", text: `Error: ${(error as Error).message}` };
  }
}

/** Formats a cell like an SQL literal, but writes text without quotation marks. */
export function shown(cell: unknown): string {
  if (cell === null) return "NULL";
  if (Buffer.isBuffer(cell)) return cut(`x'${cell.subarray(0, mostCell).toString("hex")}'`);
  return cut(String(cell).replace(/[\n\r]/g, (end) => (end === "\n" ? "\\n" : "\\r")));
}

function cut(text: string): string {
  return text.length <= mostCell ? text : `${text.slice(0, mostCell)}…`;
}

/** Joins the lines up to the maximum length of the text, and removes the other lines from the list. */
function bounded(lines: string[]): string {
  let length = 0;
  const fitting = lines.findIndex((line) => {
    length += line.length + 1;
    return length > mostText;
  });
  if (fitting >= 0) lines.length = Math.max(1, fitting);
  return lines.join("\n").slice(0, mostText);
}

function countText(rows: number, { length }: readonly string[]): string {
  const total = rows > mostCounted ? `more than ${mostCounted} rows` : rows === 1 ? "1 row" : `${rows} rows`;
  return rows > length - 1 ? `(${total}, of which the first ${length - 1} are shown)` : `(${total})`;
}
