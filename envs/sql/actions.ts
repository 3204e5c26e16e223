/**
 * Parses actions. The first word of an action is its name, and the rest is its argument:
 *
 *     schema              all tables
 *     schema TABLE        one table, with its first rows
 *     query SQL           one or more lines, with or without ```sql fences
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

/** Returns the SQL in a text: the content of the last code fence, or the whole text if it has no fence. */
export function sqlIn(text: string): string {
  const parts = text.split("```");
  // Parts with an odd index are inside fences. The last fence may be unclosed.
  const last = parts.length < 2 ? undefined : parts[parts.length % 2 === 0 ? parts.length - 1 : parts.length - 2];
  return (last === undefined ? text : last.replace(/^(sql|sqlite)\b/i, "")).trim();
}

/** Returns the SQL in an answer, with or without the word `submit`. */
export function sqlOfAnswer(answer: string): string {
  const action = readAction(answer);
  return action.kind === "submit" ? action.sql : sqlIn(answer);
}
