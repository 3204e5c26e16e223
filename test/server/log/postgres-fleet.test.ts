/** Gyms that share one database: owners of shards, detection of dead gyms, and the steps of these. */
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { planMoves } from "#palestra/server/fleet/shard-plan.js";
import type { FleetState } from "#palestra/server/log/records/protocol.js";
import { emptyDatabase, gymDatabase } from "../../support/databases.js";
import { episodeRow } from "../../support/episode-row.js";
import { eventually } from "../../support/gym.js";
import { hurriedTimes } from "../../support/hurry.js";
import { PostgresServer, postgresFolder, sql } from "../../support/postgres.js";
import { connected } from "./postgres-locks.js";
import { openCuttingRelay, Rig } from "./postgres-rig.js";

const times = hurriedTimes.fleet;
const openPostgres = (url: string) => Rig.open({ url, times });

describe.skipIf(postgresFolder === null)("a fleet on one database", () => {
  const join = (url: string, address: string) => Rig.open({ url, node: { address }, times });
  const shardsOf = ({ log }: Rig) => log.fleet?.owners.filter((owner) => owner === log.fleet?.incarnation).length ?? 0;
  const owned = (rigs: readonly Rig[]) => rigs.reduce((sum, rig) => sum + shardsOf(rig), 0);

  test("shares the shards, and a live gym takes over the shards of a dead one", async () => {
    const url = await emptyDatabase();
    const [a, b] = await Promise.all([join(url, "http://a"), join(url, "http://b")]);
    await eventually(() => owned([a, b]) === 4_096);
    await giveSurplus([a, b], () => Math.max(shardsOf(a), shardsOf(b)) === 2_048);
    for (let index = 0; index < 5; index++) expect(await a.append([[7, index]])).toBeNull();
    await a.close();
    await eventually(() => shardsOf(b) === 4_096);
    expect(b.log.fleet?.nodes).toMatchObject([{ incarnation: b.log.fleet?.incarnation, address: "http://b" }]);
    expect((await b.call("readSteps", 7, 0, 10)).map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(await b.append([[7, 5]])).toBeNull();
    expect((await b.call("readSteps", 7, 3, 10)).map(({ index }) => index)).toEqual([3, 4, 5]);
  });

  test("sees a change of the shard map that got its number long before its commit", async () => {
    const url = await gymDatabase();
    const rig = await join(url, "http://a");
    await eventually(() => shardsOf(rig) === 4_096);
    const mover = await connected(url);
    await mover.query(`BEGIN; UPDATE palestra.shards SET "pinnedTo" = 7 WHERE shard = 5;
      SELECT nextval('palestra.map_version'), pg_notify('palestra_fleet', '')`);
    await sleep(1.4 * times.settlingMs);
    expect(rig.log.fleet?.pins.get(5)).toBeUndefined();
    await mover.query("COMMIT");
    await eventually(() => rig.log.fleet?.pins.get(5) === 7);
  });

  test("fences a silent gym, which can then write nothing", async () => {
    const url = new URL(await gymDatabase());
    const relay = await openCuttingRelay(Number(url.port), 0);
    const direct = url.href;
    url.port = `${relay.port}`;
    const [frozen, other] = await Promise.all([join(url.href, "http://frozen"), join(direct, "http://other")]);
    await eventually(() => owned([frozen, other]) === 4_096 && other.log.fleet?.nodes.length === 2);
    expect(await frozen.append([[3, 0]])).toBeNull();
    relay.isFrozen = true;
    const late = frozen.append([[3, 1]]);
    await eventually(() => shardsOf(other) === 4_096 && other.log.fleet?.nodes.length === 1);
    expect(await other.append([[3, 1, "by the other"]])).toBeNull();
    relay.isFrozen = false;
    expect(await late).toMatch(/another gym/);
    expect(frozen.lost[0]?.code).toBe("EPISODE_ELSEWHERE");
    expect((await other.call("readSteps", 3, 0, 10)).map(({ action }) => action)).toEqual(["a0", "by the other"]);
  });

  test("continues at the second host of the URL when the first one stops answering, before it would be fenced", {
    timeout: 240_000,
  }, async () => {
    const direct = new URL(await gymDatabase());
    const [first, second] = await Promise.all([0, 1].map(() => openCuttingRelay(Number(direct.port), 0)));
    const url = direct.href.replace(direct.host, `127.0.0.1:${first?.port},127.0.0.1:${second?.port}`);
    const rig = await join(url, "http://a");
    expect(await rig.append([[7, 0]])).toBeNull();
    if (first) first.isFrozen = true;
    const late = rig.append([[7, 1]]);
    await eventually(() => !rig.log.isMember);
    await eventually(() => rig.log.isMember);
    expect(await late).toBeNull();
    expect((await rig.call("readSteps", 7, 0, 10)).map(({ index }) => index)).toEqual([0, 1]);
    expect(rig.lost).toEqual([]);
  });

  test("takes over the shards of a dead gym even while another dead gym cannot be fenced yet", {
    timeout: 240_000,
  }, async () => {
    const direct = new URL(await gymDatabase());
    const relay = await openCuttingRelay(Number(direct.port), 0);
    const url = direct.href.replace(direct.host, `127.0.0.1:${relay.port}`);
    const first = await join(url, "http://first");
    const second = await join(url, "http://second");
    const living = await join(direct.href, "http://living");
    await eventually(() => living.log.fleet?.nodes.length === 3);
    const locker = await connected(direct.href);
    await locker.query(
      `BEGIN; SELECT 1 FROM palestra.fences WHERE incarnation = ${first.log.fleet?.incarnation} FOR SHARE`,
    );
    relay.isFrozen = true;
    const gone = second.log.fleet?.incarnation;
    await eventually(() => !living.log.fleet?.nodes.some(({ incarnation }) => incarnation === gone));
    expect(living.log.fleet?.nodes).toHaveLength(2);
    await locker.query("COMMIT");
    await eventually(() => living.log.fleet?.nodes.length === 1);
    relay.isFrozen = false;
    await eventually(() => [first, second].every(({ lost }) => lost.length === 1));
  });

  test("fences no gym because of an outage of the database", async () => {
    // A server of its own, since the test kills it.
    const own = await PostgresServer.start();
    const url = await own.createDatabase();
    const rigs = await Promise.all(["http://a", "http://b", "http://c"].map((address) => join(url, address)));
    await eventually(() => owned(rigs) === 4_096);
    await own.stop("SIGKILL");
    await sleep(2 * times.silentMs);
    await own.begin();
    await sleep(2 * times.silentMs);
    expect(rigs.map(({ lost }) => lost)).toEqual([[], [], []]);
    expect(owned(rigs)).toBe(4_096);
    const living = await own.sql(url, "SELECT count(*)::int AS live FROM palestra.fences WHERE live");
    expect(living).toEqual([{ live: 3 }]);
  });

  test("continues without the shards of a gym whose newest steps are damaged, and reports these", {
    timeout: 240_000,
  }, async () => {
    const url = await gymDatabase();
    const [a, b] = await Promise.all([join(url, "http://a"), join(url, "http://b")]);
    await eventually(() => owned([a, b]) === 4_096);
    await giveSurplus([a, b], () => shardsOf(a) === 2_048);
    const troubles: (string | null)[] = [];
    b.log.onTrouble = (cause) => troubles.push(cause);
    expect(await a.append([[7, 0]])).toBeNull();
    await sql(url, "UPDATE palestra.pages SET lines = lines || ' '");
    await a.close();
    await eventually(() => troubles.length > 0);
    expect(troubles).toEqual([
      expect.stringMatching(/newest steps of a gym that has ended cannot be indexed: Page \d+/),
    ]);
    expect(await b.append([[8, 0]])).toBeNull();
    expect([shardsOf(b), b.lost]).toEqual([2_048, []]);
    await sql(url, "UPDATE palestra.pages SET lines = rtrim(lines, ' ')");
    await eventually(() => shardsOf(b) === 4_096 && troubles.at(-1) === null);
  });

  test("removes the oldest episodes, whatever their keys, but none that was just opened", {
    timeout: 240_000,
  }, async () => {
    const url = await gymDatabase();
    const rig = await join(url, "http://a");
    await eventually(() => shardsOf(rig) === 4_096);
    const now = Date.now();
    const rows = [
      episodeRow(1, { id: "ep-1-0", createdAtMs: now - 70_000, leaseMs: 1 }),
      episodeRow(2, { id: "ep-2-0", createdAtMs: now - 90_000, leaseMs: 3_600_000 }),
      episodeRow(3, { id: "ep-3-0", createdAtMs: now - 80_000, leaseMs: 1 }),
      episodeRow(4, { id: "ep-4-0", createdAtMs: now - 5_000, leaseMs: 1 }),
    ];
    for (const row of rows) await rig.call("createEpisode", row, "{}");
    const left = async () =>
      (await sql<{ key: number }>(url, "SELECT key::int FROM palestra.episodes ORDER BY key")).map(({ key }) => key);
    expect(await rig.call("prune", now - 75_000, [], 10)).toBe(1);
    expect(await left(), "2 may be in use, since the gym has its shard for less than its lease").toEqual([1, 2, 4]);
    expect(await rig.call("prune", Number.MAX_SAFE_INTEGER, [], 10)).toBe(1);
    expect(await left(), "4 is too young").toEqual([2, 4]);
    expect(await rig.call("newestCreatedAtMs")).toBe(now - 5_000);
  });

  test("creates one episode for an idempotency key, at whichever gym the calls arrive", async () => {
    const url = await gymDatabase();
    const rigs = await Promise.all([join(url, "http://a"), join(url, "http://b")]);
    const rowOf = (key: number, idempotencyKey: string) =>
      episodeRow(key, { id: `ep-${key}-0`, idempotencyKey, requestDigest: "{}" });
    for (let round = 10; round < 30; round++) {
      const created = await Promise.allSettled(
        rigs.map((rig, i) => rig.call("createEpisode", rowOf(2 * round + i, `key ${round}`), `{"round":${round}}`)),
      );
      const refused = created.filter(({ status }) => status === "rejected") as PromiseRejectedResult[];
      expect(refused.map(({ reason }) => (reason as Error).message)).toEqual([
        expect.stringMatching(/another gym has created an episode with the same idempotency key/),
      ]);
    }
    expect(await sql(url, "SELECT count(*)::int FROM palestra.episodes")).toEqual([{ count: 20 }]);
    expect(await sql(url, "SELECT count(*)::int FROM palestra.openings")).toEqual([{ count: 20 }]);
    const bytes = await sql(url, "SELECT sum(bytes)::int / 20 AS each FROM palestra.usage");
    expect(bytes).toEqual([{ each: 256 + "{}".length + "{}".length + '{"round":10}'.length }]);
  });

  test("takes over the steps of a gym that used the database alone, which can then write nothing", async () => {
    const url = new URL(await gymDatabase());
    const relay = await openCuttingRelay(Number(url.port), 0);
    const direct = url.href;
    url.port = `${relay.port}`;
    const alone = await openPostgres(url.href);
    for (let index = 0; index < 3; index++) expect(await alone.append([[5, index]])).toBeNull();
    relay.isFrozen = true;
    await sql(
      direct,
      `SELECT pg_terminate_backend(pid) FROM pg_locks
        WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
    );
    const late = alone.append([[5, 3]]);
    const rig = await join(direct, "http://a");
    await eventually(() => shardsOf(rig) === 4_096);
    expect((await rig.call("readSteps", 5, 0, 10)).map(({ index }) => index)).toEqual([0, 1, 2]);
    relay.isFrozen = false;
    expect(await late).toMatch(/another gym|a gym of the fleet|uses the database/);
    expect(await rig.append([[5, 3, "by the fleet"]])).toBeNull();
    expect((await rig.call("readSteps", 5, 2, 10)).map(({ action }) => action)).toEqual(["a2", "by the fleet"]);
  });

  test("gives each gym its own keys, after those of a gym that used the database alone", async () => {
    const url = await gymDatabase();
    const alone = await openPostgres(url);
    await alone.call("createEpisode", episodeRow(10_000_000), "{}");
    await expect(join(url, "http://a")).rejects.toThrow(/a gym without a fleet uses the database/);
    await alone.close();
    const rigs = await Promise.all([join(url, "http://a"), join(url, "http://b"), join(url, "http://c")]);
    await expect(openPostgres(url)).rejects.toThrow(/another gym uses the database/);
    const taken = await Promise.all(rigs.flatMap((rig) => Array.from({ length: 20 }, () => rig.call("takeKeys"))));
    expect(new Set(taken).size).toBe(60);
    expect(Math.min(...taken) * 4_096).toBeGreaterThan(10_000_000);
  });
});

/** Moves shards between the gyms until each shard has the owner that the test wants. */
async function giveSurplus(rigs: readonly Rig[], isDone: () => boolean): Promise<void> {
  await eventually(async () => {
    for (const rig of rigs) {
      const fleet = rig.log.fleet as FleetState;
      const own = fleet.owners.flatMap((owner, shard) => (owner === fleet.incarnation ? [shard] : []));
      const moves = planMoves(fleet, own, new Map());
      if (moves.length > 0) await rig.call("giveShards", moves);
    }
    return isDone();
  });
}
