/** `palestra eval --transfer` and `--by-rounds` as users run them. */
import { spawnSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import type { RoundsCurve } from "#palestra/trainer/evaluation/rounds-curve.js";
import type { TransferMatrix } from "#palestra/trainer/evaluation/transfer.js";
import type { TrainRecord } from "#palestra/trainer/report/metric-names.js";
import { needsEngine } from "../native/tiny-models.js";
import { palestra } from "../support/palestra.js";
import { episodeRecord, writeEvaluation } from "../support/run-folders.js";
import { root, scratchDir } from "../support/server-process.js";
import { scratch } from "../support/serving.js";
import { tinyRun } from "../trainer/support/training.js";

needsEngine();
const cli = join(root, "dist/server/program/cli.js");
const folder = scratchDir().path;
const craft = join(folder, "craft");
const babyai = join(folder, "babyai");

function run(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [cli, ...args], { encoding: "utf8", cwd: folder });
  return { status, stdout, stderr };
}

function train(output: string, changes: Readonly<Record<string, unknown>>): void {
  const settings = { ...tinyRun, gym: "spawn", total_train_steps: 0, eval_episodes: 4, ...changes, output };
  const flags = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const { status, stderr } = run("train", ...flags);
  expect(status, stderr).toBe(0);
}

describe("--transfer", () => {
  const level = "babyai:GoToRedBallNoDists:5-8";

  beforeAll(() => {
    train(craft, { eval_temperature: 0 });
    train(babyai, { train_tasks: ["babyai:GoToRedBallNoDists:0-3"], eval_tasks: [level], clone_episodes: 4, seed: 7 });
  });

  const transfer = (...more: string[]) => {
    const flags = ["--gym", "spawn", "--threads", "1", "--limit", "6", "--out", join(folder, "matrix"), "--json"];
    return run("eval", "--transfer", craft, babyai, ...flags, ...more);
  };

  test("plays each model on the tasks of both runs, as its own run did, and plays nothing again", () => {
    const { status, stdout, stderr } = transfer();
    expect(status, stderr).toBe(0);
    const matrix = JSON.parse(stdout) as TransferMatrix;
    expect(matrix.tests).toEqual([
      { label: "textcraft", sets: ["textcraft:all:0-3"] },
      { label: "babyai", sets: [level] },
    ]);
    expect(matrix.models.map(({ name, seed }) => [name, seed])).toEqual([
      [craft, 1],
      [babyai, 7],
    ]);
    const episodes = matrix.cells.map((row) => row.map(({ sets }) => sets.map((set) => set.episodes)));
    expect(episodes).toEqual([
      [[4], [4]],
      [[4], [4]],
    ]);
    // The cloned model solves its own tasks as in its run, and none of a game that it has never seen.
    const [own, other] = matrix.cells[0] ?? [];
    const metrics = readFileSync(join(craft, "metrics.jsonl"), "utf8");
    expect(own?.mean?.value).toBe((JSON.parse(metrics) as TrainRecord)["val/success_rate"]);
    expect(own?.mean?.value).toBeGreaterThanOrEqual(0.5);
    expect(other?.mean?.value).toBe(0);
    const [first = ""] = readFileSync(
      join(folder, "matrix", craft.replaceAll("/", "-"), "textcraft-all-0-3", "episodes.jsonl"),
      "utf8",
    ).split("\n");
    expect(JSON.parse(first)).toMatchObject({
      ...{ policy: `native:${join(craft, "final")}`, format: "plain", maxRounds: tinyRun.max_rounds },
      policySettings: { max_new_tokens: tinyRun.max_new_tokens, eval_temperature: 0, context_length: 512 },
    });

    const report = join(folder, "matrix", "report.md");
    const text = readFileSync(report, "utf8");
    expect(text).toMatch(
      /\| trained in \| textcraft \| babyai \|\n[^\n]+\n\| textcraft \| \d+\.\d \[\d+\.\d, \d+\.\d\] \| 0\.0 \[/,
    );
    const log = join(folder, "matrix", babyai.replaceAll("/", "-"), "textcraft-all-0-3", "episodes.jsonl");
    const before = statSync(log).size;
    const again = transfer();
    expect(again.status, again.stderr).toBe(0);
    expect(JSON.parse(again.stdout)).toEqual(matrix);
    expect(statSync(log).size).toBe(before);
  });

  test.each([
    [["--transfer", "nowhere"], /expected the folder of a training run/],
    [
      ["--transfer", "a", "--policy", "random"],
      /expected --transfer with no flag but --checkpoint, .*received --policy/,
    ],
    [
      ["--transfer", craft, "--checkpoint", "best"],
      /expected a model of .*craft in .*checkpoints\/best, but received none/,
    ],
  ])("%j is refused", (args, message) => {
    const { status, stdout, stderr } = run("eval", ...args);
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(message);
  });
});

test("--prompt-examples adds the worked examples of a run to the instructions, and is part of the measurement", async () => {
  const out = join(scratch(), "examples");
  const path = join(scratch(), "prompt-examples.json");
  const task = { environment: "textcraft@1", split: "all", index: 3, seed: 0 };
  const turns = [{ observation: "Goal: craft a stick.", reply: "craft 4 stick using 2 planks" }];
  writeFileSync(path, JSON.stringify({ format: 1, examples: [{ task, turns }] }));
  const args = ["--env", "textcraft", "--limit", "1", "--rounds", "1", "--policy", "random", "--gym", "spawn"];
  const { code, stderr } = await palestra(["eval", ...args, "--prompt-examples", path, "--out", out]);
  expect([0, 1], stderr).toContain(code);
  const [measurement, record] = readFileSync(join(out, "episodes.jsonl"), "utf8")
    .split("\n")
    .map((line) => line && JSON.parse(line));
  expect(measurement.policySettings.promptExamples).toMatch(/^.{22}$/);
  expect(record.prompt).toMatch(
    /Example 1 of an episode that was solved:\n\nObservation:\nGoal: craft a stick\.\n\nYour reply:\ncraft 4 stick using 2 planks\n\nEnd of example 1\.$/,
  );
  const refused = await palestra(["eval", ...args, "--prompt-examples", join(out, "nowhere.json")]);
  expect(refused.code).toBe(2);
  expect(refused.stderr).toContain("expected the worked examples of a run in ");
});

describe("--by-rounds", () => {
  /** Episodes of tasks 0, 1, ... that are solved in these rounds; 0: never. */
  function written(runs: string, name: string, rounds: readonly number[]): void {
    const turns = (count: number, isSolved: boolean) =>
      Array.from({ length: count }, (_, at) => ({
        ...{ reply: "Action: go", action: "go", observation: "Done" },
        reward: isSolved && at === count - 1 ? 1 : 0,
      }));
    const records = rounds.map((solvedIn, index) =>
      episodeRecord(index, {
        ...(solvedIn > 0
          ? { status: "terminated", solved: true, score: 1, turns: turns(solvedIn, true) }
          : { status: "limit", solved: false, score: 0, turns: turns(5, false) }),
      }),
    );
    writeEvaluation(join(runs, name), records);
  }

  test("shows the success of evaluations within each number of rounds, in one table and one picture", async () => {
    const runs = scratch();
    written(runs, "untrained", [0, 5, 0, 0]);
    written(runs, "trained", [1, 2, 2, 4]);
    const out = join(scratch(), "rounds");
    const args = ["eval", "--by-rounds", "untrained", "trained", "--out", out];
    const { code, stdout } = await palestra(args, { PALESTRA_RUNS: runs });
    expect(code).toBe(0);
    expect(stdout).toMatch(/^textcraft@1, all$/m);
    expect(stdout).toMatch(/^rounds {2}untrained +trained$/m);
    for (const [rounds, untrained, trained] of [
      [1, "0.0", "25.0"],
      [2, "0.0", "75.0"],
      [3, "0.0", "75.0"],
      [4, "0.0", "100.0"],
    ]) {
      const sign = (text: unknown) => String(text).replace(".", "\\.");
      expect(stdout).toMatch(new RegExp(`^${rounds} +${sign(untrained)} % \\[.*\\] +${sign(trained)} % \\[`, "m"));
    }
    expect(stdout).toMatch(/^5 +25\.0 % \[.*\] +-$/m);
    const { curves } = JSON.parse(readFileSync(join(out, "report.json"), "utf8")) as { curves: RoundsCurve[] };
    expect(curves.map(({ name, maxRounds }) => [name, maxRounds])).toEqual([
      ["untrained", 5],
      ["trained", 4],
    ]);
    expect(readFileSync(join(out, "report.html"), "utf8")).toContain('"title":"Success by rounds"');
    expect(readFileSync(join(out, "report.md"), "utf8")).toContain("| 2 | 0.0 % [");
  });

  test("notes evaluations of other tasks, and refuses other flags", async () => {
    const runs = scratch();
    written(runs, "one", [1, 2]);
    written(runs, "other", [1, 2, 3]);
    const out = join(scratch(), "rounds");
    const { stdout } = await palestra(["eval", "--by-rounds", "one", "other", "--out", out], { PALESTRA_RUNS: runs });
    expect(stdout).toContain("note  Other tasks than one have: other. Their curves are not of the same tasks.");
    const refused = await palestra(["eval", "--by-rounds", "one", "--k", "2"], { PALESTRA_RUNS: runs });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("expected --by-rounds with no flag but --out, --json, but received --k");
  });
});
