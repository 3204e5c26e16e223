import { GymLock } from "../postgres/session/gym-lock.js";
import { otherVersion, schemaVersion } from "../postgres/session/migrations.js";
import { pagesPerBlock, progressOfCopy } from "../postgres/session/schema.js";
import { checkedText, type StoredText } from "../records/damage.js";
import { unfinishedCopy } from "../sqlite/unfinished-copy.js";
import { boundedSelect } from "./bounded-select.js";
import { mostChunkRows } from "./chunks.js";
import { NewestExtents, ReaderWithNewest } from "./newest-extents.js";
import { PostgresTables } from "./postgres-tables.js";
import type { CopySource } from "./source.js";

/** A log in PostgreSQL that is copied. */
export class PostgresSource implements CopySource {
  private constructor(
    readonly tables: ReaderWithNewest,
    readonly highestKey: number,
    private readonly connection: PostgresTables,
    private readonly lock: GymLock,
  ) {}

  /** @throws {Error} another gym uses the database, or it has no log @throws {LogDamage} */
  static async open(url: string): Promise<PostgresSource> {
    const lock = await GymLock.takeOnce(url);
    try {
      const { connection, newest } = await openSnapshot(url, checkedText);
      const tables = new ReaderWithNewest(connection, newest);
      return new PostgresSource(tables, await highestKeyOf(connection), connection, lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  expectLocked(): Promise<void> {
    return this.lock.expectKept();
  }

  async close(): Promise<void> {
    await Promise.all([this.connection.close(), this.lock.release()]);
  }
}

export interface Snapshot {
  connection: PostgresTables;
  /** Extents of the newest steps, which their gyms have indexed only in memory. */
  newest: NewestExtents;
}

/**
 * Opens a connection whose reads all see the same state, also while gyms write.
 *
 * @param textOf returns the text of a page, or null to leave the page out
 * @throws {Error} the database has no log of the present version, or an unfinished copy
 */
export async function openSnapshot(
  url: string,
  textOf: (stored: StoredText, part: string) => string | null,
): Promise<Snapshot> {
  const connection = await PostgresTables.connect(url);
  try {
    await connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    await expectLog(connection);
    return { connection, newest: await newestExtents(connection, textOf) };
  } catch (error) {
    await connection.close();
    throw error;
  }
}

/** @throws {Error} the database has no log of the present version, or an unfinished copy */
async function expectLog(connection: PostgresTables): Promise<void> {
  const [found] = await connection.query<{ log: boolean; copying: boolean }>(
    `SELECT to_regclass('palestra.meta') IS NOT NULL AS log, to_regclass('${progressOfCopy}') IS NOT NULL AS copying`,
  );
  if (!found?.log) throw new Error("expected a database with an episode log, but it has no schema `palestra`");
  if (found.copying) throw new Error(unfinishedCopy("the database"));
  const [meta] = await connection.query<{ version: number }>("SELECT version FROM palestra.meta");
  if (meta?.version !== schemaVersion) throw new Error(otherVersion(meta?.version ?? 0));
}

async function newestExtents(
  connection: PostgresTables,
  textOf: (stored: StoredText, part: string) => string | null,
): Promise<NewestExtents> {
  const newest = new NewestExtents();
  const blocks = await connection.query<{ block: number; first: number; end: number }>(
    `SELECT block, greatest(coalesce(page, 0) + 1, block * ${pagesPerBlock}) AS first, (block + 1) * ${pagesPerBlock} AS end
      FROM palestra.fences JOIN palestra.blocks USING (incarnation) LEFT JOIN palestra.indexed USING (incarnation)
      WHERE NOT settled AND coalesce(page, 0) + 1 < (block + 1) * ${pagesPerBlock} ORDER BY block`,
  );
  for (const { block, first, end } of blocks)
    for (let from = first, isDone = false; !isDone; ) {
      const pages = await connection.query<StoredText & { page: number }>(selectPages, [from, end]);
      for (const { page, ...stored } of pages) {
        const lines = textOf(stored, `Page ${page}`);
        if (lines !== null) newest.add(block, page, lines);
        from = page + 1;
      }
      isDone = pages.length === 0;
    }
  return newest;
}

/** Selects pages from the number `$1` and before `$2`. */
const selectPages = boundedSelect({
  columns: ["page", "text", "sum"],
  texts: ["text"],
  from: "(SELECT page, lines AS text, sum FROM palestra.pages) AS pages WHERE page >= $1::bigint AND page < $2::bigint",
  keys: ["page"],
  most: mostChunkRows,
});

async function highestKeyOf(connection: PostgresTables): Promise<number> {
  const [highest] = await connection.query<{ key: number }>(
    `SELECT greatest("highestRemoved", (SELECT max(key) FROM palestra.episodes)) AS key FROM palestra.meta`,
  );
  return highest?.key ?? 0;
}
