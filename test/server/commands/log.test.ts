/** The command `palestra log`. */
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { openGym, scratchDir } from "../../support/gym.js";
import { palestra } from "../../support/palestra.js";

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
    stdout: expect.stringMatching(/^The log is intact: 1 episodes, \d pages of steps\.\n$/),
  });
  expect(await log(dataDir, "backup", backup)).toMatchObject({ code: 0, stdout: `${backup} has 1 episodes.\n` });
  const database = new Database(join(dataDir, "episodes.db"));
  database.exec(`UPDATE pages SET lines = replace(lines, 'inventory', 'inventorx')`);
  database.close();
  const { code, stdout } = await log(dataDir, "verify");
  expect([code, stdout]).toEqual([1, expect.stringMatching(/^Page \d: ep-1-/m)]);
  expect(await log(dataDir, "restore", backup)).toMatchObject({ code: 0 });
  expect(existsSync(join(dataDir, "episodes.db.replaced"))).toBe(true);
  const gym = await openGym({}, dataDir);
  expect(await gym.call("step", { episodeId, index: 1, action: "inventory" })).toMatchObject({ index: 1 });
});

test("the log of a running gym, a missing log and a file of another kind are refused with a reason", async () => {
  const dataDir = scratchDir();
  await openGym({}, dataDir);
  expect(await log(dataDir, "verify")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Stop the gym first."),
  });
  const backup = join(scratchDir(), "backup.db");
  expect(await log(dataDir, "backup", backup)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("A gym uses"),
  });
  expect(existsSync(backup)).toBe(false);
  const empty = scratchDir();
  expect(await log(empty, "verify")).toMatchObject({ code: 1, stderr: expect.stringContaining("episodes.db") });
  const other = join(empty, "other.db");
  writeFileSync(other, "not a database, but long enough to be looked at ".repeat(100));
  expect(await log(dataDir, "restore", other)).toMatchObject({ code: 1, stderr: expect.stringContaining(other) });
});
