/**
 * Logs in PostgreSQL whose server is lost: which acknowledged steps survive, and with which servers a gym continues.
 */
import { describe, expect, onTestFinished, test } from "vitest";
import { emptyDatabase, gymDatabase } from "../../support/databases.js";
import { eventually, scratchDir } from "../../support/gym.js";
import { PostgresServer, postgresFolder, sql } from "../../support/postgres.js";
import { startGym } from "../../support/server-process.js";
import { openCuttingRelay, Rig } from "./postgres-rig.js";

async function indexesOf(rig: Rig): Promise<number[]> {
  return (await rig.call("readSteps", 1, 0, 1_000)).map(({ index }) => index);
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Starts a primary and a standby for one test, which stops the primary and promotes the standby. */
async function startPair(): Promise<{ primary: PostgresServer; standby: PostgresServer }> {
  const primary = await PostgresServer.start();
  const standby = await primary.startStandby("copy");
  onTestFinished(() => standby.remove());
  return { primary, standby };
}

/** Returns a URL that names both servers. */
function urlOfBoth(first: PostgresServer, second: PostgresServer): string {
  return `postgres://postgres@${first.address},${second.address}/postgres`;
}

/** Makes commits wait for a standby. */
async function waitFor(primary: PostgresServer, standby: string): Promise<void> {
  await primary.sql("postgres", `ALTER SYSTEM SET synchronous_standby_names = '${standby}'`);
  await primary.sql("postgres", "SELECT pg_reload_conf()");
  const states = () => primary.sql("postgres", "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'");
  await eventually(async () => (await states()).length === 1);
}

describe.skipIf(postgresFolder === null)("a log in PostgreSQL", () => {
  test("with a synchronous standby keeps acknowledged steps when the primary is lost, and continues on the standby", {
    timeout: 240_000,
  }, async () => {
    const { primary, standby } = await startPair();
    const url = urlOfBoth(standby, primary);
    await expect(Rig.open({ url, durability: "replicated" })).rejects.toThrow(
      /expected a synchronous standby of the database, as the setting log.durability asks, but none is connected/,
    );
    await waitFor(primary, "copy");
    const rig = await Rig.open({ url, durability: "replicated" });
    expect(rig.log.durability).toBe("replicated");
    for (let index = 0; index < 50; index++) expect(await rig.append([[1, index]])).toBeNull();
    await primary.stop("SIGKILL");
    await standby.sql("postgres", "SELECT pg_promote()");
    expect(await rig.append([[1, 50]])).toBeNull();
    expect(await indexesOf(rig)).toEqual(upTo(51));
    await eventually(() => rig.log.durability === "local");
  });

  test("with a synchronous standby makes the gym not ready while the standby is down", {
    timeout: 240_000,
  }, async () => {
    const { primary, standby } = await startPair();
    await waitFor(primary, "copy");
    const env = { PALESTRA_LOG_URL: await primary.createDatabase(), PALESTRA_LOG_DURABILITY: "replicated" };
    const gym = await startGym({ dataDir: scratchDir(), env });
    onTestFinished(async () => void (await gym.process.kill()));
    const readiness = async () => {
      const reply = await fetch(`${gym.url}/readyz`);
      return [reply.status, ((await reply.json()) as { detail: string }).detail];
    };
    const isReady = async () => (await readiness())[0] === 200;
    await eventually(isReady);
    expect((await readiness())[1]).toMatch(/, replicated log$/);
    await standby.stop();
    await eventually(async () => !(await isReady()));
    expect(await readiness()).toEqual([503, "the database has no synchronous standby"]);
    await standby.begin();
    await eventually(isReady);
  });

  test("ends after the promotion of a standby that lacks acknowledged steps", async () => {
    const { primary, standby } = await startPair();
    const rig = await Rig.open({ url: urlOfBoth(primary, standby) });
    expect(rig.log.durability).toBe("local");
    for (let index = 0; index < 10; index++) expect(await rig.append([[1, index]])).toBeNull();
    const last = "SELECT pg_last_wal_replay_lsn() >= '$'::pg_lsn AS is";
    const [{ at }] = (await primary.sql<{ at: string }>("postgres", "SELECT pg_current_wal_lsn() AS at")) as [
      { at: string },
    ];
    await eventually(
      async () => (await standby.sql<{ is: boolean }>("postgres", last.replace("$", at)))[0]?.is === true,
    );
    await standby.stop();
    for (let index = 10; index < 13; index++) expect(await rig.append([[1, index]])).toBeNull();
    await primary.stop("SIGKILL");
    await standby.begin();
    await standby.sql("postgres", "SELECT pg_promote()");
    expect(await rig.append([[1, 13]])).toMatch(/the database has lost 3 acknowledged transactions/);
  });

  test("ends when its URL leads to another database, such as a restored backup", async () => {
    const other = await gymDatabase();
    const name = new URL(other).pathname.slice(1);
    // A server of its own, since the test stops it.
    const server = await PostgresServer.start();
    await server.sql("postgres", `CREATE DATABASE ${name}`);
    const url = new URL(server.urlOf(name));
    await (await Rig.open({ url: other })).close();
    const relay = await openCuttingRelay(Number(url.port), 0);
    url.port = `${relay.port}`;
    const rig = await Rig.open({ url: url.href });
    expect(await rig.append([[1, 0]])).toBeNull();
    relay.target = Number(new URL(other).port);
    await server.stop();
    expect(await rig.append([[1, 1]])).toMatch(
      /the server has another database than the one that this gym has written to/,
    );
    expect(await sql(other, "SELECT count(*)::int AS pages FROM palestra.pages")).toEqual([{ pages: 0 }]);
  });

  test("keeps acknowledged steps although its server acknowledges commits before they are stored", {
    timeout: 240_000,
  }, async () => {
    // A server of its own, since the test configures and kills it.
    const server = await PostgresServer.startFor({ fsync: "off", synchronous_commit: "off", wal_writer_delay: "10s" });
    onTestFinished(() => server.remove());
    const rig = await Rig.open({ url: await server.createDatabase() });
    for (let index = 0; index < 20; index++) expect(await rig.append([[1, index]])).toBeNull();
    await server.stop("SIGKILL");
    await server.begin();
    expect(await rig.append([[1, 20]])).toBeNull();
    expect(await indexesOf(rig)).toEqual(upTo(21));
  });

  test("opens for a user who has rights only on its database", async () => {
    const url = await emptyDatabase();
    const name = new URL(url).pathname.slice(1);
    // The shared server keeps the user until the end of the run.
    await sql(url, `CREATE ROLE ${name} LOGIN; GRANT CREATE ON DATABASE ${name} TO ${name}`);
    const rig = await Rig.open({ url: url.replace("postgres@", `${name}@`) });
    expect(await rig.append([[1, 0]])).toBeNull();
    expect(rig.log.durability).toBe("local");
  });
});
