/** The rows of a query as text, within limits. */
import type Database from "better-sqlite3";
import type { QueryAnswer } from "./request.js";
import { prepareReading } from "./statement.js";

/** Rows that are shown where the caller names no other number. */
export const mostShown = 50;
/** Rows that are counted. */
export const mostCounted = 10_000;
/** Characters of all that is shown, and of one cell. */
const mostText = 8_000;
const mostCell = 200;

/** An error of the SQL is an answer. @param most rows that are shown */
export function runQuery(database: Database.Database, sql: string, most = mostShown): QueryAnswer {
  try {
    const statement = prepareReading(database, sql);
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

/** A cell as SQL would write it, but text without quotation marks. */
export function shown(cell: unknown): string {
  if (cell === null) return "NULL";
  if (Buffer.isBuffer(cell)) return cut(`x'${cell.subarray(0, mostCell).toString("hex")}'`);
  return cut(String(cell).replace(/[\n\r]/g, (end) => (end === "\n" ? "\\n" : "\\r")));
}

function cut(text: string): string {
  return text.length <= mostCell ? text : `${text.slice(0, mostCell)}…`;
}

/** As many of the lines as fit. The others are removed. */
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
