/** `palestra check` on environments that hang or break: results are printed at once, and the command always ends. */
import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { type CheckResult, checkNames } from "#palestra/envs/check-env.js";
import { scratchDir } from "../../../support/gym.js";
import { root } from "../../../support/server-process.js";

const step = "({ ...result, reward: 0, terminated: false, truncated: false })";
const spec = `
const result = { observation: "dark", info: {} };
const spec = {
  id: "maze", version: 1, summary: "A maze.", maxSteps: 5, rewardRange: [0, 1], prompt: "Go.", requirements: [],
  splits: { all: { size: 2, summary: "All mazes.", title: (index) => "maze " + index } }, restore: "replay",
  create: () => ({ reset: () => result, step: () => ${step}, close() {} }),
};
export default spec;
`;

/** Writes a module with an environment that `change` has broken. */
function moduleOf(change: string): string {
  const path = join(scratchDir(), "maze.mjs");
  writeFileSync(path, `${spec}\n${change}`);
  return path;
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function start(module: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}): ChildProcess {
  const bin = join(root, "dist/server/program/cli.js");
  const all = [bin, "--environment-module", module, "check", "maze", ...args];
  const child = spawn(process.execPath, all, { env: { ...process.env, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

function check(change: string, args?: readonly string[], env?: NodeJS.ProcessEnv): Promise<Ended> {
  const child = start(moduleOf(change), args, env);
  const ended = { stdout: "", stderr: "" };
  child.stdout?.on("data", (text) => {
    ended.stdout += text;
  });
  child.stderr?.on("data", (text) => {
    ended.stderr += text;
  });
  return new Promise((resolve) => child.once("close", (code) => resolve({ code, ...ended })));
}

const quick = ["--deadline", "1"];
const progress = new RegExp(`^(maze@1 {2}\\S+ \\(check \\d+ of ${checkNames.length}.*\\.\\.\\.\\n)*$`);
const reset = "reset to all:0 with seed 0";

describe("an environment whose call does not return", () => {
  test.each([
    [
      "step",
      "spec.create = () => ({ reset: () => result, step() { for (;;); }, close() {} });",
      "step-schema",
      "step 1 of all:0",
    ],
    ["reset", "spec.create = () => ({ reset() { for (;;); }, step() {}, close() {} });", "start", reset],
    ["create", "spec.create = () => { for (;;); };", "start", "create"],
    [
      "close",
      `spec.create = () => ({ reset: () => result, step: () => ${step}, close() { for (;;); } });`,
      "start",
      "close after 0 steps",
    ],
    ["title", "spec.splits.all.title = () => { for (;;); };", "spec-splits", "the title of all:0"],
    [
      "an async reset",
      "Object.assign(spec, { isAsync: true, create: () => ({ reset: () => new Promise(() => {}), step() {}, async close() {} }) });",
      "start",
      reset,
    ],
    [
      "an async reset that loops",
      "Object.assign(spec, { isAsync: true, create: () => ({ async reset() { for (;;); }, step() {}, async close() {} }) });",
      "start",
      reset,
    ],
  ])(
    "from %s fails its check, and the report names the call",
    async (_, change, failed, call) => {
      const { code, stdout, stderr } = await check(change, [...quick, "--json"]);
      // During a slow check, the command prints the check's name every few seconds.
      expect([code, stderr]).toEqual([1, expect.stringMatching(progress)]);
      const { results, ...counts } = JSON.parse(stdout) as { results: CheckResult[]; failed: number };
      expect(results).toHaveLength(checkNames.length);
      expect(counts.failed).toBe(1);
      expect(results.find(({ outcome }) => outcome === "failed")).toMatchObject({
        check: failed,
        detail: expect.stringMatching(`^expected ${call}.* to end within 1 s, but received a call that did not end$`),
      });
      expect(results.at(-1)).toMatchObject({ outcome: "skipped", detail: `needs ${failed}, which did not end` });
    },
    240_000,
  );

  test("is aborted before the check's own deadline", async () => {
    const { code, stdout } = await check("spec.create = () => ({ reset() { for (;;); }, step() {}, close() {} });");
    expect(code).toBe(1);
    expect(stdout).toContain(
      `✗ maze@1  start: expected ${reset} to end within 10 s, but received a call that did not end`,
    );
  });
});

describe("an environment that breaks its thread", () => {
  test.each([
    [
      "ends it",
      "spec.create = () => ({ reset: () => process.exit(3), step() {}, close() {} });",
      "its exit with code 3",
    ],
    [
      "eats its memory",
      "spec.create = () => ({ reset() { const all = []; for (;;) all.push(new Array(1000).fill(1)); }, step() {}, close() {} });",
      "memory limit",
    ],
    [
      "throws outside of any call",
      `spec.create = () => { setTimeout(() => { throw new Error("stray"); }); for (const end = Date.now() + 50; Date.now() < end; ); return { reset: () => result, step: () => ${step}, close() {} }; };`,
      "stray",
    ],
  ])(
    "and %s fails the running check",
    async (_, change, received) => {
      const { code, stdout } = await check(change, [], { PALESTRA_HOSTS_MEMORY_MB: "64" });
      expect(code).toBe(1);
      expect(stdout).toMatch(
        new RegExp(`^✗ maze@1 .+expected the checking thread to continue, but received .*${received}`, "m"),
      );
      expect(stdout).toMatch(/\n[0-9]+ passed, 1 failed, [0-9]+ skipped\n$/);
    },
    240_000,
  );
});

test("a check longer than the deadline continues while its calls return, and the command shows its task", async () => {
  const slow = `spec.splits.all.size = 8;
    spec.create = () => ({ reset() { Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300); return result; }, step: () => ${step}, close() {} });`;
  const { code, stdout, stderr } = await check(slow, ["--deadline", "2", "--episodes", "8"]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\n\d+ passed, 0 failed, \d+ skipped\n$/)]);
  const longest = Math.max(...[...stdout.matchAll(/\((\d+) ms\)/g)].map(([, ms]) => Number(ms)));
  expect(longest).toBeGreaterThan(2_000);
  expect(stderr).toMatch(
    new RegExp(`^maze@1 {2}\\S+ \\(check \\d+ of ${checkNames.length}, task [1-8] of 8\\): .+ \\.\\.\\.$`, "m"),
  );
});

test("each result is printed at once, while later checks still run", async () => {
  const child = start(moduleOf("spec.create = () => ({ reset: () => result, step() { for (;;); }, close() {} });"));
  let stdout = "";
  for await (const text of child.stdout ?? []) {
    stdout += text;
    if (stdout.includes("reset-schema")) break;
  }
  expect(stdout).toContain("✓ maze@1  start: 4 resets");
  expect(stdout).not.toContain("step-schema");
  expect(child.exitCode).toBeNull();
});

test("the remaining environments are checked after one that hangs", async () => {
  const bin = join(root, "dist/server/program/cli.js");
  const hanging = moduleOf("spec.create = () => { for (;;); };");
  const fine = moduleOf('spec.id = "meadow";');
  const modules = ["--environment-module", hanging, "--environment-module", fine];
  const args = [bin, ...modules, "check", "maze", "meadow", "--json", ...quick];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  let stdout = "";
  for await (const text of child.stdout) stdout += text;
  const { results } = JSON.parse(stdout) as { results: CheckResult[] };
  expect(results.map(({ environment }) => environment)).toEqual([
    ...Array(checkNames.length).fill("maze@1"),
    ...Array(checkNames.length).fill("meadow@1"),
  ]);
  expect(results.filter(({ outcome, environment }) => outcome === "failed" && environment === "meadow@1")).toEqual([]);
});

test("a check that fails by a throw of the environment shows the lines of the module, also with --json", async () => {
  const thrower = `spec.create = () => ({ reset() { throw new Error("no maze"); }, step() {}, close() {} });`;
  const failed =
    /^✗ maze@1 {2}start: .*received Error: no maze {2}\(\d+ ms\)\n {4}at Object\.reset \(\S+\/maze\.mjs:(\d+):\d+\)\n[-✓✗]/m;
  const [, line] = failed.exec((await check(thrower)).stdout) ?? [];
  expect(Number(line)).toBe(spec.split("\n").length + 1);
  const { results } = JSON.parse((await check(thrower, ["--json"])).stdout) as { results: CheckResult[] };
  expect(results.filter(({ trace }) => trace !== undefined)).toMatchObject([
    {
      check: "start",
      outcome: "failed",
      trace: expect.stringMatching(`^ {4}at Object\\.reset \\(\\S+/maze\\.mjs:${line}:`),
    },
  ]);
}, 240_000);

test("the report stays one JSON document if the environment prints, and its output goes to standard error", async () => {
  const printing = `console.log("imported"); const { create } = spec;
    spec.create = () => { process.stdout.write("created\\n"); return create(); };`;
  const { stdout, stderr } = await check(printing, ["--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ failed: 0 });
  expect(stderr).toMatch(/^imported$[\s\S]*^created$/m);
}, 240_000);

test("--episodes sets the number of tasks of each split", async () => {
  const { code, stdout } = await check("", ["--episodes", "1"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^✓ maze@1 {2}reset-schema: 1 resets /m);
});
