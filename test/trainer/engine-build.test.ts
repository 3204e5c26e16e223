/** The first command that needs the engine builds it. The test runs in a clone of the repository, with a fake CMake. */
import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { expect, onTestFinished, test, vi } from "vitest";
import { root } from "../support/server-process.js";
import { scratch } from "../support/serving.js";
import { eventually } from "../support/watching.js";

/** A fake CMake. It records its calls in calls.log, and "builds" an addon that Node cannot load. */
const cmake = `#!${process.execPath}
import { appendFileSync, mkdirSync, writeFileSync } from "node:fs";
const log = (text) => appendFileSync(process.env.CALLS, text + " " + process.pid + "\\n");
const into = process.argv[process.argv.indexOf("--build") + 1];
if (process.argv.includes("--version")) process.exit(0);
if (!process.argv.includes("--build")) process.exit(0);
// A machine with nvcc builds kernels after the engine.
if (process.argv.includes("cuda-kernels")) {
  mkdirSync(into + "/kernels", { recursive: true });
  process.exit(0);
}
log("begin");
let done = 0;
const total = Number(process.env.TARGETS);
const next = () => {
  if (done === total) {
    writeFileSync(into + "/palestra.node", "not an addon");
    log("end");
    process.exit(0);
  }
  done += 1;
  console.log("[" + done + "/" + total + "] Building CXX object");
  setTimeout(next, 100);
};
next();
`;

interface Clone {
  folder: string;
  /** Returns the recorded calls: `begin` and `end` of each build, with the pid. */
  calls(): string[];
  /** Runs a Node program in the clone. */
  run(args: string[], targets?: number): Running;
}

interface Running {
  stderr(): string;
  kill(): void;
  ended: Promise<{ code: number | null; stderr: string }>;
}

function cloneWithoutEngine(): Clone {
  const folder = scratch();
  const isSource = (path: string) => !/\/native\/build(\/|$)/.test(path);
  for (const name of [".config", "native", "dist", "package.json", "package-lock.json"]) {
    cpSync(join(root, name), join(folder, name), { recursive: true, filter: isSource });
  }
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const bin = join(folder, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "cmake"), cmake);
  chmodSync(join(bin, "cmake"), 0o755);
  const log = join(folder, "calls.log");
  writeFileSync(log, "");
  return {
    folder,
    calls: () => readFileSync(log, "utf8").split("\n").filter(Boolean),
    run(args, targets = 3) {
      const env = { ...process.env, CALLS: log, TARGETS: `${targets}`, PATH: `${bin}:${process.env.PATH}` };
      const child = spawn(process.execPath, args, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
      onTestFinished(() => void child.kill("SIGKILL"));
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => {
        stderr += text;
      });
      const ended = new Promise<{ code: number | null; stderr: string }>((resolve) =>
        child.once("close", (code) => resolve({ code, stderr })),
      );
      return { stderr: () => stderr, kill: () => void child.kill("SIGTERM"), ended };
    },
  };
}

// Each test starts several Node programs.
vi.setConfig({ testTimeout: 180_000 });

const endpoint = ["dist/server/program/cli.js", "endpoint", "--model", "nowhere", "--port", "0"];
/** Options that make Node write the lines of a terminal to a pipe. */
const asTerminal = ["--import", "data:text/javascript,process.stderr.isTTY = true"];

test("a command that needs the engine builds it once and silently reuses it, and builds changed sources again", async () => {
  const clone = cloneWithoutEngine();
  const first = await clone.run(endpoint).ended;
  expect(first.stderr).toMatch(/^Building the engine.* \.\.\.$/m);
  expect(clone.calls().map((line) => line.split(" ")[0])).toEqual(["begin", "end"]);
  expect(existsSync(join(clone.folder, "native/build/palestra.node"))).toBe(true);
  // The fake addon cannot be loaded. The attempt to load it is enough.
  expect(first.stderr).toContain("palestra.node to load");
  const second = await clone.run(endpoint).ended;
  expect(second.stderr).not.toContain("Building");
  expect(clone.calls()).toHaveLength(2);
  // A changed source is built again.
  writeFileSync(join(clone.folder, "native/core/new.cc"), "// new\n");
  await clone.run(endpoint).ended;
  expect(clone.calls()).toHaveLength(4);
});

test("two concurrent commands build one after the other", async () => {
  const clone = cloneWithoutEngine();
  await Promise.all([clone.run(endpoint, 10).ended, clone.run(endpoint, 10).ended]);
  const order = clone.calls().map((line) => line.split(" ")[0]);
  // A real CMake would find nothing to do in the second build, but the fake one always builds.
  expect(order).toEqual(["begin", "end", "begin", "end"].slice(0, order.length));
  expect(order.length).toBeGreaterThanOrEqual(2);
});

test("a terminal shows the progress of the build in one line", async () => {
  const clone = cloneWithoutEngine();
  const { stderr } = await clone.run([...asTerminal, ".config/build-native.mjs"]).ended;
  const lines = stderr.replaceAll("\r\u001b[K", "\n");
  expect(lines).toMatch(/^Building the engine.* \.\.\. 2 of 3, \d+\.\d s/m);
});

test("a command that is stopped during the build ends the build, with exit status 130", async () => {
  const clone = cloneWithoutEngine();
  const running = clone.run(endpoint, 10_000);
  while (clone.calls().length === 0) await pause(50);
  const [begun] = clone.calls();
  running.kill();
  const { code, stderr } = await running.ended;
  expect([code, stderr]).toEqual([130, expect.stringContaining("the build of the engine was stopped")]);
  const pid = begun?.split(" ")[1];
  const isThere = () => existsSync(`/proc/${pid}`);
  expect(await eventually(isThere, (is) => !is)).toBe(false);
});

test("`serve` and an evaluation of the expert build no engine", async () => {
  const clone = cloneWithoutEngine();
  const server = clone.run(["dist/server/program/cli.js", "serve", "--port", "0"]);
  const evaluation = await clone.run([
    ...["dist/server/program/cli.js", "eval", "--env", "textcraft", "--policy", "random"],
    ...["--limit", "1", "--rounds", "1", "--gym", "spawn"],
  ]).ended;
  server.kill();
  await server.ended;
  expect(evaluation.code).toBe(0);
  expect(clone.calls()).toEqual([]);
});
