/**
 * The first hour of a new user: the commands and programs of the READMEs, read from the pages themselves, run in their order in
 * a fresh clone, with what they print. A step that is new to a page needs a row below: it is run as printed, with a stated
 * substitution, or not at all for a stated reason.
 *
 * Two things come from the working tree, to bound the time: the installed packages, and the engine once the gym serves.
 */
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, type TestContext, test } from "vitest";
import { Registry, versionedId } from "#palestra/envs/registry.js";
import { environmentsOf } from "#palestra/trainer/evaluation/benchmarks.js";
import type { SuiteReport } from "#palestra/trainer/evaluation/suite.js";
import { engineOfFile, temporaryFolder } from "../native/tiny-models.js";
import { missing as missingForBrowsers } from "../support/browsers.js";
import { findEngine } from "../support/docker.js";
import { lendEngine } from "../support/fresh-clone.js";
import { missingForProcesses } from "../support/processes.js";
import { root } from "../support/server-process.js";
import { writeAgentModel } from "../trainer/endpoint/agent-model.js";
import { FirstHourClone, parrot, type Started } from "./first-hour-clone.js";
import { type ReadmeStep, readmeSteps } from "./readme-steps.js";

const engine = await engineOfFile(1);
/** The order of the walk: the first page starts the gym and, last, the training whose agent is on the second. */
const pages = [
  "README.md",
  "trainer/endpoint/README.md",
  "server/README.md",
  "envs/README.md",
  "trainer/README.md",
  "sandboxes/README.md",
  "test/README.md",
];
const steps = readmeSteps(pages.map((page) => ({ page, text: readFileSync(join(root, page), "utf8") })));
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
/** Path of a Python with the package `openai`, which .ci/run installs. */
const pythonWithOpenAI = process.env.OPENAI_PYTHON ?? join(cache, "palestra/openai-3.54.0/bin/python");

const benchmarkNames = environmentsOf("agentgym-rl");

let clone: FirstHourClone;
/** The program of `npm start`, which keeps running as in the README. */
let gym: Started;
let endpointTraining: Started | undefined;
let model: Awaited<ReturnType<typeof parrot>>;

beforeAll(async () => {
  clone = await FirstHourClone.make();
  model = await parrot("Action: left");
}, 120_000);
afterAll(async () => {
  model?.close();
  await clone?.close();
}, 60_000);

interface Row {
  kind: ReadmeStep["kind"];
  matches: RegExp;
  /** Reason for a difference from the README's text other than ports. */
  substituted?: string;
  /** Reason why the step is not run. */
  skipped?: string;
  run?(text: string, context: TestContext): Promise<void>;
}

const shortTraining =
  " --clone_episodes 60 --clone_epochs 1 --total_train_steps 1 --eval_episodes 2 --hidden_size 64 --layers 1" +
  " --batch_size 2 --n_samples 2 --train_tasks babyai:GoToLocal:0-99 --eval_tasks babyai:GoToLocal:100-199";
const shorter = "a shorter run, in the gym that runs, whose port is not 8700";

const rows: Row[] = [
  { kind: "sh", matches: /^npm start$/, substituted: "another port", run: serveFromFreshClone },
  { kind: "sh", matches: /^npm test$/, skipped: "this test is part of it" },
  { kind: "sh", matches: /^npm run test:quick$/, skipped: "npm test runs the same checks and tests" },
  { kind: "sh", matches: /^npm run generate$/, skipped: "test/server/openapi.test.ts compares what it writes" },
  { kind: "curl", matches: /\/step/, run: playWithCurl },
  { kind: "python", matches: /^import requests/, run: playWithPython },
  { kind: "ts", matches: /openapi-fetch/, run: playWithTypeScript },
  {
    kind: "sh",
    matches: /^npx palestra serve$/,
    substituted: "another port and data directory, since the gym of npm start is running",
    run: serveThisMachine,
  },
  {
    kind: "sh",
    matches: /^npx palestra serve --host 0\.0\.0\.0$/,
    substituted: "another port and data directory, since the gym of npm start is running",
    run: serveOtherMachines,
  },
  {
    kind: "sh",
    matches: /^npx palestra token create --name ada$/,
    run: async (command) => expect(await clone.succeeds(command)).toMatch(/^\S{20,}\n$/),
  },
  {
    kind: "sh",
    matches: /^npx palestra token list$/,
    run: async (command) => expect(await clone.succeeds(command)).toContain("ada"),
  },
  { kind: "sh", matches: /^npx palestra token revoke ada$/, run: revokeToken },
  { kind: "sh", matches: /^npx palestra envs$/, run: listEnvironments },
  { kind: "sh", matches: /^npx palestra play /, run: playByHand },
  { kind: "sh", matches: /^npx palestra setup tasks /, substituted: "bundled tasks as one's own", run: addTasks },
  { kind: "sh", matches: /^npx palestra index build /, substituted: "two pages", run: buildIndex },
  { kind: "sh", matches: /^npx palestra setup questions /, substituted: "one question", run: addQuestions },
  { kind: "sh", matches: /^npx palestra ask /, substituted: "a small server", run: askQuestion },
  {
    kind: "sh",
    matches: /^npx palestra serve --tasks /,
    substituted: "another port and data directory, since the gym of npm start is running",
    run: serveOwnTasks,
  },
  { kind: "curl", matches: /\/v1\/rewards/, run: scoreAnswers },
  { kind: "sh", matches: /^npx palestra setup images$/, run: setUpImages },
  { kind: "sh", matches: /^npx palestra setup desktop$/, run: setUpDesktop },
  { kind: "sh", matches: /^npx palestra setup browser$/, run: setUpBrowser },
  { kind: "sh", matches: /^npx palestra check --sandbox process$/, run: checkSandboxes },
  {
    kind: "sh",
    matches: /^npx palestra check --all --json$/,
    substituted:
      "two tasks of each split, no browser and no simulator: test/envs/conformance checks what is played in them",
    run: (command) => checkEnvironments(`${withoutEngines} ${command} --episodes 2`),
  },
  {
    kind: "sh",
    matches: /^npx palestra eval --preset .*openai:/,
    substituted: "a small server, a task of each environment",
    run: evaluateBenchmark,
  },
  {
    kind: "sh",
    matches: /^npx palestra eval --preset .*--policy expert$/,
    substituted: "a task of each environment",
    run: async (command) => expectBenchmark(await clone.succeeds(`${inGym(command)} --limit 1 --json`)),
  },
  {
    kind: "sh",
    matches: /^npx palestra eval .*openai:/,
    substituted: "a small server, few tasks",
    run: evaluateServer,
  },
  { kind: "sh", matches: /^npx palestra train$/, substituted: shorter, run: trainShortly },
  { kind: "sh", matches: /^npx palestra train --preset math$/, substituted: shorter, run: trainShortly },
  { kind: "sh", matches: /^npx palestra train --help$/, run: readTrainHelp },
  { kind: "sh", matches: /^npm run train$/, substituted: shorter, run: trainShortly },
  {
    kind: "sh",
    matches: /^npx palestra train --rollout endpoint /,
    substituted: "a very small model, one train step",
    run: startEndpointTraining,
  },
  { kind: "python", matches: /\/rollouts/, run: trainAgent },
  { kind: "python", matches: /^import json/, skipped: "test/trainer/endpoint/readme.test.ts trains with it" },
  { kind: "sh", matches: /^VLLM_SERVER_DEV_MODE=1 vllm serve /, skipped: "a program that is not Palestra's" },
  {
    kind: "sh",
    matches: /^npx palestra train --preset qwen2\.5-0\.5b --policy openai:/,
    skipped: "needs vLLM and weights; test/trainer/train-policy-server.test.ts trains with a server",
  },
  { kind: "sh", matches: /^npx palestra eval .*--policy expert$/, substituted: "few tasks", run: evaluateExpert },
  {
    kind: "sh",
    matches: /^npx palestra eval .*--policy native:/,
    substituted: "few tasks",
    run: async (command) => expectEpisodes(await clone.succeeds(`${inGym(command)} --limit 2 --rounds 2`), 2),
  },
  { kind: "sh", matches: /^npx palestra export --gym /, run: exportEpisodes },
  {
    kind: "sh",
    matches: /^npx palestra export runs\/my-eval /,
    substituted: "a small evaluation, played first",
    run: exportEvaluation,
  },
  {
    kind: "sh",
    matches: /^npx palestra check <id>$/,
    substituted: "an environment for <id>",
    run: async (command) => void (await clone.succeeds(command.replace("<id>", "textcraft"))),
  },
  { kind: "sh", matches: /^npm start -- --environment-module /, substituted: "another port", run: serveOwnModule },
  { kind: "sh", matches: /^npm run -s bench -- /, skipped: "a measurement of minutes; test/bench has its tests" },
];

const rowOf = ({ kind, text }: ReadmeStep) => rows.find((row) => row.kind === kind && row.matches.test(text));
const titleOf = ({ kind, text }: ReadmeStep) => (kind === "sh" ? text : `the ${kind} block`);

test("every row is a step of a page", () => {
  const unused = rows.filter((row) => !steps.some((step) => rowOf(step) === row));
  expect(unused.map(({ matches }) => matches)).toEqual([]);
});

describe.each(pages)("%s, step by step", (page) => {
  for (const step of steps.filter((each) => each.page === page)) {
    const row = rowOf(step);
    const note = row?.substituted ? ` (with ${row.substituted})` : "";
    test(`${titleOf(step)}${note}`, { timeout: 600_000 }, async (context) => {
      // A step that timed out leaves only programs running that the reader leaves running, too.
      context.onTestFinished(() => clone.stopAllBut([gym, endpointTraining]));
      if (!row) throw new Error(`expected a row for this step of ${page}, but found none:\n${step.text}`);
      if (!row.run) return context.skip(row.skipped);
      await row.run(clone.adapt(step.text), context);
    });
  }
});

const inGym = (command: string) => `${command} --gym http://127.0.0.1:${clone.port}`;

async function serveFromFreshClone(command: string): Promise<void> {
  gym = clone.start(`${command} -- --port ${clone.port}`);
  await gym.prints(new RegExp(`http://127.0.0.1:${clone.port}`));
  const body = JSON.stringify({ environment: "textcraft", task: { index: 0 } });
  const headers = { "content-type": "application/json" };
  const created = await fetch(`http://127.0.0.1:${clone.port}/v1/episodes`, { method: "POST", headers, body });
  const isEngineBuilt = existsSync(join(clone.folder, "native/build"));
  lendEngine(clone.folder);
  expect([created.status, isEngineBuilt]).toEqual([200, false]);
}

async function playWithCurl(block: string): Promise<void> {
  const output = await clone.succeeds(block);
  for (const id of ["textcraft", "babyai", "sciworld"]) expect(output).toContain(`"id":"${id}`);
  expect(output).toContain("Got 1 acacia logs");
  expect(output).toContain("Crafted 4 minecraft:acacia_planks");
  expect(output).not.toContain('"error"');
}

async function playWithPython(program: string, context: TestContext): Promise<void> {
  const { code } = await clone.run('python3 -c "import requests"');
  if (code !== 0) context.skip("no python3 with the package requests");
  clone.write("first-hour.py", program);
  const output = await clone.succeeds("python3 first-hour.py", "inventory\n".repeat(1000));
  expect(output).toContain("Goal: craft");
  expect(output).toContain("Inventory:");
}

async function playWithTypeScript(program: string): Promise<void> {
  clone.write("first-hour.ts", program);
  const lines = (await clone.succeeds("npx tsx first-hour.ts")).trimEnd().split("\n");
  expect(lines[0]).toContain("Inventory:");
  expect(lines.at(-1)).toMatch(/oak log/);
}

async function serveThisMachine(command: string): Promise<void> {
  const local = clone.start(`${command.replace("npx palestra", "npx palestra --data-dir local")} --port 0`);
  await local.prints(/http:\/\/127\.0\.0\.1:[0-9]+/);
  const url = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(local.output())?.[0];
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  await local.stop();
}

async function revokeToken(command: string): Promise<void> {
  await clone.succeeds(command);
  expect(await clone.succeeds("npx palestra token list")).not.toContain("ada");
}

async function serveOtherMachines(command: string): Promise<void> {
  const [npx, palestra, ...rest] = command.split(" ");
  const open = clone.start([npx, palestra, "--data-dir", "served", ...rest, "--port", "0"].join(" "));
  await open.prints(/http:\/\/[0-9.]+:[0-9]+/);
  const port = /http:\/\/[0-9.]+:([0-9]+)/.exec(open.output())?.[1];
  const ask = async (secret: string) => {
    const headers = { authorization: `Bearer ${secret}` };
    return (await fetch(`http://127.0.0.1:${port}/v1/environments`, { headers })).status;
  };
  expect(await ask("nobody's")).toBe(401);
  const secret = await clone.succeeds("npx palestra --data-dir served token create --name ada");
  expect(await ask(secret.trim())).toBe(200);
  await open.stop();
}

async function serveOwnTasks(command: string): Promise<void> {
  const own = clone.start(`${command.replace("npx palestra", "npx palestra --data-dir own-tasks")} --port 0`);
  await own.prints(/^ {2}puzzles +(Tasks of puzzles\.jsonl\.|needs machines)/m);
  await own.stop();
}

async function scoreAnswers(block: string): Promise<void> {
  const { results } = JSON.parse(await clone.succeeds(block)) as { results: { reward?: number }[] };
  expect(results.map(({ reward }) => reward)).toEqual([1, 0]);
}

async function listEnvironments(command: string): Promise<void> {
  const output = await clone.succeeds(command);
  for (const id of ["textcraft", "babyai", "sciworld", "workbench"]) expect(output).toMatch(new RegExp(`^${id}`, "m"));
}

async function setUpImages(command: string, context: TestContext): Promise<void> {
  const engine = await findEngine();
  if (typeof engine !== "string") return context.skip(engine.reason);
  expect(await clone.succeeds(`DOCKER_HOST=${engine} ${command}`)).toMatch(/palestra-base:1 (is )?at unix:/);
}

async function setUpDesktop(command: string, context: TestContext): Promise<void> {
  const engine = await findEngine();
  if (typeof engine !== "string") return context.skip(engine.reason);
  expect(await clone.succeeds(`DOCKER_HOST=${engine} ${command}`)).toMatch(/palestra-desktop:1 (is )?at unix:/);
}

async function exportEpisodes(command: string): Promise<void> {
  await clone.succeeds(`${inGym("npx palestra eval --env textcraft --policy expert")} --limit 2`);
  await clone.succeeds(command);
  expect(existsSync(join(clone.folder, "steps.parquet"))).toBe(true);
}

async function exportEvaluation(command: string): Promise<void> {
  const evaluation = inGym("npx palestra eval --env textcraft --policy expert --out runs/my-eval");
  await clone.succeeds(`${evaluation} --limit 2`);
  await clone.succeeds(command);
  const file = command.split(" ").at(-1) as string;
  expect(existsSync(join(clone.folder, file))).toBe(true);
}

async function setUpBrowser(command: string, context: TestContext): Promise<void> {
  if (missingForBrowsers) return context.skip(missingForBrowsers);
  expect(await clone.succeeds(command)).toMatch(/Getting browser: .+chrom/i);
}

async function checkSandboxes(command: string, context: TestContext): Promise<void> {
  if (missingForProcesses) return context.skip(missingForProcesses);
  expect(await clone.succeeds(command)).toMatch(/^\d\d passed, 0 failed, \d+ guarantees refused$/m);
}

async function addTasks(command: string): Promise<void> {
  // A split of its own, which no later step plays.
  const elsewhere = `export XDG_DATA_HOME="$PWD/data-home"; cp -r envs/workbench/data/tasks my-tasks`;
  const output = await clone.succeeds(`${elsewhere}; ${command}; npx palestra envs`);
  expect(output).toContain("The split my-tasks has 24 of 24 tasks.");
  expect(output).toMatch(/^workbench@1[\s\S]*my-tasks 24/m);
}

const searchHome = `export XDG_DATA_HOME="$PWD/search-home"`;

async function buildIndex(command: string): Promise<void> {
  const pages = ["a", "b"].map((id) => JSON.stringify({ id, title: `Page ${id}`, text: `All about ${id}.` }));
  clone.write("my-pages.jsonl", pages.join("\n"));
  const output = await clone.succeeds(`${searchHome}; ${command}; npx palestra index search my-pages about b`);
  expect(output).toContain("my-pages: 2 pages in 2 passages");
  expect(output).toMatch(/^Page b \[b\]/m);
}

async function addQuestions(command: string): Promise<void> {
  clone.write("my-questions.jsonl", JSON.stringify({ question: "What is page b about?", answer: "b" }));
  const played = `echo "<search>page b</search>" | npx palestra play searchqa --task my-questions:0`;
  const output = await clone.succeeds(`${searchHome}; ${command}; ${played}`);
  expect(output).toContain("1 questions, split my-questions");
  expect(output).toContain("Doc 1(Title: Page b) All about b.");
}

async function readTrainHelp(command: string): Promise<void> {
  const output = await clone.succeeds(command);
  expect(output).toMatch(/^Basic settings:\n {2}--preset .*\(choices: cpu, .*; default: cpu\)$/m);
}

async function playByHand(command: string): Promise<void> {
  const asks = command.includes("sciworld");
  const output = await clone.succeeds(
    command,
    asks ? ":inventory\n:valid-actions\nlook around\n" : "inventory\nnothing\n",
  );
  expect(output).toMatch(asks ? /left after 1 steps/ : /left after 2 steps/);
  if (asks) expect(output).toContain("look around");
}

/** Environment without a browser and without an installed simulator. */
const withoutEngines = "PALESTRA_SANDBOXES_BROWSER=/none XDG_CACHE_HOME=/dev/null/none";

interface CheckReport {
  failed: number;
  results: { environment: string; check: string; outcome: "passed" | "failed" | "skipped" }[];
}

/** Expects that every environment is played, except those with a missing requirement. */
async function checkEnvironments(command: string): Promise<void> {
  const { stdout } = await clone.run(command);
  const { failed, results } = JSON.parse(stdout) as CheckReport;
  expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
  expect(failed).toBe(0);
  const having = (check: string, outcome: string) =>
    results.filter((one) => one.check === check && one.outcome === outcome).map(({ environment }) => environment);
  const all = [...new Set(results.map(({ environment }) => environment))];
  expect(all).toEqual((await Registry.load()).list().map(versionedId));
  const playable = all.filter((name) => !having("requirements", "skipped").includes(name));
  expect(playable).toEqual(expect.arrayContaining(["textcraft@1", "babyai@1", "sciworld@1"]));
  expect(having("determinism", "passed")).toEqual(playable);
}

async function evaluateServer(command: string): Promise<void> {
  clone.write("textcraft_test.json", JSON.stringify([{ item_id: "textcraft_3" }, { item_id: "textcraft_7" }]));
  const there = command
    .replace(/openai:\S+#/, `openai:${model.url}#`)
    .replace(/--agentgym \S+/, `--agentgym http://127.0.0.1:${clone.port}/agentgym/babyai`)
    .replace(/--k \d+/, "--k 2");
  const whole = there.includes("--agentgym") ? there : inGym(there);
  const before = model.asked();
  const limited = `${whole} --limit 2 --rounds 2 --out ${join(clone.folder, `report-${before}`)}`;
  expectEpisodes(await clone.succeeds(limited), there.includes("--k 2") ? 4 : 2);
  expect(model.asked() - before).toBeGreaterThanOrEqual(4);
}

async function askQuestion(command: string): Promise<void> {
  const answering = await parrot("<answer>George de Hevesy</answer><cite>element/hafnium</cite>");
  try {
    const output = await clone.succeeds(command.replace(/openai:\S+#/, `openai:${answering.url}#`));
    expect(output).toMatch(/^answer {2}George de Hevesy$/m);
  } finally {
    answering.close();
  }
}

async function evaluateBenchmark(command: string): Promise<void> {
  for (const name of benchmarkNames) {
    clone.write(`AgentEval/${name}/${name}_test.json`, JSON.stringify([{ item_id: `${name}_3` }]));
  }
  const there = inGym(command).replace(/openai:\S+#/, `openai:${model.url}#`);
  expectBenchmark(await clone.succeeds(`${there} --json`));
}

/** @param json report of a run over all environments of AgentGym-RL, with a reason for each unplayed one */
function expectBenchmark(json: string): void {
  const { rows, complete } = JSON.parse(json) as SuiteReport;
  expect([rows.map(({ environment }) => environment), complete]).toEqual([benchmarkNames, true]);
  for (const { environment, report, notPlayed } of rows) {
    if (/textcraft|babyai|sciworld/.test(environment))
      expect(report?.summary).toMatchObject({ episodes: 1, failed: 0 });
    else expect(report?.summary.episodes === 1 || notPlayed?.remedy !== undefined).toBe(true);
  }
}

async function evaluateExpert(command: string): Promise<void> {
  const output = await clone.succeeds(`${inGym(command)} --limit 5 --json`);
  expect(JSON.parse(output)).toMatchObject({ summary: { episodes: 5 }, complete: true });
}

/** @param text report on the terminal */
function expectEpisodes(text: string, count: number): void {
  expect(text).toMatch(new RegExp(`^episodes +${count} of ${count} planned$`, "m"));
}

/** Trains into runs/default, which the pages' `native:` policy names. */
async function trainShortly(command: string): Promise<void> {
  const flags = `${shortTraining} --gym http://127.0.0.1:${clone.port} --output runs/default`;
  await clone.succeeds("rm -rf runs/default");
  const { code, stdout, stderr } = await clone.run(`${command}${command.startsWith("npm run") ? " --" : ""}${flags}`);
  expect([code, stderr]).toEqual([0, expect.stringContaining("after 1 train steps (done)")]);
  expect(stdout + stderr).not.toContain("RIGHT_MISSING");
  expect(existsSync(join(clone.folder, "runs/default/final/config.json"))).toBe(true);
}

async function startEndpointTraining(command: string): Promise<void> {
  const texts = ["What is", " 7 + 5", " 9 + 4", " 8 + 6", "12", "13", "14", "?"];
  const folder = await writeAgentModel(engine, temporaryFolder(), { texts, context: 256 });
  const tiny = " --total_train_steps 1 --batch_size 1 --context_length 128 --max_new_tokens 8 --max_tokens_per_mb 1024";
  const port = ` --endpoint_port ${clone.endpointPort} --output runs/agent --ppo_n_minibatches 1 --dtype f32`;
  endpointTraining = clone.start(command.replace(/--model \S+/, `--model ${folder}`) + tiny + port);
  await endpointTraining.prints(new RegExp(`http://127.0.0.1:${clone.endpointPort}`));
}

async function trainAgent(program: string, context: TestContext): Promise<void> {
  if (!existsSync(pythonWithOpenAI)) {
    await endpointTraining?.stop();
    context.skip(`no Python with OpenAI's SDK at ${pythonWithOpenAI}, and no OPENAI_PYTHON`);
  }
  clone.write("agent.py", program);
  const agent = clone.start(`${pythonWithOpenAI} agent.py`);
  // It plays until the endpoint closes, which is the end of training.
  const played = await agent.ended;
  expect([played.code, played.stderr]).toEqual([0, ""]);
  const training = await endpointTraining?.ended;
  expect([training?.code, training?.stderr]).toEqual([0, expect.stringContaining("after 1 train steps (done)")]);
}

async function serveOwnModule(command: string): Promise<void> {
  await clone.succeeds("cp test/fixtures/environments/plain.mjs maze.js");
  const own = clone.start(`${command} --data-dir own --port 0`);
  await own.prints(/http:\/\/127\.0\.0\.1:[0-9]+/);
  const url = /http:\/\/127\.0\.0\.1:[0-9]+/.exec(own.output())?.[0];
  expect(await (await fetch(`${url}/v1/environments`)).text()).toContain('"id":"plain');
  await own.stop();
}
