/**
 * Recognises the table of a row by its columns. The page that lists the tables may be damaged, and no two tables of the
 * log have rows of the same form.
 */
import { keyOf } from "../records/episode-id.js";
import { isVerdict, type MarkKind, markKinds } from "../records/episode-state.js";
import type { AliasRow } from "../records/protocol.js";
import { isSoundRow, nameOfRow, summedColumns, type summedInSqlite } from "../records/row-sums.js";
import type { Row, Value } from "./rows.js";

/** A row of the log, as far as it can be recognised. `key` is the row's rowid. */
export type LogRow =
  | { kind: "episode"; key: number; values: Value[] }
  | { kind: "resetResult"; key: number; text: string; sum: number | null }
  | { kind: "page"; key: number; text: string; sum: number | null; atMs: number | null }
  | { kind: "extent"; episode: number; lastIndex: number; places: number[] }
  | { kind: "mark"; key: number; episode: number; mark: MarkKind; detail: string; atMs: number }
  | { kind: "alias"; key: number; alias: AliasRow; atMs: number | null }
  | { kind: "indexed"; upTo: number }
  | { kind: "lastKey"; key: number }
  | { kind: "root"; page: number; table: string }
  /** A row whose checksum is wrong. `marked` is the episode of a mark. */
  | { kind: "damaged"; part: string; marked: number | null };

/** Columns of an episode, in the order in which a row stores them before its checksum. The key is the rowid. */
const episodeColumns = summedColumns.episodes;

/** Returns null for a row of an index, and for a row whose values cannot be a row of the log. */
export function recognise({ rowid, values }: Row): LogRow | null {
  if (rowid === null) return extentOf(values);
  const [first, second, third, fourth, fifth = null] = values;
  switch (values.length) {
    case 1:
      return isCount(first) ? { kind: "indexed", upTo: first } : null;
    case 2:
      if (first === "episodes" && isCount(second)) return { kind: "lastKey", key: second };
      if (isCount(first)) return checked("indexed", [first], second, { kind: "indexed", upTo: first });
      return storedText(rowid, values);
    case 3:
      return storedText(rowid, values);
    case 4:
      if (first === null) return storedText(rowid, values);
      return markOf(rowid, values, null) ?? aliasOf(rowid, values, null);
    case 5:
      if (isText(first) && isText(third) && isCount(fourth)) return { kind: "root", page: fourth, table: third };
      return markOf(rowid, values, fifth) ?? aliasOf(rowid, values, null);
    case 6:
      return aliasOf(rowid, values, values[5]);
    default:
      return episodeOf(rowid, values);
  }
}

/**
 * @param sum checksum of the row, or null in a log without them @param row the recognised row, if its checksum is
 *   correct
 */
function checked(
  table: keyof typeof summedInSqlite,
  values: readonly Value[],
  sum: Value | undefined,
  row: LogRow,
): LogRow {
  if (isSoundRow(values, (sum ?? null) as number | null)) return row;
  return { kind: "damaged", part: nameOfRow(table, values), marked: row.kind === "mark" ? row.episode : null };
}

function episodeOf(key: number, values: readonly Value[]): LogRow | null {
  const row = [key, ...values.slice(1, episodeColumns.length)];
  const sum = values[episodeColumns.length];
  return isEpisode(key, values) ? checked("episodes", row, sum, { kind: "episode", key, values: row }) : null;
}

function markOf(key: number, [episode, mark, detail, atMs]: Value[], sum: Value): LogRow | null {
  if (!isCount(episode) || !isText(mark) || !isText(detail) || !isCount(atMs)) return null;
  const row = checked("marks", [episode, mark, detail, atMs], sum, {
    kind: "mark",
    key,
    episode,
    mark: mark as MarkKind,
    detail,
    atMs,
  });
  return row.kind === "damaged" || (isMark(mark) && isDetail(mark, detail)) ? row : null;
}

/** A reset result is a JSON object, and has no time. Each line pair of a page begins with a JSON array. */
function storedText(key: number, [id, text, sum = null, atMs = null]: Value[]): LogRow | null {
  if (id !== null || !isText(text) || !(sum === null || isCount(sum)) || !isTime(atMs)) return null;
  return text.startsWith("{") ? { kind: "resetResult", key, text, sum } : { kind: "page", key, text, sum, atMs };
}

function aliasOf(
  key: number,
  [namespace, alias, owner, episodeId = null, atMs = null]: Value[],
  sum: Value | undefined,
): LogRow | null {
  if (!isText(namespace) || !isCount(alias) || !isText(owner) || !isTime(atMs)) return null;
  if (episodeId !== null && !isText(episodeId)) return null;
  const row: LogRow = { kind: "alias", key, alias: { namespace, alias, owner, episodeId }, atMs };
  return checked("handles", [namespace, alias, owner, episodeId, atMs], sum, row);
}

function extentOf([episode, lastIndex, firstPage, places, ...more]: Value[]): LogRow | null {
  if (!isCount(episode) || !isCount(lastIndex) || !isCount(firstPage) || !isText(places)) return null;
  if (!more.every(isCount)) return null;
  const parsed = jsonOf(places);
  if (!Array.isArray(parsed) || !parsed.every(isCount)) return null;
  const [lastPage = null, bytes = null, sum] = more;
  const row: LogRow = { kind: "extent", episode, lastIndex, places: parsed };
  return checked("extents", [episode, lastIndex, firstPage, lastPage, places, bytes], sum, row);
}

function isEpisode(key: number, values: readonly Value[]): boolean {
  if (values.length < episodeColumns.length || values[0] !== null) return false;
  const texts = ["id", "environment", "split", "options", "owner"] as const;
  const counts = ["taskIndex", "maxSteps", "leaseMs"] as const;
  const optional = ["parent", "idempotencyKey", "requestDigest"] as const;
  const value = (column: (typeof episodeColumns)[number]) => values[episodeColumns.indexOf(column)] as Value;
  return (
    texts.every((column) => isText(value(column))) &&
    counts.every((column) => isCount(value(column))) &&
    optional.every((column) => value(column) === null || isText(value(column))) &&
    Number.isSafeInteger(value("seed")) &&
    Number.isSafeInteger(value("createdAtMs")) &&
    keyOf(value("id") as string) === key &&
    isObject(jsonOf(value("options") as string))
  );
}

function isMark(value: Value | undefined): value is MarkKind {
  return isText(value) && (markKinds as readonly string[]).includes(value);
}

/** The details of failures, verdicts and notes are JSON. Other marks have no detail. */
function isDetail(mark: MarkKind, detail: string): boolean {
  if (mark === "solved" || mark === "unsolved") return isVerdict(detail);
  return (mark !== "failed" && mark !== "note") || isObject(jsonOf(detail));
}

function isText(value: Value | undefined): value is string {
  return typeof value === "string";
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** A wrong clock may show a time before 1970. */
function isTime(value: Value): value is number | null {
  return value === null || Number.isSafeInteger(value);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
