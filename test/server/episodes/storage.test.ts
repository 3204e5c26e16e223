/** Limits on the size of the log and on the free space of its disk. */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { TokenStore } from "#palestra/server/tokens/token-file.js";
import { eventually, fixture, openGym, type Sent, scratchDir, type TestGym } from "../../support/gym.js";
import { SmallDisk } from "../../support/small-disk.js";

/** More bytes than any disk has. */
const unreachable = Number.MAX_SAFE_INTEGER;
const faulty = { environments: [fixture("faulty")] };
const task = { environment: "faulty", task: { index: 0 } };
const kibibytes = (count: number) => "x".repeat(count * 1_024);

async function readiness(gym: TestGym): Promise<[number, string]> {
  const reply = await gym.app.inject("/readyz");
  return [reply.statusCode, reply.json().detail];
}

/** Returns the reply to a caller with a token. */
async function unreadiness(gym: TestGym, token: string): Promise<string> {
  return (await gym.app.inject({ url: "/readyz", headers: { authorization: `Bearer ${token}` } })).json().detail;
}

const isReady = async (gym: TestGym) => (await readiness(gym))[0] === 200;

/** Plays an episode with this many steps, each with an action of 20 KiB, which its reply repeats. */
async function playLong(gym: TestGym, steps: number, sent?: Sent): Promise<string> {
  const { episodeId } = await gym.create(task, sent);
  for (let index = 0; index < steps; index++) await gym.step(episodeId, index, kibibytes(20), sent);
  return episodeId;
}

describe("with little free space on its disk, a gym", () => {
  test("refuses new episodes and forks, continues running episodes, and is not ready", async () => {
    const before = await openGym();
    await eventually(() => isReady(before));
    const { episodeId } = await before.create({ idempotencyKey: "k" });
    const gym = await before.restart({ log: { minFreeMb: unreachable } });
    const refused = { code: "DISK_LOW", class: "capacity", message: expect.stringMatching(/^The disk .+ GiB free, /) };
    expect(await gym.refusal("create", { environment: "textcraft", task: { index: 1 } })).toMatchObject(refused);
    const { results } = await gym.call("createMany", { episodes: [{ environment: "textcraft", task: { index: 1 } }] });
    expect(results).toMatchObject([{ error: refused }]);
    expect(await gym.call("step", { episodeId, index: 0, action: "inventory" })).toMatchObject({ index: 0 });
    expect(await gym.refusal("fork", { episodeId })).toMatchObject(refused);
    expect((await gym.create({ idempotencyKey: "k" })).episodeId).toBe(episodeId);

    const [status, detail] = await readiness(gym);
    expect([status, detail]).toEqual([503, "the episode log's disk has little space"]);
    expect(await unreadiness(gym, await gym.createToken())).toMatch(
      /^the episode log's disk has little space: The disk .+ GiB free, /,
    );
    expect(await gym.metric("palestra_new_episodes_refused")).toBe(1);
    expect(await gym.metric("palestra_log_disk_free_bytes")).toBeGreaterThan(0);

    const after = await gym.restart({ log: { minFreeMb: 0 } });
    await eventually(() => isReady(after));
    await after.create();
    expect(await after.metric("palestra_new_episodes_refused")).toBe(0);
  });
});

describe("on a disk that fills up, a gym", () => {
  const [mebibytes, used] = [48, 28];
  /** Milliseconds for several measurements of the disk, which the gym makes once a second. */
  const log = { minFreeMb: 12 };

  /** Plays until a step is refused. @returns number of acknowledged steps, and the errors of steps and new episodes */
  async function fill(gym: TestGym, episodeId: string) {
    const refused = { creates: [] as { code: string; atStep: number }[], step: "" };
    let steps = 0;
    while (refused.step === "") {
      const created = await gym.send("create", task);
      if (created.statusCode !== 200) refused.creates.push({ code: created.json().error.code, atStep: steps });
      const stepped = await gym.send("step", { episodeId, index: steps, action: kibibytes(20) });
      if (stepped.statusCode === 200) steps += 1;
      else refused.step = stepped.json().error.code;
    }
    return { steps, refused };
  }

  test("first refuses new episodes, then steps, loses no acknowledged step, and continues without a restart once there is room", async (context) => {
    const disk = SmallDisk.mount(context, mebibytes);
    writeFileSync(join(disk.path, "other"), Buffer.alloc(used * 2 ** 20));
    const gym = await openGym({ ...faulty, log, limits: { maxEpisodes: 100_000 } }, join(disk.path, "data"));
    await eventually(() => isReady(gym));
    const { episodeId } = await gym.create(task);
    const token = await gym.createToken();
    const { refused, ...filled } = await fill(gym, episodeId);
    let { steps } = filled;
    const first = refused.creates[0] as { code: string; atStep: number };
    expect(first.code).toBe("DISK_LOW");
    expect(first.atStep).toBeGreaterThan(0);
    expect(first.atStep, "steps went on after the first refusal of an episode").toBeLessThan(steps);
    expect(refused.step).toBe("LOG_FAILED");

    disk.fill();
    expect(await gym.refusal("step", { episodeId, index: steps, action: kibibytes(20) })).toMatchObject({
      code: "LOG_FAILED",
      class: "infrastructure",
    });
    // Smaller steps may still fit into the free pages of the files, until these are used up too.
    const isStored = async (action: string) =>
      (await gym.send("step", { episodeId, index: steps, action })).statusCode === 200;
    await eventually(async () => {
      for (const action of [kibibytes(4), "on"]) while (await isStored(action)) steps += 1;
      return (await readiness(gym))[1] === "the episode log cannot be written";
    });
    expect(await unreadiness(gym, token)).toBe("the episode log cannot be written: database or disk is full");

    disk.enlarge(4 * mebibytes);
    await eventually(() => isReady(gym));
    expect(await gym.call("step", { episodeId, index: steps, action: "on" })).toMatchObject({ index: steps });
    await gym.create(task);
    const again = await gym.restart();
    let read = 0;
    for (let from: number | null = 0; from !== null; ) {
      const page: { steps: unknown[]; next: number | null } = await again.call("transcript", { episodeId, from });
      read += page.steps.length;
      from = page.next;
    }
    expect(read).toBe(steps + 1);
  });
});

describe("with a limit on the bytes of its log, a gym", () => {
  const limited = { ...faulty, log: { maxMb: 4 } };

  test("removes the oldest episodes that are not in use, and accepts new ones", async () => {
    const dataDir = scratchDir();
    const gym = await openGym(limited, dataDir);
    const oldest = await playLong(gym, 10);
    const played: string[] = [];
    for (let i = 0; i < 4; i++) {
      const episodeId = await playLong(gym, 21);
      await gym.call("step", { episodeId, index: 21, action: "end" });
      played.push(episodeId);
    }
    // An episode that has ended stays in memory for ten seconds, and is in use for that long.
    await eventually(async () => (await gym.metric("palestra_episodes_removed_total")) > 0);
    await eventually(async () => (await gym.metric("palestra_log_used_bytes")) < 3.6 * 2 ** 20);
    await eventually(async () => (await gym.send("create", task)).statusCode === 200);
    const codes = await Promise.all(played.map(async (episodeId) => (await gym.send("get", { episodeId })).statusCode));
    expect(codes[0], "the first that has ended").toBe(404);
    expect(await gym.call("step", { episodeId: oldest, index: 10, action: "on" })).toMatchObject({ index: 10 });
    await playLong(gym, 10);
    await gym.close();
    const size = statSync(join(dataDir, "episodes.db")).size;
    expect(size, "new steps use the space of removed ones").toBeLessThan(4.2 * 2 ** 20);
  });

  test("refuses new episodes while all of its episodes are in use, and continues these", async () => {
    const gym = await openGym(limited);
    const episodeId = await playLong(gym, 110);
    await eventually(async () => (await gym.send("create", task)).statusCode !== 200);
    const error = await gym.refusal("create", task);
    expect(error).toMatchObject({ code: "LIMIT_LOG", class: "capacity" });
    expect(error.message).toMatch(/^The episode log has 4\.\d MiB, and its limit is 4\.0 MiB\./);
    expect(await readiness(gym)).toEqual([503, "the episode log has reached its limit"]);
    expect(await gym.call("step", { episodeId, index: 110, action: "on" })).toMatchObject({ index: 110 });
  });
});

describe("a token with a limit on its bytes", () => {
  const open = (dataDir: string) => openGym({ ...faulty, auth: "required" }, dataDir);

  test("opens no further episode above the limit, even after a restart, and its open episodes continue", async () => {
    const dataDir = scratchDir();
    const tokens = new TokenStore(dataDir);
    const mine = { token: tokens.create({ name: "ada", rights: [], maxEpisodes: 9, maxLogMb: 1 }).secret };
    const others = { token: tokens.create({ name: "bob", rights: [], maxEpisodes: 9 }).secret };
    const gym = await open(dataDir);
    expect(await gym.call("usage", {}, mine)).toMatchObject({ logBytes: 0, maxLogBytes: 2 ** 20 });
    const episodeId = await playLong(gym, 30, mine);
    const limit = { code: "LIMIT_TOKEN_LOG", class: "capacity" };
    await eventually(async () => (await gym.call("usage", {}, mine)).logBytes > 30 * 40 * 1_024);
    expect(await gym.refusal("create", task, mine)).toMatchObject(limit);
    expect(await gym.refusal("fork", { episodeId }, mine)).toMatchObject(limit);
    expect(await gym.call("step", { episodeId, index: 30, action: "on" }, mine)).toMatchObject({ index: 30 });
    await gym.create(task, others);
    expect(await gym.call("usage", {}, others)).toMatchObject({ maxLogBytes: null });
    expect(await isReady(gym)).toBe(true);

    const again = await gym.restart();
    expect(await again.refusal("create", task, mine)).toMatchObject(limit);
    const pruned = await again.restart({ ...faulty, auth: "required", log: { retainDays: 1e-9 } });
    await eventually(async () => (await pruned.send("create", task, mine)).statusCode === 200);
    expect((await pruned.call("usage", {}, mine)).logBytes).toBeLessThan(2_000);
  });

  test("has the limit in the token file, and a token without a limit has no such field", () => {
    const dataDir = scratchDir();
    const tokens = new TokenStore(dataDir);
    tokens.create({ name: "ada", rights: [], maxEpisodes: 9, maxLogMb: 7 });
    tokens.create({ name: "bob", rights: [], maxEpisodes: 9 });
    const { tokens: stored } = JSON.parse(readFileSync(join(dataDir, "tokens.json"), "utf8"));
    expect(stored.map(({ maxLogMb }: { maxLogMb?: number }) => maxLogMb)).toEqual([7, undefined]);
    expect(new TokenStore(dataDir).list()).toMatchObject([{ maxLogMb: 7 }, { name: "bob" }]);
  });
});
