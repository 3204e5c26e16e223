/** The calls of the log that write nothing, or remove rows. */

import { checkedText, type StoredText } from "../records/damage.js";
import { type Dialect, type EpisodeFilter, FilteredList, type ListEnd } from "../records/episode-filter.js";
import {
  recordOf,
  type StoredEpisode,
  type StoredMark,
  soundEpisode,
  soundEpisodes,
} from "../records/episode-record.js";
import type {
  AliasRow,
  EpisodeRecord,
  EpisodeRow,
  FilteredEpisodes,
  FleetCalls,
  GymFacts,
  LogCallName,
  LogSpace,
  OthersUse,
  PublishedUse,
  ShardMove,
} from "../records/protocol.js";
import { keysPerBlock } from "../records/shards.js";
import type { LoggedStep } from "../records/step-page.js";
import { type StoredAlias, soundAlias } from "../sqlite/alias-table.js";
import type { Membership } from "./fleet/membership.js";
import { Uses } from "./fleet/uses.js";
import type { Readers } from "./session/readers.js";
import { episodeColumns, listOf } from "./session/sql.js";
import { Pruning } from "./steps/pruning.js";
import type { StepReader } from "./steps/step-reader.js";

/** Calls that add no rows, with promises of their answers. */
type AsyncCalls = {
  [Name in Exclude<LogCallName, "createEpisode" | "forkEpisode" | "mark" | "setAlias">]: (
    ...args: Parameters<FleetCalls[Name]>
  ) => Promise<ReturnType<FleetCalls[Name]>>;
};

export interface ReadsOptions {
  membership: Membership;
  /** Returns the bytes of the steps that are indexed in memory only, by episode. */
  unindexedBytes(): Iterable<readonly [number, number]>;
  /** Returns the last page whose steps are indexed in the database. */
  indexed(): number;
  written(): Pick<LogSpace, "writtenBytes" | "failure">;
  /** After a refusal, tries whether the database accepts writes again. */
  tryToWrite(): Promise<void>;
  /** Moves the index of the newest steps from memory to the database. */
  index(): Promise<void>;
}

const columns = `${listOf(episodeColumns)}, sum`;

const dialect: Dialect = {
  table: (name) => `palestra.${name}`,
  ranked: () => "palestra.marks",
  number: (field) => `(detail::json->>'${field}')::float8`,
  goal: "(detail::json->>'goal')",
  setting: (name) => `(e.options::json->>'${name}')`,
  entry: "entry",
  noteStep: (mark) => `(${mark}.detail::json->>'step')`,
  position: (text, part) => `strpos(${text}, ${part})`,
  parameter: (number) => `$${number}`,
};

/** Milliseconds for which the size of the database is cached. A measurement looks at every file of the database. */
const measuredForMs = 10_000;

export class Reads implements AsyncCalls {
  private readonly pruning: Pruning;
  private readonly uses: Uses;
  private size: { bytes: number; until: number } = { bytes: 0, until: 0 };
  private newestSpace: LogSpace | null = null;

  constructor(
    private readonly readers: Readers,
    private readonly steps: StepReader,
    private readonly options: ReadsOptions,
  ) {
    const { membership, index } = options;
    this.uses = new Uses(readers, membership.incarnation);
    this.pruning = new Pruning(readers, {
      incarnation: membership.incarnation,
      held: () => membership.held(),
      index,
    });
  }

  answer(method: LogCallName, args: readonly unknown[]): Promise<unknown> {
    return (this[method as keyof AsyncCalls] as (...args: unknown[]) => Promise<unknown>).apply(this, [...args]);
  }

  async findEpisode(key: number): Promise<EpisodeRecord | null> {
    type Found = StoredEpisode & { lastIndex: number | null; marks: StoredMark[] | null };
    // Steps may be moved from memory to the database's index meanwhile. Then the query returns them.
    const inMemory = this.steps.lastInMemory(key);
    const [found] = await this.readers.run<Found>({
      name: "episode",
      text: `SELECT ${columns},
          (SELECT max("lastIndex") FROM palestra.extents WHERE episode = $1) AS "lastIndex",
          (SELECT json_agg(json_build_object('kind', kind, 'detail', detail, 'atMs', "atMs", 'sum', sum) ORDER BY entry) FROM palestra.marks WHERE episode = $1) AS marks
        FROM palestra.episodes WHERE key = $1`,
      values: [key],
    });
    if (!found) return null;
    const { lastIndex, marks, ...row } = found;
    const newest = inMemory ?? lastIndex;
    const last = newest === null ? null : ((await this.steps.read(key, newest, 1))[0] ?? null);
    return recordOf(soundEpisode(row), last, marks ?? []);
  }

  async findByIdempotencyKey(owner: string, idempotencyKey: string): Promise<EpisodeRow | null> {
    const [row] = await this.readers.run<StoredEpisode>({
      name: "idempotency",
      text: `SELECT ${columns} FROM palestra.episodes WHERE owner = $1 AND "idempotencyKey" = $2`,
      values: [owner, idempotencyKey],
    });
    return row ? soundEpisode(row) : null;
  }

  async listEpisodes(owner: string, beforeKey: number, limit: number): Promise<EpisodeRow[]> {
    const rows = await this.readers.run<StoredEpisode>({
      name: "list",
      text: `SELECT ${columns} FROM palestra.episodes WHERE owner = $1 AND key < $2 ORDER BY key DESC LIMIT $3`,
      values: [owner, beforeKey, limit],
    });
    return rows.map(soundEpisode);
  }

  async filterEpisodes(
    owner: string,
    beforeKey: number,
    limit: number,
    filter: EpisodeFilter,
  ): Promise<FilteredEpisodes> {
    // PostgreSQL cannot store a text with this character.
    if (Object.values(filter).some((value) => `${value}`.includes("\0"))) return { rows: [], lookedAt: null };
    let rank: number | null = null;
    if (FilteredList.isRanked(filter) && beforeKey < Number.MAX_SAFE_INTEGER) {
      const [found] = await this.readers.run<{ rank: number }>(FilteredList.rank(dialect, filter, beforeKey));
      if (!found) return { rows: [], lookedAt: null };
      rank = found.rank;
    }
    const list = () => new FilteredList(dialect, owner, filter, { key: beforeKey, rank });
    const found = soundEpisodes(await this.readers.run<StoredEpisode>(list().found(columns, limit)), filter);
    if (found.rows.length === limit) return { ...found, lookedAt: found.rows.at(-1)?.id ?? null };
    const [end] = await this.readers.run<ListEnd>(list().end());
    return { ...found, lookedAt: list().next(end) };
  }

  async readResetResult(key: number): Promise<string | null> {
    const [stored] = await this.readers.run<StoredText>({
      name: "opening",
      text: "SELECT opening AS text, sum FROM palestra.openings WHERE episode = $1",
      values: [key],
    });
    return stored ? checkedText(stored, `The reset result of episode ${key}`) : null;
  }

  readSteps(key: number, from: number, limit: number, maxCharacters?: number): Promise<LoggedStep[]> {
    return this.steps.read(key, from, limit, maxCharacters);
  }

  async findAlias(namespace: string, alias: number): Promise<AliasRow | null> {
    const [row] = await this.readers.run<StoredAlias>({
      name: "alias",
      text: `SELECT namespace, alias, owner, "episodeId", "atMs", sum FROM palestra.aliases
        WHERE namespace = $1 AND alias = $2 ORDER BY entry DESC LIMIT 1`,
      values: [namespace, alias],
    });
    return row ? soundAlias(row) : null;
  }

  nextAlias(namespace: string): Promise<number> {
    return this.one(`SELECT coalesce(max(alias) + 1, 0) AS one FROM palestra.aliases WHERE namespace = $1`, [
      namespace,
    ]);
  }

  /** Removed episodes count, since the key of a removed episode is not used again. */
  nextKey(): Promise<number> {
    return this.one(`SELECT greatest(coalesce(max(key), 0), (SELECT "highestRemoved" FROM palestra.meta)) + 1 AS one
      FROM palestra.episodes`);
  }

  newestCreatedAtMs(): Promise<number | null> {
    return this.one(
      this.options.membership.fleet
        ? `SELECT max("createdAtMs") AS one FROM palestra.episodes`
        : `SELECT (SELECT "createdAtMs" FROM palestra.episodes ORDER BY key DESC LIMIT 1) AS one`,
    );
  }

  prune(...args: Parameters<FleetCalls["prune"]>): Promise<number> {
    return this.pruning.prune(...args);
  }

  /** Resolves when no removal is running. */
  stop(): Promise<void> {
    return this.pruning.stop();
  }

  pruneAliases(beforeMs: number): Promise<void> {
    return this.pruning.pruneAliases(beforeMs);
  }

  /** Returns the last space if the database cannot be reached, with the error. */
  async space(): Promise<LogSpace> {
    await this.options.tryToWrite();
    const written = this.options.written();
    if (written.failure !== null && this.newestSpace) return { ...this.newestSpace, ...written };
    const usage = await this.usage();
    const bytes = await this.sizeOfDatabase();
    const none = { freeBytes: 0, pendingBytes: 0, isShrinkable: false, disk: null };
    this.newestSpace = { ...none, fileBytes: bytes, usedBytes: bytes, usage, ...written };
    return this.newestSpace;
  }

  /** The database reuses the space of removed rows, and returns none to its disk. */
  async shrinkFile(): Promise<number> {
    return 0;
  }

  async giveShards(moves: readonly ShardMove[]): Promise<void> {
    await this.options.index();
    await this.options.membership.give(moves);
  }

  async describeGym(facts: GymFacts): Promise<void> {
    this.options.membership.describe(facts);
  }

  serveGym(): Promise<void> {
    return this.options.membership.serve();
  }

  drainGym(): Promise<void> {
    return this.options.membership.drain();
  }

  pinShard(shard: number, to: number): Promise<void> {
    return this.options.membership.pin(shard, to);
  }

  shareUse(own: PublishedUse): Promise<OthersUse[] | null> {
    return this.uses.share(own);
  }

  async takeKeys(): Promise<number> {
    return (await this.one<number>("SELECT nextval('palestra.key_blocks') AS one")) * keysPerBlock;
  }

  /** Returns the bytes of an episode's reset result. */
  openingBytes(key: number): Promise<number> {
    return this.one("SELECT octet_length(opening)::bigint AS one FROM palestra.openings WHERE episode = $1", [key]);
  }

  async ownersOf(keys: readonly number[]): Promise<Map<number, string>> {
    if (keys.length === 0) return new Map();
    const rows = await this.readers.run<{ key: number; owner: string }>({
      name: "owners",
      text: "SELECT key, owner FROM palestra.episodes WHERE key = ANY($1::bigint[])",
      values: [keys],
    });
    return new Map(rows.map(({ key, owner }) => [key, owner]));
  }

  /** Returns the bytes of all owners, and publishes the bytes of the steps that this gym has indexed only in memory. */
  private async usage(): Promise<Map<string, number>> {
    const unindexed = [...this.options.unindexedBytes()];
    const rows = await this.readers.run<{ owner: string; bytes: number }>({
      name: "usage",
      text: `WITH own AS (
          SELECT owner, sum(bytes) AS bytes FROM unnest($1::bigint[], $2::bigint[]) AS u(episode, bytes)
            JOIN palestra.episodes ON key = episode GROUP BY owner
        ), told AS (
          INSERT INTO palestra.unindexed AS old
            SELECT $3::bigint, $4::bigint, coalesce((SELECT json_object_agg(owner, bytes) FROM own), '{}')
            ON CONFLICT (incarnation) DO UPDATE SET indexed = excluded.indexed, bytes = excluded.bytes
              WHERE old.indexed <> excluded.indexed OR old.bytes::text <> excluded.bytes::text
        )
        SELECT owner, sum(bytes)::bigint AS bytes FROM (
          SELECT owner, bytes FROM palestra.usage UNION ALL SELECT owner, bytes FROM own
          UNION ALL SELECT owner, value::bigint AS bytes FROM palestra.unindexed
            LEFT JOIN palestra.indexed USING (incarnation), json_each_text(bytes) AS each(owner, value)
            WHERE incarnation <> $3 AND unindexed.indexed = coalesce(page, 0)
        ) AS all_bytes GROUP BY owner`,
      values: [
        unindexed.map(([episode]) => episode),
        unindexed.map(([, bytes]) => bytes),
        this.options.membership.incarnation,
        this.options.indexed(),
      ],
    });
    return new Map(rows.map(({ owner, bytes }) => [owner, bytes]));
  }

  private async sizeOfDatabase(): Promise<number> {
    if (performance.now() >= this.size.until) {
      const bytes = await this.one<number>("SELECT pg_database_size(current_database()) AS one");
      this.size = { bytes, until: performance.now() + measuredForMs };
    }
    return this.size.bytes;
  }

  private async one<T>(text: string, values: readonly unknown[] = []): Promise<T> {
    const [row] = await this.readers.run<{ one: T }>({ text, values });
    return row?.one as T;
  }
}
