/** Removes episodes that are too old, and the pages that no other episode needs. */
import type { LogCalls } from "../protocol.js";
import { shardCount } from "../shards.js";
import { dropPartitions, freedRanges } from "./partitions.js";
import type { Readers } from "./readers.js";
import { addBytes } from "./sql.js";
import { episodeBytes } from "./usage.js";

interface PruningOptions {
  incarnation: number;
  /** Whether other gyms have episodes too, which this gym does not remove. */
  isShared: boolean;
  /** Moves the index of the newest steps from memory to the database. */
  index(): Promise<void>;
}

/** Table expression that is empty if the incarnation is fenced, and otherwise keeps it from being fenced meanwhile. */
const fence = `fence AS MATERIALIZED (SELECT 1 FROM palestra.fences WHERE incarnation = $1 AND live FOR SHARE)`;

/** Largest number of pages that one statement looks at. */
const pagesAtOnce = 4_096;

export class Pruning {
  constructor(
    private readonly readers: Readers,
    private readonly options: PruningOptions,
  ) {}

  /** See `LogCalls.prune`. */
  async prune(...[beforeMs, keep, limit, bounds = {}]: Parameters<LogCalls["prune"]>): Promise<number> {
    const { nowMs = Number.MAX_SAFE_INTEGER, belowKey = Number.MAX_SAFE_INTEGER } = bounds;
    const oldest = await this.readers.run<{ key: number; createdAtMs: number }>({
      text: `SELECT key, "createdAtMs" FROM palestra.episodes
        WHERE key <> ALL ($1::bigint[]) AND key < $2 AND "createdAtMs" <= $3 AND ($5 OR key % ${shardCount} IN (
          SELECT shard FROM palestra.shards WHERE incarnation = $6)) ORDER BY key LIMIT $4`,
      values: [keep, belowKey, nowMs, limit, !this.options.isShared, this.options.incarnation],
    });
    const fresh = oldest.findIndex(({ createdAtMs }) => createdAtMs >= beforeMs);
    const expired = (fresh < 0 ? oldest : oldest.slice(0, fresh)).map(({ key }) => key);
    if (expired.length > 0) {
      // Pages may be removed only if `extents` tells who needs them.
      await this.options.index();
      await this.remove(expired);
    }
    await dropPartitions(this.readers);
    await this.removeFreedPages(Date.now() - beforeMs);
    if (expired.length > 0 && expired.length < limit) await this.pruneAliases(0);
    return expired.length;
  }

  /** See `LogCalls.pruneAliases`. */
  async pruneAliases(beforeMs: number): Promise<void> {
    await this.readers.runLong({
      text: `WITH ${fence} DELETE FROM palestra.aliases a USING fence
        WHERE EXISTS (SELECT 1 FROM palestra.aliases newer
            WHERE newer.namespace = a.namespace AND newer.alias = a.alias AND newer.entry > a.entry)
          OR (a.alias < (SELECT max(alias) FROM palestra.aliases other WHERE other.namespace = a.namespace)
            AND NOT EXISTS (SELECT 1 FROM palestra.episodes e WHERE e.id = a."episodeId")
            AND (a."episodeId" IS NULL OR a."episodeId" <> '' OR coalesce(a."atMs", 0) < $2))`,
      values: [this.options.incarnation, beforeMs],
    });
  }

  /** Removes the rows of episodes. Their pages are remembered in `freed`, so that a crash leaves none of them behind. */
  private async remove(keys: readonly number[]): Promise<void> {
    await this.readers.runLong({
      text: `WITH ${fence},
        counted AS (SELECT key, owner, ${episodeBytes} AS bytes FROM palestra.episodes JOIN palestra.openings ON episode = key
          WHERE key = ANY ($2::bigint[])),
        gone AS (DELETE FROM palestra.episodes USING fence WHERE key = ANY ($2::bigint[]) RETURNING key, owner),
        opening AS (DELETE FROM palestra.openings USING gone WHERE episode = key),
        mark AS (DELETE FROM palestra.marks USING gone WHERE episode = key),
        extent AS (DELETE FROM palestra.extents USING gone WHERE episode = key
          RETURNING owner, "firstPage", "lastPage", bytes),
        freed AS (INSERT INTO palestra.freed SELECT "firstPage", "lastPage" FROM extent),
        highest AS (UPDATE palestra.meta SET "highestRemoved" = greatest("highestRemoved", (SELECT max(key) FROM gone))
          WHERE EXISTS (SELECT 1 FROM gone))
        INSERT INTO palestra.usage AS usage SELECT owner, $1, -sum(bytes) FROM (
          SELECT gone.owner, bytes FROM gone JOIN counted USING (key) UNION ALL SELECT owner, bytes FROM extent
        ) AS all_bytes GROUP BY owner ORDER BY owner ${addBytes}`,
      values: [this.options.incarnation, keys],
    });
  }

  private async removeFreedPages(retentionMs: number): Promise<void> {
    for (;;) {
      const ranges = await freedRanges(this.readers, retentionMs);
      if (ranges.length === 0) return;
      for (const { firstPage, lastPage } of ranges) {
        for (let from = firstPage; from <= lastPage; from += pagesAtOnce)
          await this.removePages(from, Math.min(lastPage, from + pagesAtOnce - 1));
        await this.readers.runLong({
          text: `WITH ${fence} DELETE FROM palestra.freed USING fence WHERE "firstPage" = $2 AND "lastPage" = $3`,
          values: [this.options.incarnation, firstPage, lastPage],
        });
      }
    }
  }

  /** Removes the pages of a range that no extent needs. An extent needs all pages from its first to its last. */
  private async removePages(firstPage: number, lastPage: number): Promise<void> {
    await this.readers.runLong({
      text: `WITH ${fence} DELETE FROM palestra.pages p USING fence WHERE page BETWEEN $2 AND $3 AND NOT EXISTS (
          SELECT 1 FROM palestra.extents WHERE int8range("firstPage", "lastPage", '[]') @> p.page)`,
      values: [this.options.incarnation, firstPage, lastPage],
    });
  }
}
