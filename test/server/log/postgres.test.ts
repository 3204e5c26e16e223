/**
 * The episode log in PostgreSQL, on a real server. Most tests make the same calls to a log in SQLite and compare every
 * answer.
 */
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { MersenneTwister } from "#palestra/envs/shared/rng/mersenne-twister.js";
import { GymError } from "#palestra/server/errors.js";
import { gymLock } from "#palestra/server/log/postgres/session/gym-lock.js";
import { episodeOrders } from "#palestra/server/log/records/episode-filter.js";
import { outcomes } from "#palestra/server/log/records/episode-state.js";
import type { FleetCalls, LogCallName } from "#palestra/server/log/records/protocol.js";
import { emptyDatabase, gymDatabase, missingDatabase } from "../../support/databases.js";
import { episodeRow } from "../../support/episode-row.js";
import { scratchDir } from "../../support/gym.js";
import { hurriedTimes } from "../../support/hurry.js";
import { PostgresServer, postgresFolder, sql } from "../../support/postgres.js";
import { connected } from "./postgres-locks.js";
import { openCuttingRelay, Rig, type Step } from "./postgres-rig.js";

const times = hurriedTimes.fleet;
const openPostgres = async (url?: string) => Rig.open({ url: url ?? (await gymDatabase()), times });
const openSqlite = (path: string) => Rig.open({ path, sync: "normal" });

/** Names of fields with times, which differ between two logs. */
function comparable(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null, (key, each) => (key === "atMs" ? undefined : each)));
}

describe.skipIf(postgresFolder === null)("the log in PostgreSQL", () => {
  test("answers every call like the log in SQLite, over random writes, forks and removals", {
    timeout: 240_000,
  }, async () => {
    const url = await emptyDatabase();
    const path = join(scratchDir(), "log.db");
    let rigs = [await openSqlite(path), await openPostgres(url)] as [Rig, Rig];
    const random = new MersenneTwister(20_261_126);
    const words = ["", "get 1 dirt", "line\nbreak\r\n\u2028", '"quotes"', "\u0000", "😀", "x".repeat(300)];
    const lengths = new Map<number, number>();
    const anyKey = () => [...lengths.keys()][random.randbelow(lengths.size)] as number;
    const both = async <Name extends LogCallName>(method: Name, ...args: Parameters<FleetCalls[Name]>) => {
      const [sqlite, postgres] = await Promise.all(rigs.map((rig) => rig.call(method, ...args)));
      expect(comparable(postgres), `${method} ${JSON.stringify(args).slice(0, 200)}`).toEqual(comparable(sqlite));
      return postgres;
    };
    let key = 0;
    const verdicts = new Set<number>();
    for (let round = 0; round < 400; round++) {
      const kind = random.randbelow(12);
      if (kind < 2 || lengths.size === 0) {
        const owner = `owner ${random.randbelow(3)}`;
        const more = {
          owner,
          createdAtMs: ++key,
          idempotencyKey: kind === 0 ? `key ${key}` : null,
          requestDigest: "{}",
        };
        await both(
          "createEpisode",
          episodeRow(key, { id: `ep-${key}-0`, ...more }),
          `{"observation":"start ${key} 😀"}`,
        );
        lengths.set(key, 0);
      } else if (kind === 2) {
        const parent = anyKey();
        const count = random.randbelow((lengths.get(parent) as number) + 1);
        await both(
          "forkEpisode",
          episodeRow(++key, { id: `ep-${key}-0`, createdAtMs: key, parent: `ep-${parent}-0` }),
          parent,
          count,
        );
        lengths.set(key, count);
      } else if (kind === 3) {
        const why = words[random.randbelow(words.length)];
        const verdict = JSON.stringify({ return: random.randbelow(5) / 4, steps: random.randbelow(9), why });
        const marks = [
          ["expert", ""],
          ["failed", '{"code":"ENV_FAILED"}'],
          ["closed", ""],
          ["solved", verdict],
          ["unsolved", verdict],
        ] as const;
        const [mark, detail] = marks[random.randbelow(5)] as (typeof marks)[number];
        const marked = anyKey();
        // A step ends an episode once.
        if (detail !== verdict || !verdicts.has(marked)) await both("mark", marked, mark, detail);
        if (detail === verdict) verdicts.add(marked);
      } else if (kind === 4) {
        const alias = random.randbelow(10);
        await both("setAlias", {
          namespace: "textcraft",
          alias,
          owner: "ada",
          episodeId: [null, "", `ep-${anyKey()}-0`][random.randbelow(3)] as string | null,
        });
        await both("findAlias", "textcraft", alias);
        await both("nextAlias", "textcraft");
        if (random.randbelow(4) === 0)
          await both("pruneAliases", [0, Date.now() + 60_000][random.randbelow(2)] as number);
      } else if (kind === 5 && lengths.size > 15) {
        const keep = [...lengths.keys()].filter(() => random.randbelow(4) === 0);
        await both("prune", anyKey(), keep, 8);
        for (const each of [...lengths.keys()]) if (!(await rigs[0].call("findEpisode", each))) lengths.delete(each);
      } else if (kind === 6 && random.randbelow(5) === 0) {
        await Promise.all(rigs.map((rig) => rig.close()));
        expect(rigs[1].lost).toEqual([]);
        rigs = [await openSqlite(path), await openPostgres(url)];
      } else {
        const steps = Array.from({ length: random.randbelow(200) }, (): Step => {
          const episode = anyKey();
          const index = lengths.get(episode) as number;
          lengths.set(episode, index + 1);
          return [episode, index, words[random.randbelow(words.length)]];
        });
        expect(await Promise.all(rigs.map((rig) => rig.append(steps)))).toEqual([null, null]);
      }
      if (lengths.size === 0) continue;
      const episode = anyKey();
      const length = lengths.get(episode) as number;
      await both("findEpisode", episode);
      await both("readSteps", episode, random.randbelow(length + 2), 1 + random.randbelow(length + 1));
      if (round % 20 > 0) continue;
      await both("readResetResult", episode);
      await both("listEpisodes", "owner 1", key, 5);
      await both("filterEpisodes", "owner 1", key, 3, { withGoals: true });
      await both("filterEpisodes", "owner 2", key + 1, 3, {
        environment: "maze",
        split: "all",
        taskIndex: 0,
        withGoals: true,
      });
      const outcome = outcomes[random.randbelow(outcomes.length)];
      await both("filterEpisodes", "owner 1", key + 1, 5, { outcome });
      const order = episodeOrders[random.randbelow(episodeOrders.length)];
      await both("filterEpisodes", "owner 1", Number.MAX_SAFE_INTEGER, 50, { order, sinceMs: 0 });
      await both("filterEpisodes", "owner 2", anyKey(), 2, { order, run: "none" });
      await both("findByIdempotencyKey", "owner 1", `key ${episode}`);
      await both("nextKey");
      await both("newestCreatedAtMs");
    }
    for (const episode of lengths.keys()) await both("readSteps", episode, 0, Number.MAX_SAFE_INTEGER);
    expect(key).toBeGreaterThan(60);
  });

  test("refuses a second gym, and takes the next one when the first is closed", async () => {
    const url = await gymDatabase();
    const first = await openPostgres(url);
    await expect(openPostgres(url)).rejects.toThrow(/another gym uses the database/);
    expect(await first.append([[1, 0]])).toBeNull();
    await first.close();
    const second = await openPostgres(url);
    expect((await second.call("readSteps", 1, 0, 10)).map(({ index }) => index)).toEqual([0]);
  });

  test("reports each step exactly once while its connections break again and again", {
    timeout: 240_000,
  }, async () => {
    const direct = await gymDatabase();
    const url = new URL(direct);
    const relay = await openCuttingRelay(Number(url.port), 0.1);
    url.port = `${relay.port}`;
    const rig = await openPostgres(url.href);
    for (let index = 0; index < 300; index++) expect(await rig.append([[1, index]])).toBeNull();
    expect(relay.cuts).toBeGreaterThan(30);
    relay.chance = 0;
    const steps = await rig.call("readSteps", 1, 0, 1_000);
    expect(steps.map(({ index }) => index)).toEqual(Array.from({ length: 300 }, (_, index) => index));
    expect(
      await sql(
        direct,
        "SELECT (SELECT count(*)::int FROM palestra.pages) AS pages, (SELECT max(turn)::int FROM palestra.fences) AS turn",
      ),
    ).toEqual([{ pages: 300, turn: 300 }]);
  });

  test("keeps acknowledged steps when the server is killed, and waits for it", async () => {
    // A server of its own, since the test kills it.
    const own = await PostgresServer.start();
    const rig = await openPostgres(await own.createDatabase());
    for (let index = 0; index < 50; index++) expect(await rig.append([[1, index]])).toBeNull();
    for (let crash = 0; crash < 3; crash++) {
      const waiting = rig.append([[1, 50 + crash]]);
      await own.stop("SIGKILL");
      const space = rig.call("space").catch(() => {});
      await own.begin();
      expect(await waiting).toBeNull();
      await space;
    }
    expect((await rig.call("readSteps", 1, 0, 100)).map(({ index }) => index)).toEqual(
      Array.from({ length: 53 }, (_, i) => i),
    );
    expect((await rig.call("space")).failure).toBeNull();
  });

  test("refuses the steps of a fenced gym, and its thread ends", async () => {
    const url = await gymDatabase();
    const rig = await openPostgres(url);
    expect(await rig.append([[1, 0]])).toBeNull();
    await sql(url, "UPDATE palestra.fences SET live = false");
    expect(await rig.append([[1, 1]])).toMatch(/another gym has taken over the log/);
    expect(rig.lost[0]).toBeInstanceOf(GymError);
    expect(await sql(url, "SELECT count(*)::int AS pages FROM palestra.pages")).toEqual([{ pages: 1 }]);
  });

  test("takes no further step if its database has lost acknowledged steps", async () => {
    const url = await gymDatabase();
    const rig = await openPostgres(url);
    for (let index = 0; index < 3; index++) expect(await rig.append([[1, index]])).toBeNull();
    await sql(url, "UPDATE palestra.fences SET turn = turn - 2");
    expect(await rig.append([[1, 3]])).toMatch(/the database has lost 2 acknowledged transactions/);
  });

  test("refuses steps that the database refuses, and continues when the host has resumed", async () => {
    const url = await gymDatabase();
    const rig = await openPostgres(url);
    expect(await rig.append([[1, 0]])).toBeNull();
    await sql(url, "ALTER TABLE palestra.pages ADD CONSTRAINT full_disk CHECK (false) NOT VALID");
    expect(await rig.append([[1, 1]])).toMatch(/full_disk/);
    expect((await rig.call("space")).failure).toMatch(/full_disk/);
    await sql(url, "ALTER TABLE palestra.pages DROP CONSTRAINT full_disk");
    expect((await rig.call("space")).failure, "before another write").toBeNull();
    expect(await sql(url, "SELECT page::int FROM palestra.pages")).toEqual([{ page: 1 }]);
    expect(await rig.append([[1, 1]]), "before the host has resumed").toMatch(/an earlier step was not logged/);
    rig.resume(2);
    expect(await rig.append([[1, 1]])).toBeNull();
    expect((await rig.call("space")).failure).toBeNull();
    expect((await rig.call("readSteps", 1, 0, 10)).length).toBe(2);
  });

  test("finds no episode by a text that cannot be an id", async () => {
    const rig = await openPostgres(await gymDatabase());
    await rig.call("createEpisode", episodeRow(1, { id: "ep-1-0", createdAtMs: 1 }), "{}");
    for (const name of ["environment", "split", "text"])
      expect(await rig.call("filterEpisodes", "local", 9, 10, { [name]: "a\0" })).toMatchObject({ rows: [] });
  });

  test("removes the pages that no episode needs, also after a crash between the two deletions", async () => {
    const url = await gymDatabase();
    const rig = await openPostgres(url);
    for (const key of [1, 2, 3]) {
      await rig.call("createEpisode", episodeRow(key, { id: `ep-${key}-0`, createdAtMs: key }), "{}");
      expect(await rig.append([[key, 0]])).toBeNull();
    }
    await rig.call("forkEpisode", episodeRow(4, { id: "ep-4-0", createdAtMs: 4 }), 2, 1);
    expect(await rig.call("prune", 3, [], 10)).toBe(2);
    const pages = () => sql<{ page: number }>(url, "SELECT page::int FROM palestra.pages ORDER BY page");
    expect(await pages()).toEqual([{ page: 2 }, { page: 3 }]);
    await sql(url, "INSERT INTO palestra.pages VALUES (9, '', 0, 0); INSERT INTO palestra.freed VALUES (9, 9)");
    expect(await rig.call("prune", 0, [], 10)).toBe(0);
    expect(await pages()).toEqual([{ page: 2 }, { page: 3 }]);
    expect(await rig.call("prune", 10, [], 10)).toBe(2);
    expect(await pages()).toEqual([]);
    expect([...(await rig.call("space")).usage.values()].filter((bytes) => bytes !== 0)).toEqual([]);
  });

  test("of an unknown version, or without a database, is refused", async () => {
    const url = await gymDatabase();
    await (await openPostgres(url)).close();
    await sql(url, "UPDATE palestra.meta SET version = 99");
    await expect(openPostgres(url)).rejects.toThrow(
      /expected an episode log with schema version 7, but received version 99. A newer version of Palestra/,
    );
    await expect(openPostgres(await missingDatabase())).rejects.toThrow(/database "nothing" does not exist/);
    await expect(openPostgres("postgres://postgres@127.0.0.1:1/gym")).rejects.toThrow(/ECONNREFUSED/);
  });

  test("continues while its own older connection holds the lock, and ends when another gym holds the lock", {
    timeout: 240_000,
  }, async () => {
    const url = await gymDatabase();
    const rig = await openPostgres(url);
    expect(await rig.append([[1, 0]])).toBeNull();
    const older = await connected(url);
    const locks = `SELECT pg_terminate_backend(pid), pg_advisory_lock(${gymLock}) FROM pg_locks
      WHERE locktype = 'advisory' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await older.query(locks);
    await sleep(4 * times.renewalMs);
    expect(await rig.append([[1, 1]])).toBeNull();
    await older.end();
    await sleep(2 * times.renewalMs);
    expect(rig.lost).toEqual([]);
    await expect(openPostgres(url)).rejects.toThrow(/another gym uses the database/);
  });

  test("takes no further step if its database has lost a part of the index", async () => {
    const url = await gymDatabase();
    const rig = await openPostgres(url);
    const add = async (key: number) => {
      await rig.call("createEpisode", episodeRow(key, { id: `ep-${key}-0`, createdAtMs: key }), "{}");
      for (let index = 0; index < 3; index++) expect(await rig.append([[key, index]])).toBeNull();
    };
    await add(1);
    await add(2);
    expect(await rig.call("prune", 2, [], 10)).toBe(1);
    await sql(url, "UPDATE palestra.indexed SET page = page - 1; DELETE FROM palestra.extents");
    await add(3);
    await expect(rig.call("prune", 3, [], 10)).rejects.toThrow(/the database has lost a part of their index/);
    expect(rig.lost).toHaveLength(1);
  });
});
