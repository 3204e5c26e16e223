/** The rows of one transaction, and the single statement that writes them. */
import type { AliasRow, EpisodeRow } from "../../records/protocol.js";
import type { Statement } from "../session/session.js";
import { addBytes, episodeColumns, extentColumns, insertSummed, rowsOf } from "../session/sql.js";
import type { ExtentRow } from "./extents.js";

export interface PageRow {
  page: number;
  lines: string;
  sum: number;
}

interface OpeningRow {
  episode: number;
  opening: string;
  sum: number;
}

interface MarkRow {
  episode: number;
  kind: string;
  detail: string;
  atMs: number;
}

/** Rows of a transaction, except its pages, by table. */
export class TurnRows {
  readonly episodes: EpisodeRow[] = [];
  readonly openings: OpeningRow[] = [];
  /** Forks, which get the reset result and the mark of the expert from their parents. */
  readonly forks: { episode: number; parent: number }[] = [];
  readonly marks: MarkRow[] = [];
  readonly aliases: (AliasRow & { atMs: number })[] = [];
  readonly extents: ExtentRow[] = [];
  /** Bytes of owners. Those of a new episode count only if the episode is created. */
  readonly usage: { owner: string; bytes: number; episode: number | null }[] = [];
}

/** Table expressions that write the rows of one kind. `$n` is the parameter with the rows as a JSON array. */
const inserts: readonly [keyof TurnRows & string, (n: number) => string][] = [
  [
    "episodes",
    // Transactions that create episodes with the same idempotency keys wait for each other. They lock the keys in one
    // order, to avoid deadlocks.
    (
      n,
    ) => `episode AS (${insertSummed("episodes")} FROM fence, ${rowsOf(n, episodeColumns)} ORDER BY r.owner, r."idempotencyKey"
      ON CONFLICT (owner, "idempotencyKey") WHERE "idempotencyKey" IS NOT NULL DO NOTHING RETURNING key)`,
  ],
  [
    "openings",
    (n) => `opening AS (INSERT INTO palestra.openings
      SELECT r.* FROM ${rowsOf(n, { episode: "bigint", opening: "text", sum: "bigint" })} JOIN episode ON key = r.episode)`,
  ],
  [
    "forks",
    (n) => `fork AS (SELECT r.* FROM fence, ${rowsOf(n, { episode: "bigint", parent: "bigint" })}),
      forkedOpening AS (INSERT INTO palestra.openings
        SELECT fork.episode, opening, sum FROM fork JOIN palestra.openings o ON o.episode = parent),
      forkedMark AS (${insertSummed("marks")} FROM (
        SELECT DISTINCT ON (fork.episode) fork.episode, kind, detail, "atMs"
          FROM fork JOIN palestra.marks m ON m.episode = parent AND kind = 'expert') AS r)`,
  ],
  [
    "marks",
    (n) =>
      `mark AS (${insertSummed("marks")} FROM fence, ${rowsOf(n, { episode: "bigint", kind: "text", detail: "text", atMs: "bigint" })})`,
  ],
  [
    "aliases",
    (n) =>
      `alias AS (${insertSummed("aliases")} FROM fence, ${rowsOf(n, { namespace: "text", alias: "bigint", owner: "text", episodeId: "text", atMs: "bigint" })})`,
  ],
  ["extents", (n) => `extent AS (${insertSummed("extents")} FROM fence, ${rowsOf(n, extentColumns)})`],
  [
    "usage",
    (n) => `used AS (INSERT INTO palestra.usage AS usage
      SELECT owner, $1, sum(bytes) FROM fence, ${rowsOf(n, { owner: "text", bytes: "bigint", episode: "bigint" })}
        WHERE r.episode IS NULL OR r.episode IN (SELECT key FROM episode) GROUP BY owner ORDER BY owner ${addBytes})`,
  ],
];

export interface TurnParts {
  incarnation: number;
  /** Number of the transaction: one more than the number of the transaction before it. */
  turn: number;
  /** Random text of the transaction, the same in all attempts. */
  nonce: string;
  /** Random text of the transaction before it, or null before the first one. */
  before: string | null;
  pages: readonly PageRow[];
  atMs: number;
  rows: TurnRows;
}

/**
 * Returns the statement of a transaction. A successful statement returns one row with the keys of the created episodes.
 * The statement returns no row and changes nothing if the incarnation is fenced, or if its newest transaction is not
 * the previous one. An episode is not created if another gym has created one with the same owner and idempotency key.
 */
export function turnStatement({ incarnation, turn, nonce, before, pages, atMs, rows }: TurnParts): Statement {
  const values: unknown[] = [incarnation, turn, before, nonce];
  const parts = [
    `fence AS (UPDATE palestra.fences SET turn = $2::bigint, nonce = $4::text
      WHERE incarnation = $1::bigint AND live AND turn = $2::bigint - 1 AND nonce IS NOT DISTINCT FROM $3::text RETURNING 1)`,
  ];
  if (pages.length > 0) {
    const places = pages.map(({ page, lines, sum }) => {
      const first = values.push(page, lines, sum) - 2;
      return `($${first}::bigint, $${first + 1}::text, $${first + 2}::bigint)`;
    });
    const time = values.push(atMs);
    parts.push(`page AS (INSERT INTO palestra.pages
      SELECT v.*, $${time}::bigint FROM fence, (VALUES ${places.join(", ")}) AS v)`);
  }
  const kinds = inserts.filter(([kind]) => rows[kind].length > 0 || (kind === "episodes" && rows.usage.length > 0));
  for (const [kind, insert] of kinds) parts.push(insert(values.push(JSON.stringify(rows[kind]))));
  const created = rows.episodes.length > 0 ? "ARRAY(SELECT key FROM episode)" : "'{}'::bigint[]";
  const text = `WITH ${parts.join(", ")} SELECT ${created} AS created FROM fence`;
  // Statements with many pages have no name: they are rare, and each name takes memory in the database.
  const isCommon = pages.length <= mostNamedPages;
  return { text, values, ...(isCommon && { name: `turn-${pages.length}-${kinds.map(([kind]) => kind).join("-")}` }) };
}

const mostNamedPages = 2;
