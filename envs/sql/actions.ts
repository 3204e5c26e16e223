/**
 * The text of actions. The first word names the action; what follows belongs to it:
 *
 *     schema              all tables
 *     schema TABLE        one table, with its first rows
 *     query SQL           of several lines if need be, within ```sql fences or not
 *     submit SQL
 */

export type Action =
  | { kind: "schema"; table?: string }
  | { kind: "query"; sql: string }
  | { kind: "submit"; sql: string }
  | { kind: "invalid" };

export function readAction(text: string): Action {
  const [, word = "", rest = ""] = /^\s*([A-Za-z]+)(?::?\s+([\s\S]*))?$/.exec(text) ?? [];
  const kind = word.toLowerCase();
  if (kind === "query" || kind === "submit") return { kind, sql: sqlIn(rest) };
  if (kind !== "schema") return { kind: "invalid" };
  const table = rest.trim().replace(/^["'`]|["'`]$/g, "");
  return table === "" ? { kind } : { kind, table };
}

/** The SQL of a text: what stands within its last fence, or else all of it. */
export function sqlIn(text: string): string {
  const parts = text.split("```");
  // An odd part stands within fences. The last may have been left open.
  const last = parts.length < 2 ? undefined : parts[parts.length % 2 === 0 ? parts.length - 1 : parts.length - 2];
  return (last === undefined ? text : last.replace(/^(sql|sqlite)\b/i, "")).trim();
}

/** SQL of an answer, which may be written as the action `submit`. */
export function sqlOfAnswer(answer: string): string {
  const action = readAction(answer);
  return action.kind === "submit" ? action.sql : sqlIn(answer);
}
