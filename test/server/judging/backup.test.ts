import { execFileSync } from "node:child_process";
import { appendFileSync, copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fixture, openGym, scratchDir } from "../../support/gym.js";
import { root } from "../../support/server-process.js";
import { paint } from "../operations/exports/painted.js";

// With a log in a database, judgments are in the database.
test.skipIf(process.env.TEST_POSTGRES !== undefined)(
  "the backup of a running gym has the judgments, without a half-written one",
  async () => {
    const gym = await openGym({ environments: [fixture("painter")] });
    const [left, right] = [await paint(gym, ["red", "blue"]), await paint(gym, ["blue", "red"])];
    const judgment = await gym.call("judge", { left, right, choice: "left", rater: "ada" });
    appendFileSync(join(gym.dataDir, "judgments.jsonl"), '{"owner":"lo');
    const backups = scratchDir();
    execFileSync("sh", [join(root, "server/deploy/backup.sh"), gym.dataDir, backups], { stdio: "pipe" });
    const [name = ""] = readdirSync(backups).filter((file) => /^judgments-\S+\.jsonl$/.test(file));
    const dataDir = scratchDir();
    copyFileSync(join(backups, name), join(dataDir, "judgments.jsonl"));
    const restored = await openGym({}, dataDir);
    expect((await restored.call("listJudgments")).judgments).toEqual([judgment]);
  },
);
