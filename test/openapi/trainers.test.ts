/**
 * The files for trainers in openapi/clients/, in the trainers' own packages. The drivers in test/openapi/trainers/ call each
 * package as its trainer does. The model is a server that replies with the expert's actions, in the form that the prompt
 * asks for.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, type TestContext, test } from "vitest";
import { type Replier, serveChat } from "../support/chat-server.js";
import { buildWheel, environments, gymnasiumVenv, runProgram } from "../support/python.js";
import { root, scratchDir } from "../support/server-process.js";
import { serve } from "../support/serving.js";

const clients = join(root, "openapi/clients");

interface Trainer {
  driver: string;
  /** Virtual environment with the trainer's package, and the variable that names another. */
  environment: string;
  variable: string;
  /** Output of the driver for a task that the gym failed. */
  failed: RegExp;
  /** Number of outcomes beyond one for each task. */
  more?: number;
}

const trainers: Trainer[] = [
  {
    driver: "skyrl_driver.py",
    environment: "skyrl-gym-0.4.0",
    variable: "SKYRL_VENV",
    failed: /^Gym(Infrastructure|Connection)Error$/,
  },
  {
    driver: "areal_driver.py",
    environment: "openai-3.54.0",
    variable: "OPENAI_VENV",
    failed: /^Gym(Infrastructure|Connection)Error$/,
    more: 1,
  },
  {
    driver: "agent_lightning_driver.py",
    environment: "agentlightning-1.0.2",
    variable: "AGENT_LIGHTNING_VENV",
    failed: /^failed with 0 calls and 0 rewards$/,
  },
  {
    driver: "inspect_driver.py",
    environment: "inspect-ai-0.3.285",
    variable: "INSPECT_VENV",
    failed: /^unscored: (The machine failed|expected a gym at)/,
  },
];

const folder = scratchDir();
const packages = join(folder.path, "packages");
afterAll(folder.remove);

beforeAll(async () => {
  const python = join(gymnasiumVenv, "bin/python");
  if (!existsSync(python)) return;
  const wheel = await buildWheel(folder.path);
  const offline = ["--no-index", "--find-links", join(gymnasiumVenv, "wheels")];
  await runProgram(python, ["-m", "pip", "install", "-q", ...offline, "-t", packages, wheel], { cwd: folder.path });
}, 300_000);

describe.each(trainers)("$driver", (trainer) => {
  test("plays ten tasks at once, solves all, and closes the episodes", async (context) => {
    skipWithout(trainer, context);
    const gym = await serve({ env: { PALESTRA_LOCAL_EXPERT: "true" } });
    const tasks = tasksOf("textcraft", "adapt", 10);
    const plans = new Map(await Promise.all(tasks.map((task) => planOf(gym.url, task))));
    const before = (await phases(gym.url)).length;
    const outcomes = await drive(trainer, gym.url, tasks, (observation, turn) => {
      const action = plans.get(observation)?.[turn];
      if (action === undefined) throw new Error(`expected an observation of the plans, but received ${observation}`);
      return `Thought:\nThe expert says so.\n\nAction:\n${action}`;
    });
    expect(outcomes).toEqual(Array.from({ length: 10 + (trainer.more ?? 0) }, () => 1));
    const played = (await phases(gym.url)).slice(0, -before);
    expect(played).toEqual(Array.from({ length: outcomes.length }, () => "closed"));
  }, 300_000);

  test("gives no reward to an episode that the gym fails", async (context) => {
    skipWithout(trainer, context);
    const gym = await serve({ environmentModules: [join(root, "test/fixtures/environments/faulty.mjs")] });
    const outcomes = await drive(trainer, gym.url, tasksOf("faulty", "play", 2), (_, turn) =>
      turn === 0 ? "hello" : "no room",
    );
    expect(outcomes).toEqual(outcomes.map(() => expect.stringMatching(trainer.failed)));
    expect(await phases(gym.url)).not.toContain("running");
  }, 300_000);

  test("gives no reward to an episode of a gym that is gone", async (context) => {
    skipWithout(trainer, context);
    const gym = await serve();
    await gym.process.kill();
    const outcomes = await drive(trainer, gym.url, tasksOf("textcraft", "test", 2), () => "inventory");
    expect(outcomes).toEqual(outcomes.map(() => expect.stringMatching(trainer.failed)));
  }, 300_000);
});

interface Task {
  environment: string;
  split: string;
  index: number;
}

function tasksOf(environment: string, split: string, count: number): Task[] {
  return Array.from({ length: count }, (_, index) => ({ environment, split, index }));
}

/** Runs a driver, and returns the outcomes that it prints. */
async function drive(trainer: Trainer, url: string, tasks: Task[], reply: Replier): Promise<unknown[]> {
  const given = {
    PALESTRA_URL: url,
    MODEL_URL: await serveChat(reply),
    TASKS: JSON.stringify(tasks),
    CLIENTS: clients,
  };
  const env = { ...given, PYTHONPATH: `${packages}:${clients}` };
  const driver = join(root, "test/openapi/trainers", trainer.driver);
  const output = await runProgram(pythonOf(trainer), [driver], { cwd: folder.path, env });
  const outcomes = JSON.parse(output.trim().split("\n").at(-1) as string) as unknown[];
  expect(outcomes).toHaveLength(tasks.length + (trainer.more ?? 0));
  return outcomes;
}

/** Returns the first observation of a task, and the expert's actions. */
async function planOf(url: string, { environment, ...task }: Task): Promise<[string, string[]]> {
  const { episodeId, observation } = await call(`${url}/v1/episodes`, { environment, task });
  const actions: string[] = [];
  for (;;) {
    const { action } = await call(`${url}/v1/episodes/${episodeId}/expert`);
    const { terminated } = await call(`${url}/v1/episodes/${episodeId}/step`, { index: actions.length, action });
    actions.push(action);
    if (terminated) return [observation, actions];
  }
}

/** Returns the phases of the episodes of a gym, newest first. */
async function phases(url: string): Promise<string[]> {
  const { episodes } = await call(`${url}/v1/episodes?detail=state`);
  return episodes.map(({ state }: { state: { phase: string } }) => state.phase);
}

async function call(url: string, body?: object) {
  const post = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const reply = await fetch(url, body && post);
  if (!reply.ok) throw new Error(`${reply.status} of ${url}: ${await reply.text()}`);
  return JSON.parse(await reply.text());
}

function pythonOf({ environment, variable }: Trainer): string {
  return join(process.env[variable] ?? join(environments, environment), "bin/python");
}

function skipWithout(trainer: Trainer, context: TestContext): void {
  if (!existsSync(packages)) context.skip(`no Python that builds wheels at ${gymnasiumVenv}, and no GYMNASIUM_VENV`);
  if (!existsSync(pythonOf(trainer))) context.skip(`no ${pythonOf(trainer)}, and no ${trainer.variable}`);
}
