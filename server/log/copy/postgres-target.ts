/** The target of a copy to PostgreSQL. Until the copy is finished, the target has a table with the progress. */
import { GymLock } from "../postgres/session/gym-lock.js";
import { prepareTables } from "../postgres/session/migrations.js";
import { ageAllPartitions, partitionOf } from "../postgres/session/partitions.js";
import { pagesPerBlock, progressOfCopy } from "../postgres/session/schema.js";
import { addBytes } from "../postgres/session/sql.js";
import { episodeBytes } from "../postgres/steps/usage.js";
import { keysPerBlock, shardCount } from "../records/shards.js";
import { PostgresTables } from "./postgres-tables.js";
import { type LogTable, logTables, type Row } from "./tables.js";
import { type CopyTarget, noProgress, otherCopy, sourceRow, type TableProgress } from "./target.js";

export class PostgresTarget implements CopyTarget {
  private constructor(
    readonly tables: PostgresTables,
    private readonly lock: GymLock,
    readonly source: string | null,
  ) {}

  /** @throws {Error} a gym or another copy uses the database, or the database has a log */
  static async open(url: string): Promise<PostgresTarget> {
    await prepareTables(url, false);
    const lock = await GymLock.takeOnce(url);
    let connection: PostgresTables | null = null;
    try {
      connection = await PostgresTables.connect(url);
      // A crash of the server may lose the newest rows, and their progress with them.
      await connection.query("SET synchronous_commit = off");
      return new PostgresTarget(connection, lock, await sourceOf(connection));
    } catch (error) {
      await Promise.all([connection?.close(), lock.release()]);
      throw error;
    }
  }

  async begin(source: string): Promise<void> {
    await this.tables.transaction(async () => {
      await this.tables.query(`CREATE TABLE ${progressOfCopy} (name text PRIMARY KEY, value text NOT NULL)`);
      const none = logTables.map(({ name }) => [name, JSON.stringify(noProgress)]);
      for (const [name, value] of [[sourceRow, source], ...none])
        await this.tables.query(`INSERT INTO ${progressOfCopy} VALUES ($1, $2)`, [name, value]);
    });
  }

  async progressOf({ name }: LogTable): Promise<TableProgress> {
    const select = `SELECT value FROM ${progressOfCopy} WHERE name = $1`;
    const [found] = await this.tables.query<{ value: string }>(select, [name]);
    if (!found) throw otherCopy();
    return JSON.parse(found.value) as TableProgress;
  }

  async write(table: LogTable, rows: readonly Row[], before: TableProgress, after: TableProgress): Promise<void> {
    await this.tables.transaction(async () => {
      const advanced = await this.tables.query(
        `UPDATE ${progressOfCopy} SET value = $1 WHERE name = $2 AND value = $3 RETURNING 1`,
        [JSON.stringify(after), table.name, JSON.stringify(before)],
      );
      if (advanced.length === 0) throw otherCopy();
      if (table.name === "pages") await this.openPartitions(rows);
      if (rows.length > 0) await this.tables.insert(table, rows);
    });
  }

  /** Makes the partitions of pages, in the order of the page numbers. The first partition always exists. */
  private async openPartitions(pages: readonly Row[]): Promise<void> {
    const last = partitionOf(Number(pages.at(-1)?.[0] ?? 0));
    if (last === 0) return;
    await this.tables.query(
      `SELECT palestra.open_partition(number) FROM generate_series(
        (SELECT max(partition) + 1 FROM palestra.partitions), $1::bigint) AS number`,
      [last],
    );
  }

  async finish(highestKey: number): Promise<void> {
    await this.tables.query("SET synchronous_commit = on");
    await this.tables.transaction(async () => {
      const [settled] = await this.tables.query<{ incarnation: number }>(
        "INSERT INTO palestra.fences (live, settled) VALUES (false, true) RETURNING incarnation",
      );
      // The pages belong to an ended incarnation. The next gym continues in a new block.
      await this.tables.query(
        `INSERT INTO palestra.blocks (block, incarnation) OVERRIDING SYSTEM VALUE
          SELECT DISTINCT page / ${pagesPerBlock}, $1::bigint FROM palestra.pages`,
        [settled?.incarnation],
      );
      await this.tables.query(ageAllPartitions);
      await this.tables.query(
        `INSERT INTO palestra.usage AS usage SELECT owner, 0, sum(bytes) FROM (
          SELECT owner, ${episodeBytes} AS bytes FROM palestra.episodes JOIN palestra.openings ON episode = key
          UNION ALL SELECT owner, bytes FROM palestra.extents JOIN palestra.episodes ON key = episode
        ) AS all_bytes GROUP BY owner ${addBytes}`,
      );
      await this.tables.query(`UPDATE palestra.meta SET "highestRemoved" = greatest("highestRemoved", $1)`, [
        highestKey,
      ]);
      // Gyms of a fleet take keys in blocks.
      await this.tables.query(
        "SELECT setval('palestra.key_blocks', greatest(last_value, $1::bigint / $2 + 1)) FROM palestra.key_blocks",
        [highestKey, shardCount * keysPerBlock],
      );
      await this.continueNumbers();
      await this.tables.query(`DROP TABLE ${progressOfCopy}`);
    });
    await this.tables.query("ANALYZE").catch(() => {});
  }

  expectLocked(): Promise<void> {
    return this.lock.expectKept();
  }

  async close(): Promise<void> {
    await Promise.all([this.tables.close(), this.lock.release()]);
  }

  /** Makes PostgreSQL continue after the copied numbers of blocks, marks and aliases. */
  private async continueNumbers(): Promise<void> {
    const numbered = [["blocks", "block"], ...logTables.flatMap(numberOf)];
    for (const [table, column] of numbered)
      await this.tables.query(
        `SELECT setval(pg_get_serial_sequence('palestra.${table}', '${column}'), max("${column}"))
          FROM palestra.${table} HAVING count(*) > 0`,
      );
  }
}

function numberOf({ name, columns: [column], isNumbered }: LogTable): string[][] {
  return isNumbered ? [[name, column as string]] : [];
}

/** Returns the state of the source of an unfinished copy, or null. @throws {Error} the database has a log */
async function sourceOf(connection: PostgresTables): Promise<string | null> {
  const [found] = await connection.query<{ copying: boolean }>(
    `SELECT to_regclass('${progressOfCopy}') IS NOT NULL AS copying`,
  );
  if (!found?.copying) {
    const used = await connection.query(
      "SELECT 1 FROM palestra.blocks UNION ALL SELECT 1 FROM palestra.episodes LIMIT 1",
    );
    if (used.length > 0)
      throw new Error("expected an empty database, or an unfinished copy, but the database has a log");
    return null;
  }
  const select = `SELECT value FROM ${progressOfCopy} WHERE name = $1`;
  const [source] = await connection.query<{ value: string }>(select, [sourceRow]);
  return source?.value ?? null;
}
