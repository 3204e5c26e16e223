/** `palestra train --seeds` and `--summary` as users run them: a seed that fails, the same command again, and joined runs. */
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Study } from "#palestra/trainer/report/study/study.js";
import { needsEngine } from "../native/tiny-models.js";
import { palestra } from "../support/palestra.js";
import { root, scratchDir } from "../support/server-process.js";
import { scratch } from "../support/serving.js";
import { writeStudyRun } from "../support/study-runs.js";
import { tinyRun } from "../trainer/support/training.js";

needsEngine();
const cli = join(root, "dist/server/program/cli.js");
const folder = scratchDir().path;

function train(...more: string[]) {
  const settings = { ...tinyRun, gym: "spawn", total_train_steps: 1, eval_episodes: 4, clone_epochs: 2 };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, "train", ...flags, ...more], {
    encoding: "utf8",
    cwd: folder,
  });
  return { status, stdout, stderr };
}

test("a seed that fails is named, the others train, and the same command trains only what is missing", () => {
  const output = join(folder, "seeds");
  mkdirSync(output);
  writeFileSync(join(output, "seed-1"), "a file where the folder of the seed should be");
  const args = ["--seeds", "1,2", "--output", output, "--json"];
  const first = train(...args);
  expect(first.status, first.stderr).toBe(1);
  const study = JSON.parse(first.stdout) as Study;
  expect(study.failed).toMatchObject([{ seed: 1 }]);
  expect(study.arms[0]?.seeds).toMatchObject([{ seed: 2, end: "done", cost: { trainSteps: 1 } }]);
  expect(first.stderr).toContain("seed 1, 1 of 2: failed: ");

  rmSync(join(output, "seed-1"));
  const model = join(output, "seed-2/final/model.safetensors");
  const before = statSync(model).mtimeMs;
  const second = train(...args);
  expect(second.status, second.stderr).toBe(0);
  expect(second.stderr).toContain(`seed 2, 2 of 2: has ended in ${join(output, "seed-2")}`);
  expect(statSync(model).mtimeMs).toBe(before);
  const both = JSON.parse(second.stdout) as Study;
  expect(both.arms).toHaveLength(1);
  expect(both.arms[0]?.seeds.map(({ seed }) => seed)).toEqual([1, 2]);
  expect(both.arms[0]?.heldOut[0]?.last.n).toBe(2);
  expect(both.command).toContain(`--seeds 1,2 --output ${output}`);
  expect(both.arms[0]?.seeds[0]?.versions).toHaveProperty("palestra");
  expect(JSON.parse(readFileSync(join(output, "report.json"), "utf8"))).toEqual(both);
  expect(readFileSync(join(output, "report.md"), "utf8")).toContain("## Held-out success");
  expect(readFileSync(join(output, "report.html"), "utf8")).toContain('"kind":"paper"');
  // The report of a single run has the same sections.
  expect(readFileSync(join(output, "seed-2/report.html"), "utf8")).toContain('"heading":"Versions and machine"');
});

describe("--summary", () => {
  test("joins runs by name and by folder, and writes the report where it is told to", async () => {
    const runs = scratch();
    for (const seed of [1, 2])
      writeStudyRun(join(runs, "study", `seed-${seed}`), seed, { "textcraft:test": ["10", "11"] });
    const output = join(scratch(), "summary");
    const args = ["train", "--summary", "study", "--output", output];
    const { code, stdout, stderr } = await palestra(args, { PALESTRA_RUNS: runs });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      /^textcraft:test +100\.0 +100\.0 +50\.0 +100\.0 \[100\.0, 100\.0\] +\+50\.0 \[\+50\.0, \+50\.0\]$/m,
    );
    expect(stdout).toContain(`report         ${join(output, "report.html")}`);
  });

  test.each([
    [["--summary", "nowhere"], /expected the folder of a training run.*received "nowhere"/],
    [["--summary", "a", "--lr", "0.1"], /expected --summary with no flag but --output and --json, but received --lr/],
    [["--seeds", "1,1"], /expected different seeds in --seeds, but received 1 twice/],
    [["--seeds", "1,x"], /expected an integer of at least 0, but received "x"/],
    [["--seeds", "1,2", "--seed", "3"], /expected --seed or --seeds, but received both/],
  ])("%j is refused", async (args, message) => {
    const { code, stdout, stderr } = await palestra(["train", ...args], { PALESTRA_RUNS: scratch() });
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });
});
