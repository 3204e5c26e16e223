/** Partitions of the pages of the log in PostgreSQL, which are dropped when no episode needs them. */
import { describe, expect, test } from "vitest";
import { gymDatabase } from "../../support/databases.js";
import { episodeRow } from "../../support/episode-row.js";
import { postgresFolder, sql } from "../../support/postgres.js";
import { lockedTable } from "./postgres-locks.js";
import { Rig, type Step } from "./postgres-rig.js";

const dayMs = 86_400_000;
const pagesPerPartition = 2 ** 28;

/** Opens a gym whose first page is in a new partition, as on the day after the newest partition. */
async function openNextDay(url: string, node?: { address: string }): Promise<Rig> {
  await sql(url, `UPDATE palestra.partitions SET "openedAt" = "openedAt" - interval '25 hours'`);
  return Rig.open(node ? { url, node } : { url });
}

async function play(rig: Rig, key: number, createdAtMs = key, steps: readonly Step[] = [[key, 0]]): Promise<void> {
  await rig.call("createEpisode", episodeRow(key, { id: `ep-${key}-0`, createdAtMs }), "{}");
  expect(await rig.append(steps)).toBeNull();
}

const indexesOf = async (rig: Rig, key: number) => (await rig.call("readSteps", key, 0, 10)).map(({ index }) => index);

const partitionsOf = async (url: string) =>
  (
    await sql<{ name: string }>(
      url,
      "SELECT inhrelid::regclass::text AS name FROM pg_inherits WHERE inhparent = 'palestra.pages'::regclass ORDER BY 1",
    )
  ).map(({ name }) => name.replace("palestra.", ""));

const pagesOf = async (url: string) =>
  (await sql<{ page: string }>(url, "SELECT page::text FROM palestra.pages ORDER BY page")).map(({ page }) =>
    Number(page),
  );

/** Two episodes whose steps are in partitions of their own, and the gym that has played the second one. */
async function twoDays(createdAtMs: readonly [number, number] = [1, 2]): Promise<{ url: string; rig: Rig }> {
  const url = await gymDatabase();
  const first = await Rig.open({ url });
  await play(first, 1, createdAtMs[0]);
  await first.close();
  const rig = await openNextDay(url);
  await play(rig, 2, createdAtMs[1]);
  expect(await partitionsOf(url)).toEqual(["pages_0", "pages_1"]);
  expect(await pagesOf(url)).toEqual([1, pagesPerPartition + 1]);
  return { url, rig };
}

describe.skipIf(postgresFolder === null)("a partition of pages", () => {
  test("holds the pages of one day, and is dropped when no episode needs any of them", async () => {
    const { url, rig } = await twoDays();
    expect(await rig.call("prune", 2, [], 10)).toBe(1);
    expect(await partitionsOf(url)).toEqual(["pages_1"]);
    const left = `SELECT (SELECT count(*)::int FROM palestra.freed) AS freed,
      (SELECT count(*)::int FROM palestra.blocks WHERE block < 4096) AS blocks`;
    expect(await sql(url, left)).toEqual([{ freed: 0, blocks: 0 }]);
    expect(await indexesOf(rig, 2)).toEqual([0]);
    expect(await rig.append([[2, 1]])).toBeNull();
    await rig.close();
    expect(await indexesOf(await Rig.open({ url }), 2)).toEqual([0, 1]);
  });

  test("stays while an episode needs one of its pages, and loses its unneeded pages", async () => {
    const url = await gymDatabase();
    const first = await Rig.open({ url });
    const anHourAgo = Date.now() - 3_600_000;
    await play(first, 1, anHourAgo);
    await play(first, 2, anHourAgo);
    await first.close();
    const rig = await openNextDay(url);
    await play(rig, 3, Date.now());
    expect(await rig.call("prune", anHourAgo + 1, [2], 10)).toBe(1);
    expect(await partitionsOf(url)).toEqual(["pages_0", "pages_1"]);
    expect(await pagesOf(url)).toEqual([2, pagesPerPartition + 1]);
    expect(await indexesOf(rig, 2)).toEqual([0]);
  });

  test("stays while a gym may write into it, or has steps in it that are indexed only in memory", async () => {
    const url = await gymDatabase();
    const first = await Rig.open({ url, node: { address: "http://127.0.0.1:1" } });
    await play(first, 1);
    const second = await openNextDay(url, { address: "http://127.0.0.1:2" });
    await play(second, 2);
    expect(await second.call("prune", 0, [], 10)).toBe(0);
    expect(await partitionsOf(url)).toEqual(["pages_0", "pages_1"]);
    expect(await first.append([[1, 1]])).toBeNull();
    expect(await indexesOf(first, 1)).toEqual([0, 1]);
  });

  test("keeps freed pages until it is dropped, if episodes are kept for long", async () => {
    const now = Date.now();
    const { url, rig } = await twoDays([now - 10 * dayMs, now]);
    const ages = (days: number) =>
      sql(url, `UPDATE palestra.partitions SET "openedAt" = now() - interval '1 day' * (${days} - partition)`);
    await play(rig, 3, now);
    await sql(url, `INSERT INTO palestra.extents VALUES (3, 9, 1, 1, '[4096]', 0)`);
    await ages(9);
    expect(await rig.call("prune", now - 9 * dayMs, [], 10)).toBe(1);
    expect((await pagesOf(url))[0]).toBe(1);
    await sql(url, 'DELETE FROM palestra.extents WHERE episode = 3 AND "firstPage" = 1');
    await rig.call("prune", now - 9 * dayMs, [], 10);
    expect(await partitionsOf(url)).toEqual(["pages_1"]);
  });

  test("of a copied log contains the pages of many days, and frees unneeded pages at once", async () => {
    const now = Date.now();
    const { url, rig } = await twoDays([now - 10 * dayMs, now]);
    await sql(
      url,
      `UPDATE palestra.partitions SET "openedAt" = '-infinity' WHERE partition = 0;
       INSERT INTO palestra.extents VALUES (2, 9, 3, 3, '[4096]', 0)`,
    );
    expect(await rig.call("prune", now - 9 * dayMs, [], 10)).toBe(1);
    expect([await partitionsOf(url), await pagesOf(url)]).toEqual([["pages_0", "pages_1"], [pagesPerPartition + 1]]);
  });

  test("with many freed pages is emptied in the background, and a closing gym does not wait", async () => {
    const { url, rig } = await twoDays();
    const freed = async () => (await sql<{ n: number }>(url, "SELECT count(*)::int AS n FROM palestra.freed"))[0]?.n;
    await sql(url, "INSERT INTO palestra.freed SELECT 1000 + 3 * n, 1000 + 3 * n FROM generate_series(1, 40000) AS n");
    await sql(url, `INSERT INTO palestra.extents VALUES (3, 9, 5, 5, '[4096]', 0)`);
    const pruned = rig.call("prune", 2, [], 10);
    const reads = [pruned, rig.call("findEpisode", 2), rig.append([[2, 1]])];
    expect(await Promise.all(reads)).toMatchObject([1, { steps: expect.toBeOneOf([1, 2]) }, null]);
    await rig.close();
    expect(await freed(), "the next gym goes on").toBeGreaterThan(0);
  });

  test("is dropped later when a backup holds the table of pages, and no step waits for the backup", async () => {
    const { url, rig } = await twoDays();
    const backup = await lockedTable(url, "palestra.pages", "ACCESS SHARE");
    expect(await rig.call("prune", 2, [], 10)).toBe(1);
    expect(await partitionsOf(url)).toEqual(["pages_0", "pages_1"]);
    expect(await rig.append([[2, 1]])).toBeNull();
    await backup.end();
    expect(await rig.call("prune", 2, [], 10)).toBe(0);
    expect(await partitionsOf(url)).toEqual(["pages_1"]);
  });
});
