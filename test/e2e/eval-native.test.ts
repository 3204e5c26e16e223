/** A model of `palestra train` in `palestra eval`, as users run the two commands. */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { EvaluationReport } from "#palestra/trainer/evaluation/evaluate.js";
import { needsEngine } from "../native/tiny-models.js";
import { root, scratchDir } from "../support/server-process.js";
import { tinyRun } from "../trainer/support/training.js";

needsEngine();
const cli = join(root, "dist/server/program/cli.js");
const scratch = scratchDir().path;
const run = join(scratch, "run");
const model = join(run, "final");

const training = { ...tinyRun, output: run, gym: "spawn", total_train_steps: 0, eval_episodes: 4 };

beforeAll(() => {
  const flags = Object.entries(training).flatMap(([name, value]) => [`--${name}`, String(value)]);
  execFileSync(process.execPath, [cli, "train", ...flags], { stdio: "pipe" });
});

function evaluate(policy: string, ...more: string[]) {
  const args = ["--env", "textcraft", "--split", "all", "--tasks", "0-3", "--gym", "spawn", "--format", "plain"];
  const own = ["--policy", policy, "--max-tokens", "16", "--threads", "1", "--json"];
  return spawnSync(process.execPath, [cli, "eval", ...args, ...own, ...more], { encoding: "utf8", cwd: scratch });
}

function reportOf({ status, stdout, stderr }: ReturnType<typeof evaluate>): EvaluationReport {
  expect(status, stderr).toBe(0);
  return JSON.parse(stdout) as EvaluationReport;
}

describe("native:FOLDER", () => {
  test("native:FOLDER plays the cloned actions, and repeats them with the same seed", () => {
    const flags = ["--temperature", "0", "--concurrency", "2", "--rounds", "3"];
    const report = reportOf(evaluate(`native:${model}`, ...flags, "--out", join(scratch, "one")));
    expect(report).toMatchObject({ policy: `native:${model}`, complete: true, format: "plain" });
    expect(report.summary).toMatchObject({ episodes: 4, failed: 0 });
    expect(report.summary.successRate?.value).toBeGreaterThanOrEqual(0.5);
    expect(report.summary.usage.completionTokens).toBeGreaterThan(8);
    const again = reportOf(evaluate(`native:${model}`, ...flags, "--out", join(scratch, "other")));
    const turnsOf = (name: string) => [
      ...readFileSync(join(scratch, name, "episodes.jsonl"), "utf8").matchAll(/"reply":"[^"]*"/g),
    ];
    expect(again.summary.episodes).toBe(4);
    expect(turnsOf("other").map(String).sort()).toEqual(turnsOf("one").map(String).sort());
  });

  test("native:FOLDER with other weights is a separate measurement", () => {
    const out = join(scratch, "weights");
    reportOf(evaluate(`native:${model}`, "--rounds", "1", "--out", out));
    const config = join(model, "config.json");
    appendFileSync(config, "\n");
    const { status, stderr } = evaluate(`native:${model}`, "--rounds", "1", "--out", out);
    expect(stderr).toContain("weights");
    expect(status).toBe(2);
  });

  test("a folder without a model is reported as such", () => {
    const { status, stderr } = evaluate(`native:${join(scratch, "nowhere")}`);
    expect(stderr).toContain(join(scratch, "nowhere"));
    expect(status).toBe(1);
  });
});
