/** Removes episodes that are too old, and the pages that no other episode needs. */
import { setTimeout as sleep } from "node:timers/promises";
import type { LogCalls } from "../../records/protocol.js";
import { shardCount } from "../../records/shards.js";
import { merged, type PageRange } from "../../sqlite/unneeded-pages.js";
import { dropPartitions, freedRanges } from "../session/partitions.js";
import type { Readers } from "../session/readers.js";
import { addBytes, rowSumOf } from "../session/sql.js";
import { episodeBytes } from "./usage.js";

interface PruningOptions {
  incarnation: number;
  /** See `Membership.held`. */
  held(): ReadonlyMap<number, number> | null;
  /** Moves the index of the newest steps from memory to the database. */
  index(): Promise<void>;
}

/** Table expression that is empty if the incarnation is fenced. Otherwise it prevents a fence during the statement. */
const fence = `fence AS MATERIALIZED (SELECT 1 FROM palestra.fences WHERE incarnation = $1 AND live FOR SHARE)`;

/**
 * Largest number of pages, and of aliases, that one statement looks at. While pages are removed, the gym commits no step, and
 * a page may have megabytes.
 */
const [pagesAtOnce, aliasesAtOnce] = [64, 4_096];

/** Milliseconds for which a new episode of a fleet is not removed. */
const newestMs = 60_000;

/** Key in the episode id of an alias `a`, or null without an episode. */
const keyOfAlias = `nullif(split_part(a."episodeId", '-', 2), '')::bigint`;

/** Condition on an episode whose row is not damaged: a changed time must not remove it. */
const isSound = `(sum IS NULL OR sum = ${rowSumOf("episodes")})`;

/** Milliseconds for which a removal of episodes waits for the removal of their pages. */
const giveUpMs = 1_000;

export class Pruning {
  /** Retention of episodes in milliseconds, from the last removal. */
  private retentionMs = 0;
  /** Settles when the pages of deleted episodes are removed, or null if none are being removed. */
  private removing: Promise<void> | null = null;
  private isStopped = false;

  constructor(
    private readonly readers: Readers,
    private readonly options: PruningOptions,
  ) {}

  /** See `LogCalls.prune`. */
  async prune(...[beforeMs, keep, limit, bounds = {}]: Parameters<LogCalls["prune"]>): Promise<number> {
    const held = this.options.held();
    const expired = await (held
      ? this.oldestHeld(held, beforeMs, keep, limit, bounds)
      : this.oldest(beforeMs, keep, limit, bounds));
    if (expired.length > 0) {
      // Pages may be removed only if `extents` has all steps, so that it shows which pages are needed.
      await this.options.index();
      await this.remove(expired);
    }
    this.retentionMs = Date.now() - beforeMs;
    this.removing ??= this.removePagesOfDeleted().finally(() => {
      this.removing = null;
    });
    this.removing.catch(() => {});
    await Promise.race([this.removing, sleep(giveUpMs, undefined, { ref: false })]);
    return expired.length;
  }

  /** Resolves when the removal of pages has stopped. The next gym removes the remaining pages. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.removing?.catch(() => {});
  }

  private async oldest(...[beforeMs, keep, limit, bounds = {}]: Parameters<LogCalls["prune"]>): Promise<number[]> {
    const { nowMs = Number.MAX_SAFE_INTEGER, belowKey = Number.MAX_SAFE_INTEGER } = bounds;
    const oldest = await this.readers.run<{ key: number; createdAtMs: number }>({
      text: `SELECT key, "createdAtMs" FROM palestra.episodes
        WHERE key <> ALL ($1::bigint[]) AND key < $2 AND "createdAtMs" <= $3 AND ${isSound} ORDER BY key LIMIT $4`,
      values: [keep, belowKey, nowMs, limit],
    });
    const fresh = oldest.findIndex(({ createdAtMs }) => createdAtMs >= beforeMs);
    return (fresh < 0 ? oldest : oldest.slice(0, fresh)).map(({ key }) => key);
  }

  /**
   * The gyms of a fleet take their keys from blocks, so a later key may be older, and only the creation time gives the
   * age. The newest episodes stay, since they may have been created after the call was sent. An episode from another
   * gym may be in use although it is not in this gym's memory, until its lease has expired at this gym.
   */
  private async oldestHeld(
    held: ReadonlyMap<number, number>,
    ...[beforeMs, keep, limit, bounds = {}]: Parameters<LogCalls["prune"]>
  ): Promise<number[]> {
    const { nowMs = Number.MAX_SAFE_INTEGER } = bounds;
    const createdUntilMs = Math.min(nowMs, Date.now() - newestMs);
    const heldMs = [...held.values()].map(Math.floor);
    const oldest = await this.readers.run<{ key: number }>({
      text: `SELECT key FROM palestra.episodes JOIN unnest($5::int[], $6::bigint[]) AS held(shard, ms)
          ON shard = key % ${shardCount} AND ms >= "leaseMs"
        WHERE key <> ALL ($1::bigint[]) AND "createdAtMs" < $2 AND "createdAtMs" <= $3 AND ${isSound}
          AND key % ${shardCount} IN (SELECT shard FROM palestra.shards WHERE incarnation = $7)
        ORDER BY "createdAtMs", key LIMIT $4`,
      values: [keep, beforeMs, createdUntilMs, limit, [...held.keys()], heldMs, this.options.incarnation],
    });
    return oldest.map(({ key }) => key);
  }

  /**
   * See `LogCalls.pruneAliases`. Any gym may remove such rows, so the statements need no protection against a fence of
   * this gym. The protection would delay the writes of steps.
   */
  async pruneAliases(beforeMs: number): Promise<void> {
    for (let after = 0; ; ) {
      const [next] = await this.readers.runLong<{ last: number | null }>({
        text: `SELECT max(entry) AS last FROM (
          SELECT entry FROM palestra.aliases WHERE entry > $1 ORDER BY entry LIMIT ${aliasesAtOnce}) AS next`,
        values: [after],
      });
      const last = next?.last ?? null;
      if (last === null) return;
      await this.readers.runLong({
        text: `DELETE FROM palestra.aliases a WHERE entry > $1 AND entry <= $2
          AND EXISTS (SELECT 1 FROM palestra.fences WHERE incarnation = $4 AND live)
          AND (EXISTS (SELECT 1 FROM palestra.aliases newer
              WHERE newer.namespace = a.namespace AND newer.alias = a.alias AND newer.entry > a.entry)
            OR (a.alias < (SELECT max(alias) FROM palestra.aliases other WHERE other.namespace = a.namespace)
              AND NOT EXISTS (SELECT 1 FROM palestra.episodes e WHERE e.key = ${keyOfAlias} AND e.id = a."episodeId")
              AND (a."episodeId" IS NULL OR a."episodeId" <> '' OR coalesce(a."atMs", 0) < $3)))`,
        values: [after, last, beforeMs, this.options.incarnation],
      });
      after = last;
    }
  }

  /** Removes the rows of episodes. Their pages are noted in `freed`, so that a crash leaves no page behind. */
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

  /** Removes the pages of deleted episodes. This may take hours, and reads and steps continue meanwhile. */
  private async removePagesOfDeleted(): Promise<void> {
    await dropPartitions(this.readers);
    while (!this.isStopped) {
      const ranges = await freedRanges(this.readers, this.retentionMs);
      if (ranges.length === 0) return;
      for (const { firstPage, lastPage } of merged(ranges)) {
        for (let from = firstPage; from <= lastPage && !this.isStopped; from += pagesAtOnce)
          await this.removePages(from, Math.min(lastPage, from + pagesAtOnce - 1));
      }
      if (!this.isStopped) await this.forget(ranges);
    }
  }

  private async forget(ranges: readonly PageRange[]): Promise<void> {
    await this.readers.runLong({
      text: `WITH ${fence} DELETE FROM palestra.freed f USING fence, unnest($2::bigint[], $3::bigint[]) AS r(first, last)
        WHERE f."firstPage" = first AND f."lastPage" = last`,
      values: [
        this.options.incarnation,
        ranges.map(({ firstPage }) => firstPage),
        ranges.map(({ lastPage }) => lastPage),
      ],
    });
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
