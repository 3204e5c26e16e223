/** `palestra eval` on all environments of a benchmark, as users run it: in its own process with a real gym. */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import type { EvaluationReport } from "#palestra/trainer/evaluation/evaluate.js";
import type { EpisodeRecord } from "#palestra/trainer/evaluation/record.js";
import type { SuiteReport, SuiteRow } from "#palestra/trainer/evaluation/suite.js";
import { eventually } from "../support/gym.js";
import { root } from "../support/server-process.js";
import { scratch } from "../support/serving.js";

const preset = ["--preset", "agentgym-rl"];
const spawned = ["--gym", "spawn"];
/** Settings without browser, sites and question sets, even if the machine has them. */
const bare = { ...process.env, PALESTRA_SANDBOXES_BROWSER: "/none", XDG_CACHE_HOME: "/none", XDG_DATA_HOME: "/none" };

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

function start(args: readonly string[]) {
  const child = execFile(process.execPath, [join(root, "dist/server/program/cli.js"), "eval", ...args], { env: bare });
  onTestFinished(() => void child.kill("SIGKILL"));
  const outcome: Outcome = { code: -1, stdout: "", stderr: "" };
  child.stdout?.on("data", (text) => (outcome.stdout += text));
  child.stderr?.on("data", (text) => (outcome.stderr += text));
  const done = once(child, "close").then(([code]): Outcome => ({ ...outcome, code: code as number }));
  return { child, done };
}

/** Expects a run to succeed, and returns its result. */
async function suite(...args: string[]): Promise<SuiteReport> {
  const { code, stdout, stderr } = await start([...args, ...spawned, "--json"]).done;
  expect(code, stderr).toBe(0);
  return JSON.parse(stdout) as SuiteReport;
}

function rowOf({ rows }: SuiteReport, environment: string): SuiteRow {
  return rows.find((row) => row.environment === environment) as SuiteRow;
}

function linesOf(directory: string, environment: string): string[] {
  return readFileSync(join(directory, environment, "episodes.jsonl"), "utf8")
    .trimEnd()
    .split("\n");
}

describe("AgentGym-RL's preset without --env", () => {
  test("a preset without --env plays all environments, and names the one without its sites", async () => {
    const out = scratch();
    const result = await suite(...preset, "--limit", "2", "--policy", "expert", "--out", out);
    const names = result.rows.map(({ environment }) => environment);
    expect(names).toEqual(["textcraft", "babyai", "sciworld", "webarena", "searchqa"]);
    for (const [name, cap] of [
      ["textcraft", 30],
      ["babyai", 20],
      ["sciworld", 30],
    ] as const) {
      const { report, notPlayed } = rowOf(result, name);
      expect(notPlayed).toBeUndefined();
      expect(report).toMatchObject({ maxRounds: cap, complete: true });
      expect(report?.summary).toMatchObject({ episodes: 2, failed: 0, successRate: { value: 1 } });
      expect(existsSync(join(out, name, "report.html"))).toBe(true);
    }
    const { report, notPlayed } = rowOf(result, "webarena");
    expect(report).toBeUndefined();
    expect(notPlayed?.reason).toMatch(/^The gym's machine lacks .*webarena-sites\.$/);
    expect(notPlayed?.remedy).toContain("sites.json");
    expect(result.overall?.environments).toEqual(expect.arrayContaining(["textcraft", "babyai", "sciworld"]));
    expect(result.overall?.environments).not.toContain("webarena");
    expect(result.overall?.value).toBe(1);
    expect(result.complete).toBe(true);
    expect(readFileSync(join(out, "report.html"), "utf8")).toContain('"href":"sciworld/report.html"');
    expect(readFileSync(join(out, "report.md"), "utf8")).toContain("ScalingInter-7B (quoted)");
  });

  test("an environment whose actions the random policy cannot know is not scored", async () => {
    const args = [...preset, "--limit", "2", "--policy", "random", "--out", scratch(), ...spawned];
    const { code, stdout, stderr } = await start(args).done;
    expect(code, stderr).toBe(0);
    const random = stdout.split("\n").find((line) => line.startsWith("random "));
    // The random policy plays ScienceWorld's tools that need no object.
    expect(random?.split(/ {2,}/).slice(3, 5)).toEqual(["0.0 %", "not played"]);
    expect(stdout).toMatch(
      /^searchqa: No episode was played to its end, because of NO_ACTIONS: .+ Choose another --policy/m,
    );
    expect(stderr).toMatch(/^textcraft, 1 of 5: 2 episodes$/m);
  });

  test("a signal interrupts the suite with a message, and the next run continues it", async () => {
    const out = scratch();
    const args = [...preset, "--env", "textcraft,babyai", "--policy", "expert", "--out", out];
    const { child, done } = start([...args, ...spawned, "--concurrency", "1", "--json"]);
    await eventually(
      () => existsSync(join(out, "textcraft/episodes.jsonl")) && linesOf(out, "textcraft").length > 3,
      30_000,
    );
    child.kill("SIGINT");
    const cut = await done;
    expect(cut.code).toBe(130);
    const early = linesOf(out, "textcraft");
    expect(early.length).toBeLessThan(101);
    expect(rowOf(JSON.parse(cut.stdout) as SuiteReport, "babyai").notPlayed?.reason).toContain(
      "was stopped before this environment",
    );
    expect(readFileSync(join(out, "report.md"), "utf8")).toContain("Cut short");
    const whole = await suite(...args);
    expect(whole.rows.map(({ report }) => report?.summary.episodes)).toEqual([100, 90]);
    const all = linesOf(out, "textcraft");
    expect(all.slice(0, early.length)).toEqual(early);
    // The file has one header, and each episode once.
    expect(all).toHaveLength(101);
    const again = await suite(...args);
    expect(again).toEqual(whole);
    expect(linesOf(out, "textcraft")).toEqual(all);
  });

  test("a folder in AgentEval's layout gives the task ids to play", async () => {
    const folder = scratch();
    for (const [name, ids] of Object.entries({ textcraft: [31, 5], babyai: [7, 2] })) {
      mkdirSync(join(folder, name));
      const items = ids.map((id) => ({ item_id: `${name}_${id}` }));
      writeFileSync(join(folder, name, `${name}_test.json`), JSON.stringify(items));
    }
    const out = scratch();
    const args = [...preset, "--env", "textcraft", "--env", "babyai,sciworld", "--tasks", folder];
    const named = ["--tasks", "sciworld=4638"];
    const result = await suite(...args, ...named, "--policy", "expert", "--out", out);
    expect(result.rows.map(({ report }) => [report?.split, report?.notes])).toEqual([
      ["all", []],
      ["agentgym", []],
      ["agentgym", []],
    ]);
    const indices = linesOf(out, "textcraft")
      .slice(1)
      .map((line) => (JSON.parse(line) as EpisodeRecord).played.index);
    expect(indices.sort((a, b) => a - b)).toEqual([5, 31]);
    expect(rowOf(result, "sciworld").report?.summary.families.map(({ family }) => family)).toEqual([
      "identify-life-stages-2",
    ]);
    const { code, stderr } = await start([...args, "--policy", "expert", "--out", out, ...spawned]).done;
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^palestra: expected sciworld\/sciworld_test\.json in .+ Use --env to name only environments in this folder/m,
    );
  });
});

describe("success by rounds", () => {
  test("success by rounds of one run equals runs with each smaller cap", async () => {
    const evaluate = async (rounds: string): Promise<EvaluationReport> => {
      const args = ["--env", "textcraft", "--split", "test", "--limit", "12", "--policy", "random", "--rounds", rounds];
      return (await suite(...args, "--out", scratch())) as unknown as EvaluationReport;
    };
    const once = await evaluate("5,10,20,30");
    expect(once.byRounds.map(({ rounds }) => rounds)).toEqual([5, 10, 20, 30]);
    expect(once.maxRounds).toBe(30);
    const solved = once.byRounds.map((result) => result.solved);
    expect(new Set(solved).size).toBeGreaterThan(1);
    for (const [at, cap] of ["5", "10"].entries()) {
      const capped = await evaluate(cap);
      expect(capped.byRounds).toEqual([]);
      expect(capped.summary.successRate).toEqual(once.byRounds[at]?.successRate);
    }
  });

  test("success by rounds does not change the figures at the preset's round cap", async () => {
    const args = [...preset, "--env", "textcraft,babyai", "--limit", "2", "--policy", "random", "--rounds", "5,25"];
    const result = await suite(...args, "--out", scratch());
    const babyai = rowOf(result, "babyai").report;
    expect(babyai?.maxRounds).toBe(20);
    expect(babyai?.byRounds.map(({ rounds }) => rounds)).toEqual([5, 20, 25]);
    expect(babyai?.summary.successRate).toEqual(babyai?.byRounds[1]?.successRate);
    expect(babyai?.notes.join()).toContain("played for at most 25 rounds");
    // The preset's cap of 30 is the largest.
    expect(rowOf(result, "textcraft").report?.byRounds.map(({ rounds }) => rounds)).toEqual([5, 25, 30]);
  });
});

describe("flags that do not fit", () => {
  test.each([
    [
      [...preset, "--policy", "expert", "--split", "test"],
      /expected one environment with --split, but received textcraft, .+ Name one/,
    ],
    [[...preset, "--policy", "expert", "--tasks", "0-3"], /but received a single list for 5 environments/],
    [
      [...preset, "--env", "textcraft,chess", "--policy", "expert"],
      /expected one of agentgym-rl's .+ received "chess"/,
    ],
    [["--env", "textcraft,chess", "--policy", "expert", ...spawned], /ENVIRONMENT_UNKNOWN/],
    [
      ["--env", "textcraft", "--policy", "expert", "--rounds", "5,x"],
      /expected an integer of at least 1, but received "x"/,
    ],
  ])("the flags %j are refused as misuse in one line", async (args, message) => {
    const { code, stdout, stderr } = await start(args).done;
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toMatch(/^palestra: [^\n]+\n$/);
    expect(stderr).toMatch(message);
  });
});
