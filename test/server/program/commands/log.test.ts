/** `palestra log`: verification, backup, restore and repair. */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { openDatabase } from "#palestra/native/sqlite/index.js";
import { openGym, scratchDir } from "../../../support/gym.js";
import { palestra } from "../../../support/palestra.js";

async function playedIn(dataDir: string): Promise<string> {
  const gym = await openGym({}, dataDir);
  const { episodeId } = await gym.create();
  await gym.step(episodeId, 0, "inventory");
  await gym.close();
  return episodeId;
}

const log = (dataDir: string, ...args: string[]) => palestra(["--data-dir", dataDir, "log", ...args]);

test("a backup restores the episodes of a damaged log, and keeps the damaged file", async () => {
  const dataDir = scratchDir();
  const backup = join(scratchDir(), "backup.db");
  const episodeId = await playedIn(dataDir);
  expect(await log(dataDir, "verify")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^The log is intact: 1 episode, \d pages? of steps\.\n$/),
  });
  expect(await log(dataDir, "backup", backup)).toMatchObject({ code: 0, stdout: `${backup} has 1 episode.\n` });
  const database = openDatabase(join(dataDir, "episodes.db"));
  database.exec(`UPDATE pages SET lines = replace(lines, 'inventory', 'inventorx')`);
  database.close();
  const { code, stdout } = await log(dataDir, "verify");
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^Page \d: ep-1-/m)]);
  expect(await log(dataDir, "restore", backup)).toMatchObject({ code: 0 });
  expect(readdirSync(dataDir).filter((name) => /^episodes\.db\.replaced-\d{8}T\d+Z$/.test(name))).toHaveLength(1);
  const gym = await openGym({}, dataDir);
  expect(await gym.call("step", { episodeId, index: 1, action: "inventory" })).toMatchObject({ index: 1 });
});

test.each([
  ["episodes", "UPDATE episodes SET environment = replace(environment, 'craft', 'crafu') WHERE key = 1"],
  ["marks", "UPDATE marks SET kind = 'cloref'"],
  ["aliases", "UPDATE handles SET owner = 'locam'"],
])(
  "a backup with a changed character in the table of %s is not restored, and no gym opens it",
  async (table, change) => {
    const [dataDir, other] = [scratchDir(), scratchDir()];
    const backup = join(scratchDir(), "backup.db");
    const gym = await openGym({}, dataDir);
    await gym.call("close", { episodeId: (await gym.create()).episodeId });
    await gym.app.inject({ method: "POST", url: "/agentgym/textcraft/create", payload: {} });
    await gym.close();
    expect(await log(dataDir, "backup", backup)).toMatchObject({ code: 0 });

    const database = openDatabase(backup);
    expect(database.prepare(change).run().changes).toBe(1);
    expect(database.pragma("integrity_check", { simple: true }), "SQLite's own check").toBe("ok");
    database.close();
    copyFileSync(backup, join(other, "episodes.db"));
    const { code, stderr } = await log(dataDir, "restore", backup);
    expect([code, stderr]).toEqual([
      1,
      expect.stringContaining(`The table of ${table}, which differs from its checksum`),
    ]);
    await expect(openGym({}, other)).rejects.toThrow(`The table of ${table} of the episode log is damaged.`);
  },
);

test("a restored log can be played and backed up again", async () => {
  const dataDir = scratchDir();
  const [first, second] = ["first.db", "second.db"].map((name) => join(scratchDir(), name)) as [string, string];
  await playedIn(dataDir);
  await log(dataDir, "backup", first);
  expect(await log(dataDir, "restore", first)).toMatchObject({ code: 0 });
  expect(await log(dataDir, "backup", second)).toMatchObject({ code: 0 });
  await playedIn(dataDir);
  expect(await log(dataDir, "verify")).toMatchObject({ code: 0 });
  const earlier = openDatabase(second);
  earlier.exec(`INSERT INTO marks (episode, kind, detail, atMs) VALUES (1, 'expert', '', 0)`);
  earlier.close();
  copyFileSync(second, join(dataDir, "episodes.db"));
  await playedIn(dataDir);
  expect(await log(dataDir, "verify")).toMatchObject({ code: 0 });
});

test("a restore moves away the write-ahead log of the lost log, since SQLite would apply it to the backup", async () => {
  const dataDir = scratchDir();
  const backup = join(scratchDir(), "backup.db");
  const episodeId = await playedIn(dataDir);
  await log(dataDir, "backup", backup);
  rmSync(join(dataDir, "episodes.db"));
  writeFileSync(join(dataDir, "episodes.db-wal"), "of the lost log");
  expect(await log(dataDir, "restore", backup)).toMatchObject({ code: 0 });
  expect(existsSync(join(dataDir, "episodes.db-wal"))).toBe(false);
  const gym = await openGym({}, dataDir);
  expect(await gym.call("step", { episodeId, index: 1, action: "inventory" })).toMatchObject({ index: 1 });
});

/** Changes a character in the page with this step of an episode, as a flipped bit would. */
function flip(dataDir: string, episode: number, index: number): void {
  const database = openDatabase(join(dataDir, "episodes.db"));
  database
    .prepare(`UPDATE pages SET lines = replace(lines, 'inventory', 'inventorx') WHERE lines LIKE ?`)
    .run(`%[${episode},${index},0,"inventory"]%`);
  database.close();
}

test("a repair lets the gym start again: intact episodes continue, and a cut episode has failed", async () => {
  const dataDir = scratchDir();
  const gym = await openGym({}, dataDir);
  const [sound, hurt] = [await gym.create(), await gym.create()];
  for (let index = 0; index < 3; index++)
    for (const { episodeId } of [sound, hurt]) await gym.step(episodeId, index, "inventory");
  await gym.close();
  flip(dataDir, 2, 1);
  await expect(openGym({}, dataDir)).rejects.toMatchObject({
    code: "LOG_CORRUPT",
    message: expect.stringContaining("repair it with `palestra log repair`"),
  });
  const damaged = readFileSync(join(dataDir, "episodes.db"));
  const { code, stdout, stderr } = await log(dataDir, "repair");
  expect([code, stdout], stderr).toEqual([1, expect.stringContaining("Kept whole: 1 episode.")]);
  expect(stdout).toContain(`${hurt.episodeId}: keeps 1 step. Step 1 and all later steps of the episode are lost.`);
  const kept = /The damaged log is kept as (.+)\./.exec(stdout)?.[1] as string;
  expect(kept).toMatch(/episodes\.db\.damaged-\d{8}T\d{9}Z$/);
  expect(readFileSync(kept).equals(damaged)).toBe(true);
  expect(statSync(join(dataDir, "episodes.db")).mode & 0o777).toBe(0o600);
  expect(await log(dataDir, "verify")).toMatchObject({ code: 0 });
  expect(await log(dataDir, "repair")).toMatchObject({ code: 0, stdout: expect.stringContaining("The log is intact") });

  const again = await openGym({}, dataDir);
  expect(await again.call("step", { episodeId: sound.episodeId, index: 3, action: "inventory" })).toMatchObject({
    index: 3,
  });
  expect(await again.call("get", { episodeId: hurt.episodeId })).toMatchObject({
    phase: "failed",
    index: 1,
    failure: { code: "LOG_CORRUPT", class: "infrastructure", details: { step: 1 } },
  });
  expect((await again.call("transcript", { episodeId: hurt.episodeId })).steps).toHaveLength(1);
  const refusal = await again.refusal("step", { episodeId: hurt.episodeId, index: 1, action: "inventory" });
  expect(refusal).toMatchObject({ code: "EPISODE_FAILED", details: { failure: { code: "LOG_CORRUPT" } } });
});

test("a repair to another file does not change the damaged log, and --json prints the report as JSON", async () => {
  const dataDir = scratchDir();
  await playedIn(dataDir);
  flip(dataDir, 1, 0);
  const path = join(dataDir, "episodes.db");
  const before = readFileSync(path);
  const output = join(scratchDir(), "repaired.db");
  const { code, stdout } = await log(dataDir, "repair", "--output", output, "--json");
  expect([code, JSON.parse(stdout)]).toMatchObject([1, { repaired: output, damaged: path, repair: { episodes: 1 } }]);
  expect(readFileSync(path).equals(before)).toBe(true);
  expect(readdirSync(dataDir).filter((name) => name.startsWith("episodes.db"))).toEqual(["episodes.db"]);
  const again = await log(dataDir, "repair", "--output", output);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`but ${output} exists`) });
});

test("a backup of a damaged log is refused unless --damaged is given, and a restore refuses that backup", async () => {
  const dataDir = scratchDir();
  await playedIn(dataDir);
  flip(dataDir, 1, 0);
  const file = join(scratchDir(), "backup.db");
  const refused = await log(dataDir, "backup", file);
  expect(refused).toMatchObject({ code: 1, stdout: expect.stringMatching(/Page \d: ep-1-.*\n.*No backup was made\./) });
  expect(existsSync(file)).toBe(false);
  const kept = await log(dataDir, "backup", file, "--damaged");
  expect(kept).toMatchObject({ code: 1, stdout: expect.stringContaining(`${file} has this damage too.`) });
  expect(existsSync(file)).toBe(true);
  const restored = await log(dataDir, "restore", file);
  expect(restored).toMatchObject({ code: 1, stderr: expect.stringContaining(`\`palestra log repair ${file}\``) });
});

test("only the gym's user can read a backup, whatever the umask, and no backup is overwritten", async () => {
  const dataDir = scratchDir();
  await playedIn(dataDir);
  const folder = scratchDir();
  const file = join(folder, "backup.db");
  expect(await log(dataDir, "backup", file)).toMatchObject({ code: 0 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["backup.db"]);
  const again = await log(dataDir, "backup", file);
  expect(again).toMatchObject({ code: 1, stderr: expect.stringContaining(`but ${file} exists`) });
});

const fixtures = fileURLToPath(new URL("../../../fixtures/log", import.meta.url));
const versions = readdirSync(fixtures).flatMap((name) => /^episodes-v(\d+)\.db$/.exec(name)?.[1] ?? []);

test.each(versions)("a log of schema version %s is verified, backed up and repaired", async (version) => {
  const dataDir = scratchDir();
  const path = join(dataDir, "episodes.db");
  copyFileSync(join(fixtures, `episodes-v${version}.db`), path);
  const original = openDatabase(path, { readonly: true });
  const ids = original.prepare("SELECT id FROM episodes WHERE owner = 'local' ORDER BY key").pluck().all() as string[];
  const total = original.prepare("SELECT count(*) FROM episodes").pluck().get();
  original.close();
  expect(await log(dataDir, "verify")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining(`intact: ${total} episodes`),
  });
  const file = join(scratchDir(), "backup.db");
  expect(await log(dataDir, "backup", file)).toMatchObject({ code: 0 });
  const database = openDatabase(file);
  expect(database.pragma("user_version", { simple: true })).toBe(Number(version));
  database.prepare(`DELETE FROM openings WHERE episode = ?`).run(Number(ids[0]?.split("-")[1]));
  database.close();
  expect(await log(dataDir, "repair", file)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining(`${ids[0]}: `),
  });
  expect(await log(dataDir, "restore", file)).toMatchObject({ code: 0 });
  const gym = await openGym({}, dataDir);
  const { episodes } = await gym.call("list");
  expect(episodes.map(({ episodeId }) => episodeId)).toEqual(ids.toReversed());
  const episodeId = ids[0] as string;
  expect((await gym.call("transcript", { episodeId })).steps.length).toBeGreaterThan(0);
  expect(await gym.call("get", { episodeId })).toMatchObject({ phase: "failed", failure: { code: "LOG_CORRUPT" } });
});

test("the log of a running gym, a missing log and a file of another kind are refused with a reason", async () => {
  const dataDir = scratchDir();
  await openGym({}, dataDir);
  expect(await log(dataDir, "verify")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Stop the gym first."),
  });
  expect(await log(dataDir, "repair")).toMatchObject({ code: 1, stderr: expect.stringContaining("A gym uses") });
  const empty = scratchDir();
  expect(await log(empty, "verify")).toMatchObject({ code: 1, stderr: expect.stringContaining("episodes.db") });
  const other = join(empty, "other.db");
  writeFileSync(other, "not a database, but long enough to be looked at ".repeat(100));
  expect(await log(dataDir, "restore", other)).toMatchObject({ code: 1, stderr: expect.stringContaining(other) });
});

test.each([["backup", "b.db"], ["restore", "b.db"], ["repair"]])(
  "%s refuses a log in PostgreSQL without its password, and names PostgreSQL's tools",
  async (...args) => {
    const config = join(scratchDir(), "palestra.json");
    writeFileSync(config, JSON.stringify({ log: { url: "postgres://gym:secret@db/gym" } }));
    for (const given of [
      ["--config", config],
      ["--log", "postgres://gym:secret@db/gym"],
    ]) {
      const { code, stderr } = await palestra([...given, "--data-dir", scratchDir(), "log", ...args]);
      expect(code).toBe(1);
      expect(stderr).toMatch(
        /expected a log in an SQLite file, but received the setting log.url, postgres:\/\/gym@db\/gym\. Use pg_dump/,
      );
    }
  },
);
