/**
 * Migrates the tables of an older version. Each step leads from one version to the next. A new database also goes
 * through all steps, so both have the same tables. All steps of a database are one transaction.
 *
 * The migrating gym holds the lock of the gyms exclusively, so it waits until the gyms of the older version are
 * stopped. A gym that is only disconnected from the database is fenced, since it writes to the older tables.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { gymLock } from "./gym-lock.js";
import { partitionTables } from "./partitions.js";
import { firstTables, makingTables } from "./schema.js";
import { longMs, Session } from "./session.js";

/** Statements that lead to each version, from version 2 on. Released statements must not be changed. */
const steps: readonly string[] = [
  `CREATE TABLE palestra.indexed (incarnation bigint PRIMARY KEY, page bigint NOT NULL) WITH (fillfactor = 50);
   INSERT INTO palestra.indexed SELECT incarnation, indexed FROM palestra.fences;
   ALTER TABLE palestra.fences DROP COLUMN indexed;
   ALTER TABLE palestra.nodes ADD COLUMN drains boolean NOT NULL DEFAULT false, ADD COLUMN facts jsonb;
   ALTER TABLE palestra.shards ADD COLUMN "pinnedTo" bigint;
   CREATE TABLE palestra.tokens (version bigint NOT NULL, records text NOT NULL);
   INSERT INTO palestra.tokens VALUES (0, '{"tokens": []}');
   CREATE TABLE palestra.judgments (
     owner text, number bigint, id text NOT NULL UNIQUE, judgment text NOT NULL, PRIMARY KEY (owner, number)
   );
   CREATE TABLE palestra.uses (
     incarnation bigint PRIMARY KEY, version bigint NOT NULL, day text NOT NULL, counts text NOT NULL
   ) WITH (fillfactor = 20);
   CREATE TABLE palestra.unindexed (
     incarnation bigint PRIMARY KEY, indexed bigint NOT NULL, bytes json NOT NULL
   ) WITH (fillfactor = 20);`,
  `${partitionTables}
   ALTER TABLE palestra.nodes ADD COLUMN starts boolean NOT NULL DEFAULT false;`,
  `ALTER TABLE palestra.aliases ADD COLUMN "atMs" bigint;
   CREATE INDEX ON palestra.episodes ("createdAtMs");`,
  `CREATE INDEX ON palestra.freed ("firstPage", "lastPage");
   UPDATE palestra.partitions SET "openedAt" = '-infinity' WHERE partition = 0
     AND "openedAt" > (SELECT to_timestamp(min("createdAtMs") / 1000.0) + interval '2 days' FROM palestra.episodes);`,
  // See `rowSum`.
  `CREATE FUNCTION palestra.row_sum(VARIADIC cells text[]) RETURNS bigint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $sum$
     SELECT ('x' || left(encode(sha256(convert_to(array_to_string(cells, chr(10), '\\N'), 'UTF8')), 'hex'), 8))::bit(32)::bigint
   $sum$;
   ALTER TABLE palestra.episodes ADD COLUMN sum bigint;
   UPDATE palestra.episodes SET sum = palestra.row_sum(key::text, id, environment, split, "taskIndex"::text, seed::text, options,
     "maxSteps"::text, owner, "createdAtMs"::text, "leaseMs"::text, parent, "idempotencyKey", "requestDigest");
   ALTER TABLE palestra.marks ADD COLUMN sum bigint;
   UPDATE palestra.marks SET sum = palestra.row_sum(episode::text, kind, detail, "atMs"::text);
   ALTER TABLE palestra.aliases ADD COLUMN sum bigint;
   UPDATE palestra.aliases SET sum = palestra.row_sum(namespace, alias::text, owner, "episodeId", "atMs"::text);
   ALTER TABLE palestra.extents ADD COLUMN sum bigint;
   UPDATE palestra.extents SET sum = palestra.row_sum(episode::text, "lastIndex"::text, "firstPage"::text, "lastPage"::text,
     places, bytes::text);`,
  // See `verdictNumber`.
  `CREATE INDEX ON palestra.marks (kind, episode);
   CREATE INDEX ON palestra.marks (((detail::json->>'return')::float8), episode) WHERE kind IN ('solved', 'unsolved');
   CREATE INDEX ON palestra.marks (((detail::json->>'steps')::float8), episode) WHERE kind IN ('solved', 'unsolved');`,
];

export const schemaVersion = 1 + steps.length;

/** Milliseconds for which a start waits for gyms of the older version to end, and between its attempts. */
const [giveUpMs, pauseMs] = [3_000, 100];

/**
 * Creates the tables of an empty database, and migrates those of an older version. Call it before taking the lock of
 * the gyms.
 *
 * @param isOwner whether tables of an older version may be changed
 * @throws {Error} the tables have a newer version, or a gym of the older version uses them
 */
export async function prepareTables(url: string, isOwner = true): Promise<void> {
  // Changes of large tables may take minutes.
  const session = new Session(url, { silentMs: longMs });
  const givenUpAt = performance.now() + giveUpMs;
  try {
    for (;;) {
      const version = await versionOf(session, givenUpAt);
      if (version === schemaVersion) return;
      if (version > schemaVersion || (version > 0 && !isOwner)) throw new Error(otherVersion(version));
      if (version > 0 && performance.now() > givenUpAt) throw new Error(gymsOfVersion(version));
      await session.runUntilAnswered({ text: forward(version) });
      if ((await versionOf(session)) === version) await sleep(pauseMs);
    }
  } finally {
    await session.close();
  }
}

/** Returns the version of the tables, or 0 if there are none. */
async function versionOf(session: Session, givenUpAt?: number): Promise<number> {
  const [found] = await session.runUntilAnswered<{ exists: boolean }>(
    { text: "SELECT to_regclass('palestra.meta') IS NOT NULL AS exists" },
    givenUpAt,
  );
  if (!found?.exists) return 0;
  const [meta] = await session.runUntilAnswered<{ version: number }>({ text: "SELECT version FROM palestra.meta" });
  return meta?.version ?? 0;
}

/**
 * Returns a block of statements, which is one transaction. It looks for the tables in the catalog, since `to_regclass`
 * may return the state from before the lock. The block changes nothing if a gym uses tables of this version.
 */
function forward(version: number): string {
  const all = [firstTables, ...steps].slice(version);
  const alone =
    version === 0
      ? "PERFORM 1;"
      : `IF NOT pg_try_advisory_xact_lock(${gymLock}) THEN RETURN; END IF;
         UPDATE palestra.fences SET live = false WHERE live;`;
  const isVersion =
    version === 0
      ? "NOT EXISTS (SELECT 1 FROM pg_tables WHERE schemaname = 'palestra' AND tablename = 'meta')"
      : `(SELECT version FROM palestra.meta) = ${version}`;
  return `DO $forward$ BEGIN
      PERFORM pg_advisory_xact_lock(${makingTables});
      IF ${isVersion} THEN
        ${alone}
        ${all.join("\n")}
        UPDATE palestra.meta SET version = ${schemaVersion};
      END IF;
    END $forward$`;
}

/** Returns the reason why tables of another version than the current one are refused. */
export function otherVersion(version: number): string {
  const received = `expected an episode log with schema version ${schemaVersion}, but received version ${version}`;
  const remedy =
    version > schemaVersion
      ? "A newer version of Palestra has brought the log forward, and there is no way back. Use that version, or restore a backup that is older"
      : "`palestra serve` brings it forward";
  return `${received}. ${remedy}`;
}

function gymsOfVersion(version: number): string {
  return `expected no running gym of an older version, but a gym uses the episode log with schema version ${version}. Stop all of its gyms. The next gym that starts brings the log forward to version ${schemaVersion}`;
}
