/** Copies of a log from SQLite to PostgreSQL and back, on a real server. */
import { spawn } from "node:child_process";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { openDatabase } from "#palestra/native/sqlite/index.js";
import { copyLog } from "#palestra/server/log/copy/copy.js";
import { logPlace } from "#palestra/server/log/copy/log-place.js";
import { LogStore } from "#palestra/server/log/sqlite/store.js";
import { verifyLog } from "#palestra/server/log/sqlite/verify.js";
import { emptyDatabase } from "../../support/databases.js";
import { openGym, scratchDir, type TestGym } from "../../support/gym.js";
import { indexSteps } from "../../support/log-moments.js";
import { palestra } from "../../support/palestra.js";
import { postgresFolder, sql } from "../../support/postgres.js";
import { root } from "../../support/server-process.js";
import { SmallDisk } from "../../support/small-disk.js";
import { readLog, recordLog } from "./recorded-log.js";
import { row } from "./store-rig.js";

const newFile = () => join(scratchDir(), "episodes.db");
const copy = (from: string, to: string) => copyLog(logPlace(from), logPlace(to));

/** Returns the transcript and the state of each of a gym's episodes as texts, by episode. */
async function transcripts(gym: TestGym, ids: readonly string[]): Promise<Map<string, string[]>> {
  const texts = new Map<string, string[]>();
  for (const episodeId of ids)
    texts.set(episodeId, [await gym.text("transcript", { episodeId }), await gym.text("opening", { episodeId })]);
  return texts;
}

/** Returns the text of the list of episodes. */
const listed = (gym: TestGym) => gym.text("list", { limit: 100 });

/** Plays running, closed and forked episodes, and one with an idempotency key. Returns their ids. */
async function play(gym: TestGym): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < 6; i++) {
    const { episodeId } = await gym.create({ seed: i, ...(i === 2 && { idempotencyKey: "the key" }) });
    for (let index = 0; index < 4 + i; index++) await gym.step(episodeId, index, `get ${index} dirt 😀 "${i}"`);
    ids.push(episodeId);
  }
  ids.push((await gym.call("fork", { episodeId: ids[3], index: 3 })).episodeId);
  await gym.step(ids.at(-1) as string, 3, "look");
  await gym.call("close", { episodeId: ids[0] });
  return ids;
}

/** Makes a log whose copy takes some seconds. */
function largeLog(megabytes: number): string {
  const path = newFile();
  const store = new LogStore(path, "normal");
  const text = "x".repeat(10_000);
  store.transaction(() => {
    for (let key = 1; key <= megabytes * 100; key++) store.createEpisode(row(key), `{"observation":"${text}"}`);
  });
  store.close();
  return path;
}

describe.skipIf(postgresFolder === null)("a copy of a log", () => {
  test("gives byte-equal transcripts in PostgreSQL, and back in SQLite, where gyms continue", {
    timeout: 240_000,
  }, async () => {
    const [dataDir, backDir] = [scratchDir(), scratchDir()];
    const [path, back] = [join(dataDir, "episodes.db"), join(backDir, "episodes.db")];
    const url = await emptyDatabase();
    const original = await openGym({}, dataDir);
    const ids = await play(original);
    const before = [await transcripts(original, ids), await listed(original)];
    await original.close();
    expect(await copy(path, url)).toMatchObject({ episodes: 7, resumedRows: 0 });
    const inPostgres = await openGym({ log: { url } });
    expect([await transcripts(inPostgres, ids), await listed(inPostgres)]).toEqual(before);
    await inPostgres.step(ids[1] as string, 5, "look");
    await inPostgres.step(ids[6] as string, 4, "look");
    ids.push((await inPostgres.create()).episodeId);
    await inPostgres.step(ids[7] as string, 0, "look");
    const later = [await transcripts(inPostgres, ids), await listed(inPostgres)];
    await inPostgres.close();
    expect(await copy(url, back)).toMatchObject({ episodes: 8 });
    expect(verifyLog(back)).toMatchObject({ episodes: 8, damages: [] });
    const inSqlite = await openGym({}, backDir);
    expect([await transcripts(inSqlite, ids), await listed(inSqlite)]).toEqual(later);
    await inSqlite.step(ids[1] as string, 6, "look");
    expect(Number((await inSqlite.create()).episodeId.split("-")[1])).toBeGreaterThan(8);
    expect((await inSqlite.create({ seed: 2, idempotencyKey: "the key" })).episodeId).toBe(ids[2]);
  });

  test("keeps episodes of every kind, aliases, marks, usage and numbers, to PostgreSQL and back", async () => {
    const { path, ids, content } = recordLog({ inWal: true });
    const database = openDatabase(path);
    // The key of a removed episode is not used again.
    database.exec(
      "UPDATE sqlite_sequence SET seq = 500 WHERE name = 'episodes'; UPDATE pages SET atMs = NULL WHERE page = 3",
    );
    database.close();
    const url = await emptyDatabase();
    const to = newFile();
    const copied = await copy(path, url);
    expect(await copy(url, to)).toEqual(copied);
    expect(readLog(to, ids)).toEqual(content);
    const [first, second] = [path, to].map((each) => new LogStore(each, "normal")) as [LogStore, LogStore];
    onTestFinished(() => {
      first.close();
      second.close();
    });
    // The lists of places count towards the bytes once the steps are indexed on disk.
    first.transaction(() => indexSteps(first));
    expect(second.nextKey()).toBe(501);
    expect(second.space().usage).toEqual(first.space().usage);
    expect(second.nextAlias("textcraft")).toBe(30);
    expect(second.findAlias("textcraft", 7)).toEqual(first.findAlias("textcraft", 7));
    for (let key = 1; key < ids.length; key++)
      expect(second.readSteps(key, 0, 1_000)).toEqual(first.readSteps(key, 0, 1_000));
  });

  test("that is killed again and again continues, and no gym starts meanwhile", async () => {
    const path = largeLog(60);
    const url = await emptyDatabase();
    const back = newFile();
    for (const [from, to] of [
      [path, url],
      [url, back],
    ] as const) {
      let kills = 0;
      for (let rows = 1; kills < 3; rows += 1_500) {
        const child = spawn(process.execPath, [join(root, "dist/server/program/cli.js"), "log", "copy", from, to]);
        const exited = new Promise((resolve) => child.once("exit", (_, signal) => resolve(signal)));
        while (child.exitCode === null && (await copiedRows(to)) < rows)
          await new Promise((done) => setTimeout(done, 20));
        child.kill("SIGKILL");
        expect(await exited, "the copy ended before it was killed").toBe("SIGKILL");
        kills += 1;
      }
      const settings = to === url ? { log: { url } } : {};
      await expect(openGym(settings, to === url ? scratchDir() : join(back, ".."))).rejects.toThrow("unfinished copy");
      expect((await copy(from, to)).resumedRows).toBeGreaterThan(3_000);
    }
    expect(verifyLog(back)).toMatchObject({ episodes: 6_000, damages: [] });
  });

  test("that is interrupted prints how to continue", async () => {
    const path = largeLog(40);
    const to = newFile();
    const child = spawn(process.execPath, [join(root, "dist/server/program/cli.js"), "log", "copy", path, to]);
    let stderr = "";
    child.stderr.on("data", (text: Buffer) => (stderr += text.toString()));
    while ((await copiedRows(to)) === 0) await new Promise((done) => setTimeout(done, 5));
    child.kill("SIGINT");
    expect(await new Promise((resolve) => child.once("exit", resolve))).toBe(130);
    expect(stderr).toContain("The copy was interrupted. Run the same command again to continue.");
    expect((await copy(path, to)).episodes).toBe(4_000);
  });

  test("whose connection breaks prints how to continue", async () => {
    const path = largeLog(20);
    const [url, back] = [await emptyDatabase(), newFile()];
    const kill = () =>
      sql(
        url,
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE datname = current_database() AND application_name = 'palestra log copy'`,
      );
    const more = "Run the same command again to continue";
    for (const [from, to] of [
      [path, url],
      [url, back],
    ] as const) {
      let kills = 0;
      const onProgress = (done: number) => void (done > 300 && kills++ === 0 && kill());
      await expect(copyLog(logPlace(from), logPlace(to), { onProgress })).rejects.toThrow(more);
      expect(await copy(from, to)).toMatchObject({ episodes: 2_000 });
    }
  });

  test("that loses its lock stops before it can miss the steps of a gym", async () => {
    const path = largeLog(20);
    const [url, back] = [await emptyDatabase(), newFile()];
    const locks = `SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND (classid, objid) = (x'50414c45'::int, 1)
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    for (const [from, to] of [
      [path, url],
      [url, back],
    ] as const) {
      let killed: Promise<unknown[]> | null = null;
      const onProgress = (done: number) => {
        if (done > 300) killed ??= sql(url, `SELECT pg_terminate_backend(pid) FROM (${locks}) AS locks`);
      };
      const lost =
        /expected to keep the lock .* its connection ended \(.*administrator command\).* run the same command again/;
      await expect(copyLog(logPlace(from), logPlace(to), { onProgress })).rejects.toThrow(lost);
      expect(await killed).toHaveLength(1);
      expect(await sql(url, locks), "the lock is not taken again").toEqual([]);
      expect(await copy(from, to)).toMatchObject({ episodes: 2_000, resumedRows: expect.any(Number) });
    }
    expect(verifyLog(back)).toMatchObject({ episodes: 2_000, damages: [] });
  });

  test("onto a full disk prints how to continue", async (context) => {
    const path = largeLog(20);
    const disk = SmallDisk.mount(context, 16);
    const to = join(disk.path, "episodes.db");
    await expect(copy(path, to)).rejects.toThrow(/full.*Run the same command again to continue/);
    disk.enlarge(80);
    expect((await copy(path, to)).resumedRows).toBeGreaterThan(300);
    expect(verifyLog(to)).toMatchObject({ episodes: 2_000, damages: [] });
  });

  test("is refused if the target holds a log or a copy of another log, or the source is in use", async () => {
    const path = largeLog(1);
    const url = await emptyDatabase();
    await copy(path, url);
    await expect(copy(path, url)).rejects.toThrow("but the database has a log");
    await expect(copy(url, path)).rejects.toThrow("has a log");
    await expect(copy(path, path)).rejects.toThrow("two different logs");
    await expect(copy(newFile(), await emptyDatabase())).rejects.toThrow();
    await expect(copy(await emptyDatabase(), newFile())).rejects.toThrow("no schema `palestra`");
    const gym = await openGym({ log: { url } });
    await expect(copy(url, newFile())).rejects.toThrow("another gym uses the database");
    await gym.close();
    const sqlite = await openGym();
    const inUse = join(sqlite.dataDir, "episodes.db");
    await expect(copy(inUse, await emptyDatabase())).rejects.toThrow(`A gym uses ${inUse}`);
    await sqlite.close();
    const unfinished = await unfinishedCopy(path);
    await expect(copy(largeLog(2), unfinished)).rejects.toThrow("an unfinished copy of the same log");
    await copy(path, unfinished);
  });

  test("of a damaged log stops at the damaged part, in both databases", async () => {
    const { path } = recordLog();
    const url = await emptyDatabase();
    await copy(path, url);
    const damages = [
      ["UPDATE pages SET lines = replace(lines, 'action', 'action!') WHERE page = 9", "Page 9"],
      ["UPDATE openings SET opening = opening || ' ' WHERE episode = 5", "The reset result of episode 5"],
      ["DELETE FROM openings WHERE episode = 5", "The table of reset results"],
      ["DELETE FROM pages WHERE page = 4", "Page 4"],
      [
        "DELETE FROM extents WHERE episode = 7 AND lastIndex = (SELECT min(lastIndex) FROM extents WHERE episode = 7)",
        "of episode 7",
      ],
    ] as const;
    for (const [damage, part] of damages) {
      const damaged = newFile();
      await copy(url, damaged);
      const database = openDatabase(damaged);
      expect(database.prepare(damage).run().changes, damage).toBeGreaterThan(0);
      database.close();
      await expect(copy(damaged, newFile()), damage).rejects.toThrow(part);
    }
    await sql(url, "UPDATE palestra.pages SET lines = replace(lines, 'action', 'action!') WHERE page = 9");
    await expect(copy(url, newFile())).rejects.toThrow("Page 9 of the episode log is damaged.");
  });

  test("made by the command prints its size, as text and as JSON", async () => {
    const path = largeLog(1);
    const [url, to] = [await emptyDatabase(), newFile()];
    const text = await palestra(["log", "copy", path, url]);
    expect(text).toMatchObject({ code: 0, stdout: expect.stringContaining("has 100 episodes with 0 steps") });
    const json = await palestra(["log", "copy", url, to, "--json"]);
    expect(JSON.parse(json.stdout)).toMatchObject({ episodes: 100, steps: 0, pages: 0, resumedRows: 0 });
    expect(statSync(to).mode & 0o777).toBe(0o600);
    const usual = await palestra(["--data-dir", join(path, ".."), "log", "copy", newFile()]);
    expect(usual.code, usual.stderr).toBe(0);
    expect(existsSync(`${path}-wal`)).toBe(false);
  });
});

/** Returns the number of rows in an unfinished copy. */
async function copiedRows(to: string): Promise<number> {
  if (!to.includes(":")) return existsSync(to) ? Math.floor((statSync(to).size + walBytes(to)) / 12_000) : 0;
  const values = await sql<{ value: string }>(to, "SELECT value FROM palestra.copying").catch(() => []);
  return values.reduce((sum, { value }) => sum + ((JSON.parse(value) as { rows?: number }).rows ?? 0), 0);
}

function walBytes(path: string): number {
  return existsSync(`${path}-wal`) ? statSync(`${path}-wal`).size : 0;
}

/** Begins a copy and stops it at once. */
async function unfinishedCopy(path: string): Promise<string> {
  const to = newFile();
  await expect(copyLog(logPlace(path), logPlace(to), { signal: AbortSignal.abort() })).rejects.toThrow("interrupted");
  return to;
}
