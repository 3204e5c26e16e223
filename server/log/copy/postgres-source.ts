import { checkedText, type StoredText } from "../damage.js";
import { GymLock } from "../postgres/gym-lock.js";
import { otherVersion, schemaVersion } from "../postgres/migrations.js";
import { pagesPerBlock, progressOfCopy } from "../postgres/schema.js";
import { unfinishedCopy } from "../unfinished-copy.js";
import { ReaderWithNewest } from "./newest-extents.js";
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
    const lock = await GymLock.take(url);
    try {
      const { connection, newest } = await openSnapshot(url, checkedText);
      const tables = new ReaderWithNewest(connection, newest);
      return new PostgresSource(tables, await highestKeyOf(connection), connection, lock);
    } catch (error) {
      await lock.release();
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.connection.close(), this.lock.release()]);
  }
}

export interface Snapshot {
  connection: PostgresTables;
  /** Pages, by block, of each gym that has indexed its newest steps in memory only. */
  newest: Iterable<[number, string][]>;
}

/**
 * Connects for reads that all see the same moment, also while gyms write.
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
    return { connection, newest: await newestPages(connection, textOf) };
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

async function newestPages(
  connection: PostgresTables,
  textOf: (stored: StoredText, part: string) => string | null,
): Promise<Iterable<[number, string][]>> {
  const stored = await connection.query<StoredText & { page: number; block: number }>(
    `SELECT block, p.page, lines AS text, sum FROM palestra.fences f JOIN palestra.blocks USING (incarnation)
        LEFT JOIN palestra.indexed i USING (incarnation) JOIN palestra.pages p ON p.page > coalesce(i.page, 0)
          AND p.page BETWEEN block * ${pagesPerBlock} AND (block + 1) * ${pagesPerBlock} - 1
      WHERE NOT settled ORDER BY p.page`,
  );
  const blocks = new Map<number, [number, string][]>();
  for (const { page, block, ...text } of stored) {
    const lines = textOf(text, `Page ${page}`);
    if (lines === null) continue;
    const pages = blocks.get(block) ?? [];
    pages.push([page, lines]);
    blocks.set(block, pages);
  }
  return blocks.values();
}

async function highestKeyOf(connection: PostgresTables): Promise<number> {
  const [highest] = await connection.query<{ key: number }>(
    `SELECT greatest("highestRemoved", (SELECT max(key) FROM palestra.episodes)) AS key FROM palestra.meta`,
  );
  return highest?.key ?? 0;
}
