/** Migrations of the log's tables in PostgreSQL from older versions. */
import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { verifyDatabase } from "#palestra/server/log/copy/postgres-verification.js";
import { checksum } from "#palestra/server/log/records/damage.js";
import { StepPageWriter } from "#palestra/server/log/records/step-page.js";
import { emptyDatabase } from "../../support/databases.js";
import { episodeRow } from "../../support/episode-row.js";
import { eventually, scratchDir } from "../../support/gym.js";
import { palestra } from "../../support/palestra.js";
import { postgresFolder, sql } from "../../support/postgres.js";
import { spawnGym } from "../../support/server-process.js";
import { connected } from "./postgres-locks.js";
import { Rig } from "./postgres-rig.js";

const firstTables = readFileSync(new URL("../../fixtures/postgres/tables-1.sql", import.meta.url), "utf8");

/** Makes a database of version 1 with an episode of 5 steps. Two of them are not yet in the index of steps. */
async function databaseOfVersion1(): Promise<string> {
  const url = await emptyDatabase();
  await sql(url, firstTables);
  const client = await connected(url);
  await client.query("INSERT INTO palestra.fences (live, turn, nonce, indexed) VALUES (true, 2, 'b', 1)");
  await client.query("INSERT INTO palestra.blocks (incarnation) VALUES (1)");
  const { key, id, owner } = episodeRow(1, { id: "ep-1-0", createdAtMs: 5 });
  await client.query(
    `INSERT INTO palestra.episodes (key, id, environment, split, "taskIndex", seed, options, "maxSteps", owner, "createdAtMs", "leaseMs")
      VALUES ($1, $2, 'maze@1', 'all', 0, 0, '{}', 100, $3, 5, 1000)`,
    [key, id, owner],
  );
  await client.query("INSERT INTO palestra.openings VALUES (1, '{}', $1)", [checksum("{}")]);
  for (const [page, indexes] of [
    [1, [0, 1, 2]],
    [2, [3, 4]],
  ] as const) {
    const writer = new StepPageWriter();
    for (const index of indexes) writer.add(1, index, `a${index}`, `{"index":${index}}`, 0);
    const { lines } = writer.take();
    await client.query("INSERT INTO palestra.pages VALUES ($1, $2, $3, 7)", [page, lines, checksum(lines)]);
  }
  await client.query("INSERT INTO palestra.extents VALUES (1, 2, 1, 1, '[4096,4097,4098]', 60)");
  await client.end();
  return url;
}

async function indexesOf(rig: Rig): Promise<number[]> {
  return (await rig.call("readSteps", 1, 0, 10)).map(({ index }) => index);
}

const versionOf = async (url: string) =>
  (await sql<{ version: number }>(url, "SELECT version FROM palestra.meta"))[0]?.version;

/** Columns, indexes and constraints of all tables, except partitions after the first. */
async function shapeOf(url: string): Promise<unknown[]> {
  const columns = await sql(
    url,
    `SELECT table_name, column_name, data_type, is_nullable, column_default FROM information_schema.columns
      WHERE table_schema = 'palestra' AND table_name <> 'pages_1' ORDER BY 1, 2`,
  );
  const indexes = await sql(
    url,
    "SELECT indexdef FROM pg_indexes WHERE schemaname = 'palestra' AND tablename <> 'pages_1' ORDER BY 1",
  );
  return [columns, indexes];
}

describe.skipIf(postgresFolder === null)("a log in PostgreSQL of version 1", () => {
  test("is migrated with its episodes to the tables of a new database", async () => {
    const url = await databaseOfVersion1();
    const rig = await Rig.open({ url });
    expect(await versionOf(url)).toBe(7);
    expect(await indexesOf(rig)).toEqual([0, 1, 2, 3, 4]);
    expect(await rig.append([[1, 5]])).toBeNull();
    const summed = await sql(url, "SELECT sum IS NOT NULL AS summed FROM palestra.episodes");
    expect([summed, (await verifyDatabase(url)).damages]).toEqual([[{ summed: true }], []]);
    expect(await indexesOf(rig)).toEqual([0, 1, 2, 3, 4, 5]);
    const fresh = await emptyDatabase();
    await (await Rig.open({ url: fresh })).close();
    expect(await shapeOf(url)).toEqual(await shapeOf(fresh));
  });

  test("is not migrated by a command, since that would end the running gyms of version 1", async () => {
    const url = await databaseOfVersion1();
    const listed = await palestra(["token", "list"], { PALESTRA_LOG_URL: url });
    expect(listed).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/received version 1\. `palestra serve` brings/),
    });
    expect(await versionOf(url)).toBe(1);
  });

  test("is migrated once when the gyms of a fleet start together", async () => {
    const url = await databaseOfVersion1();
    const rigs = await Promise.all([1, 2, 3].map((n) => Rig.open({ url, node: { address: `http://127.0.0.1:${n}` } })));
    for (const rig of rigs) expect(await indexesOf(rig)).toEqual([0, 1, 2, 3, 4]);
  });

  test("is migrated after its gyms have ended, and a gym that is only disconnected is fenced", async () => {
    const url = await databaseOfVersion1();
    const old = await connected(url);
    await old.query("SELECT pg_try_advisory_lock_shared(x'50414c45'::int, 1)");
    await expect(Rig.open({ url })).rejects.toThrow(
      /a gym uses the episode log with schema version 1. Stop all of its gyms. The next gym that starts brings the log forward to version 7/,
    );
    expect(await versionOf(url)).toBe(1);
    await old.end();
    await Rig.open({ url });
    const fences = await sql(url, "SELECT live, settled FROM palestra.fences WHERE incarnation = 1");
    expect(fences).toEqual([{ live: false, settled: true }]);
  });

  test("is unchanged when the gym is killed during the migration", async () => {
    const url = await databaseOfVersion1();
    const before = await shapeOf(url);
    const blocker = await connected(url);
    await blocker.query("BEGIN; LOCK TABLE palestra.fences IN ACCESS SHARE MODE");
    const gym = spawnGym({ dataDir: scratchDir(), env: { PALESTRA_LOG_URL: url } });
    onTestFinished(async () => void (await gym.kill()));
    const forward = "datname = current_database() AND query LIKE 'DO $forward$%'";
    const waiting = () => sql(url, `SELECT 1 FROM pg_stat_activity WHERE ${forward} AND wait_event = 'relation'`);
    await eventually(async () => (await waiting()).length === 1);
    await gym.kill();
    await blocker.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${forward}`);
    await blocker.end();
    expect(await versionOf(url)).toBe(1);
    expect(await shapeOf(url)).toEqual(before);
    expect(await indexesOf(await Rig.open({ url }))).toEqual([0, 1, 2, 3, 4]);
  });
});
