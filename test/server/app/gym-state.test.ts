/** Tokens, their use and judgments in PostgreSQL, which the gyms of a fleet share. */
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { TokenStore } from "#palestra/server/tokens/token-file.js";
import { emptyDatabase, gymDatabase } from "../../support/databases.js";
import { eventually, fixture, openGym, scratchDir, type TestGym } from "../../support/gym.js";
import { palestra } from "../../support/palestra.js";
import { PostgresServer, postgresFolder, sql } from "../../support/postgres.js";
import { paint } from "../operations/exports/painted.js";

/** Opens gyms of a fleet on one database. A test calls one gym directly, and no request is forwarded. */
async function openFleet(size: number, url: string, settings: object = {}): Promise<TestGym[]> {
  const addresses = Array.from({ length: size }, (_, i) => `http://127.0.0.1:${i + 1}`);
  return Promise.all(
    addresses.map(async (address) => {
      const gym = await openGym({ log: { url }, fleet: { address }, ...settings });
      // A gym of a fleet has no episodes before it listens.
      await gym.app.listen({ port: 0, host: "127.0.0.1" });
      await eventually(() =>
        gym.create().then(
          () => true,
          () => false,
        ),
      );
      return gym;
    }),
  );
}

function commands(url: string, dataDir = scratchDir()) {
  return (...args: string[]) => palestra(["--data-dir", dataDir, "token", ...args], { PALESTRA_LOG_URL: url });
}

/** Milliseconds until a gym has read the changes of other gyms and of commands, with a margin. */
const heardMs = 2_500;

/** Waits until a gym has read a token's use over all gyms. */
const hear = (gym: TestGym, token: string, what: "episodes" | "stepsToday", used: number) =>
  eventually(async () => (await gym.call("usage", {}, { token }))[what].used === used);

describe.skipIf(postgresFolder === null)("tokens in the database", () => {
  test("are valid or revoked at every gym soon after the command, and after a restart", async () => {
    const url = await emptyDatabase();
    const [first, second] = (await openFleet(2, url)) as [TestGym, TestGym];
    const token = commands(url);
    const created = await token("create", "--name", "ada");
    expect([created.code, created.stderr]).toEqual([0, ""]);
    const secret = created.stdout.trim();
    // A new token is valid at once.
    for (const gym of [first, second]) await gym.call("list", {}, { token: secret });
    expect((await token("list", "--json")).stdout).toContain('"name": "ada"');
    const restarted = await first.restart();
    await restarted.call("list", {}, { token: secret });
    expect((await token("revoke", "ada")).code).toBe(0);
    for (const gym of [restarted, second]) {
      await eventually(async () => (await gym.send("list", {}, { token: secret })).statusCode === 401);
      expect((await gym.refusal("list", {}, { token: secret })).code).toBe("TOKEN_INVALID");
    }
    const [stored] = await sql<{ records: string }>(url, "SELECT records FROM palestra.tokens");
    expect(stored?.records).not.toContain(secret);
  });

  test("are copied from tokens.json once; later changes of the file have no effect", async () => {
    const url = await gymDatabase();
    const dataDir = scratchDir();
    const file = new TokenStore(dataDir);
    file.setGroup({ name: "lab-a", maxEpisodes: 7 });
    const { secret } = file.create({ name: "ada", rights: [], maxEpisodes: 5, group: "lab-a" });
    const lines: string[] = [];
    const { buildApp } = await import("#palestra/server/app/app.js");
    const { loadConfig } = await import("#palestra/server/config/settings.js");
    const open = async () => {
      const config = loadConfig({ env: {}, flags: { dataDir, log: { url }, hosts: { count: 1 }, logLevel: "warn" } });
      return buildApp(config, { logStream: { write: (line) => void lines.push(line) } });
    };
    const ask = { method: "GET", url: "/v1/usage", headers: { authorization: `Bearer ${secret}` } } as const;
    let app = await open();
    expect((await app.inject(ask)).statusCode).toBe(200);
    await app.close();
    expect(lines.join("")).toContain("1 token and 1 group of ");
    lines.length = 0;

    const late = file.create({ name: "bob", rights: [], maxEpisodes: 5 });
    app = await open();
    expect((await app.inject(ask)).statusCode).toBe(200);
    const other = await app.inject({ ...ask, headers: { authorization: `Bearer ${late.secret}` } });
    expect(other.statusCode).toBe(401);
    await app.close();
    expect(lines.join("")).toContain("The database lacks 1 token of the file");
  });

  test("are all kept when several commands create them at the same time", async () => {
    const url = await gymDatabase();
    const [gym] = (await openFleet(1, url)) as [TestGym];
    const names = Array.from({ length: 12 }, (_, i) => `user ${i}`);
    await Promise.all(names.map((name) => gym.createToken([], 5, { name })));
    const listed = await gym.changeTokens((tokens) => tokens.list());
    expect(listed.map(({ name }) => name).sort()).toEqual(names.sort());
  });

  test("that a gym knows stay valid during an outage of the database, and changes count afterwards", async () => {
    // A server of its own, since the test stops it.
    const own = await PostgresServer.start();
    const gym = await openGym({ log: { url: await own.createDatabase() } });
    const token = await gym.createToken();
    await gym.call("usage", {}, { token });
    await own.stop();
    expect((await gym.refusal("usage", {}, { token: `${token}x` })).code).toBe("TOKEN_INVALID");
    await gym.call("usage", {}, { token });
    await own.begin();
    const late = await gym.createToken([], 5, { name: "bob" });
    await gym.changeTokens((tokens) => tokens.revoke("ada"));
    await eventually(async () => (await gym.send("usage", {}, { token })).statusCode === 401);
    await gym.call("usage", {}, { token: late });
  });

  test("cannot be listed by a command while the database cannot be reached", async () => {
    const { code, stdout, stderr } = await commands("postgres://postgres@127.0.0.1:1/gym")("list");
    expect([code, stdout]).toEqual([1, ""]);
    expect(stderr).toMatch(
      /^palestra: expected access to the PostgreSQL database of the tokens[^\n]+ECONNREFUSED[^\n]+\n$/,
    );
  });
});

describe.skipIf(postgresFolder === null)("judgments in the database", () => {
  const settings = { environments: [fixture("painter")] };
  const said = { choice: "left", rater: "ada" };

  test("are visible at all gyms, numbered without gaps, and kept over a restart", async () => {
    const url = await gymDatabase();
    const [first, second] = (await openFleet(2, url, settings)) as [TestGym, TestGym];
    const pairs = await Promise.all(
      [first, second].map(async (gym) => [await paint(gym, ["red", "blue"]), await paint(gym, ["blue", "red"])]),
    );
    const raters = Array.from({ length: 20 }, (_, i) => `rater ${i}`);
    const judged = await Promise.all(
      raters.map((rater, i) => {
        const [left, right] = pairs[i % 2] as [string, string];
        return ([first, second][i % 2] as TestGym).call("judge", { left, right, ...said, rater });
      }),
    );
    expect(judged.map(({ number }) => number).sort((a, b) => a - b)).toEqual(raters.map((_, i) => i + 1));
    const [here, there] = await Promise.all([first, second].map((gym) => gym.call("listJudgments")));
    expect(here).toEqual(there);
    expect(here?.judgments.map(({ rater }) => rater).sort()).toEqual([...raters].sort());
    expect(await (await second.restart()).call("listJudgments")).toEqual(here);
  });

  test("are copied from judgments.jsonl once", async () => {
    const gym = await openGym(settings);
    const [left, right] = [await paint(gym, ["red", "blue"]), await paint(gym, ["blue", "red"])];
    const judgment = await gym.call("judge", { left, right, ...said });
    await gym.call("judge", { left, right, ...said, rater: "bob" });
    const [file, dataDir] = [join(gym.dataDir, "judgments.jsonl"), scratchDir()];
    writeFileSync(join(dataDir, "judgments.jsonl"), readFileSync(file));
    appendFileSync(join(dataDir, "judgments.jsonl"), '{"owner":"lo');
    const url = await gymDatabase();
    for (let start = 0; start < 2; start++) {
      const moved = await openGym({ log: { url } }, dataDir);
      const { judgments } = await moved.call("listJudgments");
      expect(judgments.map(({ number }) => number)).toEqual([2, 1]);
      expect(judgments[1]).toEqual(judgment);
      await moved.close();
    }
  });

  test("are not written to a file in the data directory", async () => {
    const [gym] = (await openFleet(1, await gymDatabase(), settings)) as [TestGym];
    const [left, right] = [await paint(gym, ["red", "blue"]), await paint(gym, ["blue", "red"])];
    await gym.call("judge", { left, right, ...said });
    expect(existsSync(join(gym.dataDir, "judgments.jsonl"))).toBe(false);
  });

  test("are refused at every gym once their owner has 20,000", async () => {
    const url = await gymDatabase();
    const [gym] = (await openFleet(1, url, settings)) as [TestGym];
    const [left, right] = [await paint(gym, ["red", "blue"]), await paint(gym, ["blue", "red"])];
    await gym.call("judge", { left, right, ...said });
    await sql(
      url,
      `INSERT INTO palestra.judgments SELECT owner, n, 'copy ' || n, judgment
        FROM palestra.judgments, generate_series(2, 20000) AS n`,
    );
    expect((await gym.refusal("judge", { left, right, ...said })).code).toBe("LIMIT_TOKEN_JUDGMENTS");
  });
});

describe.skipIf(postgresFolder === null)("the limits of a token in a fleet", () => {
  const steps = (episodeId: string, from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ episodeId, index: from + i, action: "inventory" }));

  test("count the episodes of all gyms once the gyms have read each other's counts, and the overshoot is bounded", async () => {
    const gyms = await openFleet(3, await gymDatabase());
    const token = await (gyms[0] as TestGym).createToken([], 4);
    const sent = { token };
    // Each gym opens four episodes before it reads the counts of the others, and no gym opens more.
    const codes = await Promise.all(
      gyms.flatMap((gym) =>
        Array.from({ length: 8 }, async () => {
          const reply = await gym.send("create", { environment: "textcraft", task: { index: 0 } }, sent);
          return [reply.statusCode, gym] as const;
        }),
      ),
    );
    const opened = codes.filter(([status]) => status === 200).length;
    expect(opened).toBeGreaterThanOrEqual(4);
    expect(opened).toBeLessThanOrEqual(12);
    await Promise.all(gyms.map((gym) => hear(gym, token, "episodes", opened)));
    for (const gym of gyms) {
      const refusal = await gym.refusal("create", { environment: "textcraft", task: { index: 0 } }, sent);
      expect(refusal).toMatchObject({ code: "LIMIT_TOKEN_EPISODES", details: { limit: 4, used: opened } });
    }
  });

  test("are exact when episodes are opened one after another", async () => {
    const gyms = await openFleet(3, await gymDatabase());
    const token = await (gyms[0] as TestGym).createToken([], 4);
    for (let i = 0; i < 4; i++) {
      await (gyms[i % 3] as TestGym).create({}, { token });
      await Promise.all(gyms.map((gym) => hear(gym, token, "episodes", i + 1)));
    }
    for (const gym of gyms) {
      const { code } = await gym.refusal("create", { environment: "textcraft", task: { index: 0 } }, { token });
      expect(code).toBe("LIMIT_TOKEN_EPISODES");
    }
  });

  test("count a day's steps at all gyms, including ended ones, for the token and its group", async () => {
    const url = await gymDatabase();
    const [first, second] = (await openFleet(2, url)) as [TestGym, TestGym];
    await first.changeTokens((tokens) => tokens.setGroup({ name: "lab-a", maxStepsPerDay: 6 }));
    const ada = await first.createToken([], 9, { name: "ada", group: "lab-a", maxStepsPerDay: 5 });
    const bob = await first.createToken([], 9, { name: "bob", group: "lab-a" });
    const here = await first.create({}, { token: ada });
    await first.call("stepMany", { steps: steps(here.episodeId, 0, 3) }, { token: ada });
    await first.close();
    const there = await second.create({}, { token: ada });
    await hear(second, ada, "stepsToday", 3);
    const { results } = await second.call("stepMany", { steps: steps(there.episodeId, 0, 3) }, { token: ada });
    expect(results.map((result) => "error" in result)).toEqual([false, false, true]);
    const bobs = await second.create({}, { token: bob });
    const { results: ofBob } = await second.call("stepMany", { steps: steps(bobs.episodeId, 0, 2) }, { token: bob });
    expect(ofBob.map((result) => ("error" in result ? result.error.details?.of : result.index))).toEqual([0, "group"]);
    await sleep(heardMs);
    const { stdout } = await commands(url)("list", "--json");
    const listed = JSON.parse(stdout) as { tokens: { stepsToday: number }[]; groups: { stepsToday: number }[] };
    expect(listed.tokens.map(({ stepsToday }) => stepsToday)).toEqual([5, 1]);
    expect(listed.groups.map(({ stepsToday }) => stepsToday)).toEqual([6]);
  });

  test("count the bytes of steps that another gym has not indexed in the database yet", async () => {
    const [first, second] = (await openFleet(2, await gymDatabase())) as [TestGym, TestGym];
    const token = await first.createToken();
    const { episodeId } = await first.create({}, { token });
    await eventually(async () => (await second.call("usage", {}, { token })).logBytes > 0);
    const before = (await second.call("usage", {}, { token })).logBytes;
    await first.call("stepMany", { steps: steps(episodeId, 0, 20) }, { token });
    await eventually(async () => (await second.call("usage", {}, { token })).logBytes > before + 20 * 100);
    const use = { episodes: { used: 1, limit: 100 }, stepsToday: { used: 20, limit: null } };
    await eventually(async () => (await second.call("usage", {}, { token })).stepsToday.used === 20);
    const [here, there] = await Promise.all([first, second].map((gym) => gym.call("usage", {}, { token })));
    expect(here).toEqual(there);
    expect(here).toMatchObject(use);
  });
});
