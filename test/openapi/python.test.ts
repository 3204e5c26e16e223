/**
 * The Python package: its wheel is built and installed, and plays in running gyms. The tests in test/openapi/python/ run
 * in Python.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, onTestFinished, type TestContext, test } from "vitest";
import { TokenStore } from "#palestra/server/tokens/token-file.js";
import { Fleet } from "../support/fleet.js";
import { postgresFolder } from "../support/postgres.js";
import { buildWheel, gymnasiumVenv, runProgram } from "../support/python.js";
import { type RunningServer, root, scratchDir, startGym } from "../support/server-process.js";
import { scratch, serve } from "../support/serving.js";

const python = join(gymnasiumVenv, "bin/python");
const programs = join(root, "test/openapi/python");
const fixtures = ["plain", "faulty", "odd-tools"].map((name) => join(root, `test/fixtures/environments/${name}.mjs`));

const folder = scratchDir();
const wheel = { path: "", installed: join(folder.path, "installed") };
afterAll(folder.remove);

beforeAll(async () => {
  if (!existsSync(python)) return;
  wheel.path = await buildWheel(folder.path);
  await run(python, ["-m", "pip", "install", "-q", "--no-index", "--no-deps", "-t", wheel.installed, wheel.path]);
}, 300_000);

test("the wheel installs into an empty environment, and the README's example plays there", async (context) => {
  skipWithoutPython(context);
  const empty = join(folder.path, "empty");
  await run(python, ["-m", "venv", empty]);
  const own = join(empty, "bin/python");
  await run(own, [
    "-m",
    "pip",
    "install",
    "-q",
    "--no-index",
    "--find-links",
    join(gymnasiumVenv, "wheels"),
    wheel.path,
  ]);
  const readme = readFileSync(join(root, "openapi/python/README.md"), "utf8");
  const [, example = ""] = /```python\n([\s\S]+?)```/.exec(readme) ?? [];
  const { url } = await serve();
  const printed = await run(own, ["-c", example.replace("http://127.0.0.1:8700", url)]);
  expect(printed).toContain("Goal: craft blackstone stairs.");
  expect(printed.trimEnd().split("\n").at(-1)).toBe("Crafted 4 minecraft:blackstone_stairs 1");
  expect(await run(own, ["-c", "import palestra.trl"])).toBe("");
  await expect(run(own, ["-c", "import palestra.gymnasium"])).rejects.toThrow("No module named 'gymnasium'");
}, 300_000);

test("the client plays, refuses wrong input, and keeps within limits", async (context) => {
  skipWithoutPython(context);
  const { url } = await serve({ environmentModules: fixtures, showErrors: false });
  const small = await serve({ env: { PALESTRA_LIMITS_MAX_EPISODES: "2" } });
  const dataDir = scratch();
  const token = new TokenStore(dataDir).create({ name: "ada", rights: [], maxEpisodes: 4 }).secret;
  const locked = await serve({ dataDir, env: { PALESTRA_AUTH: "required" } });
  const limits = { PALESTRA_SMALL_URL: small.url, PALESTRA_LOCKED_URL: locked.url, PALESTRA_TOKEN: token };
  await runTests("test_client", { PALESTRA_URL: url, ...limits });
}, 300_000);

test("a lost, late or cancelled step is taken once", async (context) => {
  skipWithoutPython(context);
  const { url } = await serve();
  await runTests("test_losses", { PALESTRA_URL: url });
}, 300_000);

test("the environments of Gymnasium pass its checks and equal its vector environment", async (context) => {
  skipWithoutPython(context);
  const { url } = await serve({ environmentModules: fixtures, showErrors: false });
  await runTests("test_gymnasium", { PALESTRA_URL: url });
}, 300_000);

test("the classes for TRL have the tools of their environments", async (context) => {
  skipWithoutPython(context);
  const { url } = await serve({ environmentModules: fixtures, showErrors: false });
  await runTests("test_trl", { PALESTRA_URL: url });
}, 300_000);

test("a gym that is killed or stopped while Python plays takes every step once", async (context) => {
  skipWithoutPython(context);
  const dataDir = scratch();
  let gym: RunningServer = await startGym({ dataDir });
  onTestFinished(async () => {
    await gym.process.kill();
  });
  const port = Number(new URL(gym.url).port);
  const player = spawn(python, [join(programs, "survive.py")], { env: envOf({ PALESTRA_URL: gym.url }) });
  let errors = "";
  player.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  onTestFinished(() => void player.kill());
  const lines: string[] = [];
  for await (const line of createInterface({ input: player.stdout })) {
    lines.push(line);
    if (!line.startsWith("progress")) continue;
    // In every second round, the gym gets time to reply to the steps in flight.
    const exit = lines.length % 2 === 0 ? await gym.process.stop() : await gym.process.kill();
    expect(exit).toEqual(lines.length % 2 === 0 ? { code: 0, signal: null } : { code: null, signal: "SIGKILL" });
    gym = await startGym({ dataDir, port });
  }
  expect({ lines, errors }).toEqual({ lines: [...lines.slice(0, 5), "survived"], errors: "" });
}, 300_000);

test("one gym of a fleet takes every step once while the other gyms are killed", async (context) => {
  skipWithoutPython(context);
  if (postgresFolder === null) context.skip("no PostgreSQL");
  const fleet = await Fleet.start(3);
  const player = spawn(python, [join(programs, "survive.py")], { env: envOf({ PALESTRA_URL: fleet.nodes[0]?.url }) });
  let errors = "";
  player.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  onTestFinished(() => void player.kill());
  const lines: string[] = [];
  for await (const line of createInterface({ input: player.stdout })) {
    if (lines.push(line) <= 2) await fleet.replace(lines.length);
  }
  expect({ lines, errors }).toEqual({ lines: [...lines.slice(0, 5), "survived"], errors: "" });
}, 300_000);

function skipWithoutPython(context: TestContext): void {
  if (!existsSync(python)) context.skip(`no Python with Gymnasium at ${python}, and no GYMNASIUM_VENV`);
}

async function runTests(name: string, env: NodeJS.ProcessEnv): Promise<void> {
  const options = ["-W", "error::ResourceWarning", "-m", "unittest", "-q", name];
  await run(python, options, env);
}

function run(program: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  return runProgram(program, args, { cwd: programs, env: envOf(env) });
}

/** The environment of a process that finds the installed wheel, and writes nothing into the working tree. */
function envOf(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const isProgram = "PALESTRA_URL" in env;
  const path = isProgram ? { PYTHONPATH: wheel.installed } : {};
  return { ...process.env, PYTHONDONTWRITEBYTECODE: "1", ...path, ...env };
}
