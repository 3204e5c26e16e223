import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { loadConfig } from "#palestra/server/config/settings.js";
import { storageLine } from "#palestra/server/program/storage-line.js";
import { scratchDir } from "../../support/gym.js";

test.each([
  [{}, "Episodes that are not in use are deleted after 90 days (settings log.retainDays and log.maxMb)."],
  [{ retainDays: 1 }, "Episodes that are not in use are deleted after 1 day ("],
  [{ retainDays: 0 }, "Episodes of any age are kept ("],
  [{ maxMb: 2048 }, "deleted after 90 days, and the oldest earlier if the log nears 2.0 GiB ("],
  [
    { retainDays: 0, maxMb: 100 },
    "Episodes of any age are kept, and the oldest are deleted if the log nears 100 MiB (",
  ],
])("a gym with the settings %j prints its size, its disk and how long it keeps episodes", (log, kept) => {
  const dataDir = scratchDir();
  writeFileSync(join(dataDir, "episodes.db"), "x".repeat(5_000));
  writeFileSync(join(dataDir, "episodes.db-wal"), "x".repeat(5_000));
  const line = storageLine(loadConfig({ env: {}, flags: { dataDir, log } }));
  expect(line).toMatch(/^The log has 9\.8 KiB, and its disk has [\d.]+ (MiB|GiB|TiB) free\. /);
  expect(line).toContain(kept);
});
