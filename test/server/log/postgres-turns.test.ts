/** Pipelined transactions of the log in PostgreSQL, and the index that follows them. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { gymDatabase } from "../../support/databases.js";
import { eventually } from "../../support/gym.js";
import { postgresFolder, sql } from "../../support/postgres.js";
import { lockedTable } from "./postgres-locks.js";
import { openCuttingRelay, Rig, type Step } from "./postgres-rig.js";

/** A page that is large enough for a transaction to be sent ahead. */
const action = "x".repeat(2_000);
const bigPage = (episode: number, from: number): Step[] =>
  Array.from({ length: 24 }, (_, i): Step => [episode, from + i, `${from + i} ${action}`]);
const small = (episode: number, from: number, count: number): Step[] =>
  Array.from({ length: count }, (_, i): Step => [episode, from + i, ""]);

async function indexesOf(rig: Rig, episode: number): Promise<number[]> {
  return (await rig.call("readSteps", episode, 0, 1_000_000)).map(({ index }) => index);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe.skipIf(postgresFolder === null)("transactions of the log in PostgreSQL", () => {
  test("that are sent ahead take effect once and in order while connections break", async () => {
    const direct = await gymDatabase();
    const url = new URL(direct);
    const relay = await openCuttingRelay(Number(url.port), 0.05);
    url.port = `${relay.port}`;
    const rig = await Rig.open({ url: url.href });
    let reported = 0;
    for (let round = 0; round < 60; round++) {
      for (let i = 0; i < 4; i++) rig.report(bigPage(1, reported++ * 24));
      for (let i = 0; i < 4; i++) expect(await rig.outcome()).toBeNull();
    }
    expect(relay.cuts).toBeGreaterThan(20);
    relay.chance = 0;
    expect(await indexesOf(rig, 1)).toEqual(upTo(reported * 24));
    const [stored] = await sql<{ steps: number }>(
      direct,
      "SELECT sum(length(lines) - length(replace(lines, chr(10), '')))::int / 2 AS steps FROM palestra.pages",
    );
    expect(stored).toEqual({ steps: reported * 24 });
  });

  test("that follow a refused one, sent or still queued, are refused", async () => {
    const url = await gymDatabase();
    const rig = await Rig.open({ url });
    expect(await rig.append(bigPage(1, 0))).toBeNull();
    await sql(url, "ALTER TABLE palestra.pages ADD CONSTRAINT full_disk CHECK (strpos(lines, '24 x') = 0) NOT VALID");
    const blocker = await lockedTable(url, "palestra.pages");
    // The first transaction is blocked, the second one is sent ahead, and the last page waits.
    for (const pages of [[1], [2, 3], [4]]) {
      for (const page of pages) rig.report(bigPage(1, page * 24));
      await sleep(300);
    }
    await blocker.end();
    const outcomes = [await rig.outcome(), await rig.outcome(), await rig.outcome(), await rig.outcome()];
    expect(outcomes[0]).toMatch(/full_disk/);
    for (const outcome of outcomes) expect(outcome).not.toBeNull();
    rig.resume(4);
    await sql(url, "ALTER TABLE palestra.pages DROP CONSTRAINT full_disk");
    expect(await rig.append(bigPage(1, 24))).toBeNull();
    expect(await indexesOf(rig, 1)).toEqual(upTo(48));
  });

  test("continue while earlier steps move to the index, and the next gym completes that move", {
    timeout: 240_000,
  }, async () => {
    const url = await gymDatabase();
    const rig = await Rig.open({ url });
    const blocker = await lockedTable(url, "palestra.extents");
    // The index moves from 16,384 steps on, and from 32,768 on steps wait for it.
    for (let from = 0; from < 24_000; from += 2_000) expect(await rig.append(small(1, from, 2_000))).toBeNull();
    const isMoving = () =>
      sql(
        url,
        `SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND query LIKE '%palestra.extents (%'
          AND wait_event = 'relation'`,
      );
    await eventually(async () => (await isMoving()).length === 1);
    expect(await indexesOf(rig, 1)).toEqual(upTo(24_000));
    await blocker.end();
    for (let from = 24_000; from < 70_000; from += 2_000) expect(await rig.append(small(1, from, 2_000))).toBeNull();
    expect(await indexesOf(rig, 1)).toEqual(upTo(70_000));
    const [left] = await sql<{ pages: number }>(
      url,
      "SELECT count(*)::int AS pages FROM palestra.pages p, palestra.indexed i WHERE p.page > i.page",
    );
    expect(left?.pages).toBeGreaterThan(0);
    await sql(url, "UPDATE palestra.fences SET live = false");
    expect(await rig.append(small(1, 70_000, 1))).toMatch(/another gym has taken over the log/);
    await rig.close();
    const next = await Rig.open({ url });
    expect(await indexesOf(next, 1)).toEqual(upTo(70_000));
    const extents = await sql<{ last: number; places: string }>(
      url,
      'SELECT "lastIndex"::int AS last, places FROM palestra.extents WHERE episode = 1 ORDER BY 1',
    );
    let steps = 0;
    for (const { last, places } of extents) {
      steps += (JSON.parse(places) as number[]).length;
      expect(last).toBe(steps - 1);
    }
    expect(steps).toBe(70_000);
  });
});
