/** The tables of the episode log in PostgreSQL. They have a schema of their own, `palestra`. */

import { shardCount } from "../../records/shards.js";
import { unfinishedCopy } from "../../sqlite/unfinished-copy.js";
import type { Session } from "./session.js";

/**
 * Number of pages in a block. A gym takes page numbers from its own blocks, so the page numbers in a block give the
 * order in which the gym wrote the pages.
 */
export const pagesPerBlock = 65_536;

/** Key of the advisory lock under which the tables are made and changed. */
export const makingTables = "x'50414c45'::int, 0";

/**
 * The tables of version 1. `migrations.ts` has the later changes, and the descriptions here are of the current version.
 *
 * Each start of a gym is an incarnation with a row in `fences`. Every transaction of the incarnation changes this row,
 * and has no effect once `live` is false. `turn` counts the transactions, and `nonce` distinguishes the last one from
 * others with the same number. `indexed` has the last page whose steps are in `extents`, and `settled` is true when
 * `extents` has the steps of all pages of an ended incarnation. The time of a page is null if the page was copied from
 * a log in SQLite that did not store it.
 *
 * The gyms of a fleet have rows in `nodes`, and share the shards. A gym that `starts` or `drains` gets none. `map_version` counts the changes of `shards`. A shard with
 * a `pinnedTo` moves to this incarnation, and stays there.
 *
 * `tokens` has one row: the records of all tokens, and the number of their changes. `uses` has the counts of each
 * incarnation against the limits of tokens, and the number of changes of the row. `unindexed` has the bytes by owner of
 * the steps that an incarnation has indexed only in memory. They are valid as long as the incarnation has the same page
 * in `indexed`. `partitions.ts` describes how `pages` is divided.
 */
export const firstTables = `
  CREATE SCHEMA palestra;
  CREATE TABLE palestra.meta (version int NOT NULL, "highestRemoved" bigint NOT NULL DEFAULT 0,
    "fleetSecret" text NOT NULL DEFAULT gen_random_uuid()::text || gen_random_uuid()::text);
  INSERT INTO palestra.meta (version) VALUES (1);
  CREATE TABLE palestra.fences (
    incarnation bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, live boolean NOT NULL DEFAULT true,
    turn bigint NOT NULL DEFAULT 0, nonce text, indexed bigint NOT NULL DEFAULT 0, settled boolean NOT NULL DEFAULT false
  ) WITH (fillfactor = 20);
  CREATE TABLE palestra.nodes (
    incarnation bigint PRIMARY KEY, address text NOT NULL, "beatAt" timestamptz NOT NULL DEFAULT clock_timestamp()
  ) WITH (fillfactor = 50);
  CREATE TABLE palestra.shards (shard int PRIMARY KEY, incarnation bigint);
  INSERT INTO palestra.shards SELECT shard, NULL FROM generate_series(0, ${shardCount - 1}) AS shard;
  CREATE SEQUENCE palestra.map_version;
  CREATE SEQUENCE palestra.key_blocks;
  CREATE TABLE palestra.blocks (
    block bigint GENERATED ALWAYS AS IDENTITY (START 0 MINVALUE 0) PRIMARY KEY, incarnation bigint NOT NULL
  );
  CREATE TABLE palestra.pages (page bigint PRIMARY KEY, lines text NOT NULL, sum bigint NOT NULL, "atMs" bigint);
  ALTER TABLE palestra.pages ALTER COLUMN lines SET STORAGE EXTERNAL;
  CREATE TABLE palestra.episodes (
    key bigint PRIMARY KEY, id text NOT NULL, environment text NOT NULL, split text NOT NULL, "taskIndex" bigint NOT NULL,
    seed bigint NOT NULL, options text NOT NULL, "maxSteps" bigint NOT NULL, owner text NOT NULL, "createdAtMs" bigint NOT NULL,
    "leaseMs" bigint NOT NULL, parent text, "idempotencyKey" text, "requestDigest" text
  );
  CREATE UNIQUE INDEX ON palestra.episodes (owner, "idempotencyKey") WHERE "idempotencyKey" IS NOT NULL;
  CREATE INDEX ON palestra.episodes (owner, key);
  CREATE TABLE palestra.openings (episode bigint PRIMARY KEY, opening text NOT NULL, sum bigint NOT NULL);
  CREATE TABLE palestra.marks (
    entry bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, episode bigint NOT NULL, kind text NOT NULL, detail text NOT NULL,
    "atMs" bigint NOT NULL
  );
  CREATE INDEX ON palestra.marks (episode);
  CREATE TABLE palestra.extents (
    episode bigint NOT NULL, "lastIndex" bigint NOT NULL, "firstPage" bigint NOT NULL, "lastPage" bigint NOT NULL,
    places text NOT NULL, bytes bigint NOT NULL, PRIMARY KEY (episode, "lastIndex")
  );
  CREATE INDEX ON palestra.extents USING gist (int8range("firstPage", "lastPage", '[]'));
  CREATE TABLE palestra.freed ("firstPage" bigint NOT NULL, "lastPage" bigint NOT NULL);
  CREATE TABLE palestra.aliases (
    entry bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, namespace text NOT NULL, alias bigint NOT NULL, owner text NOT NULL,
    "episodeId" text
  );
  CREATE INDEX ON palestra.aliases (namespace, alias, entry);
  CREATE TABLE palestra.usage (owner text, incarnation bigint, bytes bigint NOT NULL, PRIMARY KEY (owner, incarnation));
`;

/** Table with the progress of `palestra log copy`, which exists until the copy is finished. */
export const progressOfCopy = "palestra.copying";

/** @throws {Error} the log is an unfinished copy */
export async function expectFinishedCopy(session: Session): Promise<void> {
  const [found] = await session.runUntilAnswered<{ copying: boolean }>({
    text: `SELECT to_regclass('${progressOfCopy}') IS NOT NULL AS copying`,
  });
  if (found?.copying) throw new Error(unfinishedCopy("the database"));
}
