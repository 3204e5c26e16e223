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

  /** @throws {Error} another gym uses the database, or it has no log */
  static async open(url: string): Promise<PostgresSource> {
    const lock = await GymLock.take(url);
    let connection: PostgresTables | null = null;
    try {
      connection = await PostgresTables.connect(url);
      // All reads see the same moment, also if a gym that lost its lock still writes.
      await connection.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
      await expectLog(connection);
      const pages = await newestPages(connection);
      const highestKey = await highestKeyOf(connection);
      return new PostgresSource(new ReaderWithNewest(connection, pages), highestKey, connection, lock);
    } catch (error) {
      await Promise.all([connection?.close(), lock.release()]);
      throw error;
    }
  }

  async close(): Promise<void> {
    await Promise.all([this.connection.close(), this.lock.release()]);
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

/** Returns the pages, by block, of each gym that had indexed its newest steps in memory only. */
async function newestPages(connection: PostgresTables): Promise<Iterable<[number, string][]>> {
  const stored = await connection.query<StoredText & { page: number; block: number }>(
    `SELECT block, p.page, lines AS text, sum FROM palestra.fences f JOIN palestra.blocks USING (incarnation)
        LEFT JOIN palestra.indexed i USING (incarnation) JOIN palestra.pages p ON p.page > coalesce(i.page, 0)
          AND p.page BETWEEN block * ${pagesPerBlock} AND (block + 1) * ${pagesPerBlock} - 1
      WHERE NOT settled ORDER BY p.page`,
  );
  const blocks = new Map<number, [number, string][]>();
  for (const { page, block, ...text } of stored) {
    const pages = blocks.get(block) ?? [];
    pages.push([page, checkedText(text, `Page ${page}`)]);
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
