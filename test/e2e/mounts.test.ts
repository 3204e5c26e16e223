/** Environments that run elsewhere, mounted in one gym: a second Palestra, a server that fails, and Python packages. */

import type { ChildProcess } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort } from "../support/free-port.js";
import { GymSocket } from "../support/gym-socket.js";
import { compareTraces } from "../support/mounted-traces.js";
import { palestra } from "../support/palestra.js";
import { type RunningServer, root, scratchDir, startGym } from "../support/server-process.js";
import { script } from "../support/textcraft-scripts.js";
import { eventually } from "../support/watching.js";
import { FaultyRemote, faults, frameFaults } from "./faulty-remote.js";
import { gymnasiumPython, hasGymnasium, hasOpenenv, listens, openenvPython, serveGuesses } from "./python-remotes.js";

interface Opened {
  episodeId: string;
  observation: string;
  tools: { name: string }[];
}

interface Stepped {
  observation: string;
  reward: number;
  terminated: boolean;
}

interface Listed {
  id: string;
  version: number;
  summary: string;
  restore: string;
  splits: Record<string, object>;
  requirements: { available: boolean; detail: string }[];
}

const folder = scratchDir();
let source: RunningServer;
let gym: RunningServer;
let remote: FaultyRemote;
let guessing: ChildProcess | undefined;
let guessPort: number;
let latePort: number;
let mounts: string[];

beforeAll(async () => {
  [guessPort, latePort] = (await Promise.all([freePort(), freePort()])) as [number, number];
  if (hasOpenenv) guessing = serveGuesses(guessPort);
  remote = await FaultyRemote.start();
  source = await startGym({ dataDir: join(folder.path, "source"), showErrors: true });
  if (hasOpenenv) await listens(guessPort);
  const faulty = `ada:sesame@127.0.0.1:${remote.port}/t/sesame-token`;
  mounts = [
    `craft=${source.url}/agentgym/textcraft#steps=1000`,
    `craft-again=agentgym/textcraft:${source.url}/agentgym/textcraft#replay`,
    `craft-openenv=openenv:${source.url}/openenv/textcraft`,
    `faulty=agentgym/textcraft:http://127.0.0.1:${remote.port}#timeout=1`,
    `faulty-openenv=openenv:http://127.0.0.1:${remote.port}#timeout=1`,
    `secret=agentgym/textcraft:http://${faulty}`,
    `late=openenv:http://ada:sesame@127.0.0.1:${latePort}#rewards=0..1&solved=1`,
    `frozen=gymnasium:FrozenLake-v1#python=${gymnasiumPython}&timeout=30`,
    `broken=gymnasium:mounted_server:Faulty-v0#python=${gymnasiumPython}&timeout=3&rewards=0..1`,
    ...(hasOpenenv ? [`guess=openenv:http://127.0.0.1:${guessPort}#rewards=0..1&solved=1`] : []),
  ];
  gym = await start();
});

afterAll(async () => {
  guessing?.kill("SIGKILL");
  await Promise.all([gym?.process.kill(), source?.process.kill(), remote?.stop()]);
  folder.remove();
});

function start(): Promise<RunningServer> {
  const env = { PALESTRA_MOUNTS: JSON.stringify(mounts), PYTHONPATH: join(root, "test/e2e") };
  return startGym({ dataDir: join(folder.path, "gym"), env });
}

/** Calls the gym over HTTP. If a reply has several lines, only the last counts. */
async function call<T>(path: string, body?: object): Promise<T> {
  const sent = body && { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const text = await (await fetch(`${gym.url}${path}`, sent)).text();
  return JSON.parse(text.trim().split("\n").at(-1) as string) as T;
}

async function listed(id: string): Promise<Listed> {
  const { environments } = await call<{ environments: Listed[] }>("/v1/environments");
  return environments.find((each) => each.id === id) as Listed;
}

async function withSocket<T>(use: (socket: GymSocket) => Promise<T>): Promise<T> {
  const socket = await GymSocket.connect(gym.url);
  try {
    return await use(socket);
  } finally {
    socket.terminate();
  }
}

/** @param task default: the first task of the environment */
async function open(socket: GymSocket, environment: string, task?: object): Promise<Opened> {
  const [split] = Object.keys((await listed(environment)).splits);
  return socket.request<Opened>("create", { environment, task: task ?? { split, index: 0 } });
}
const step = (socket: GymSocket, episodeId: string, index: number, action: string) =>
  socket.request<Stepped>("step", { episodeId, index, action });

describe("a second Palestra", () => {
  test("plays 20 recorded episodes of TextCraft behind AgentGym's protocol with equal replies", async () => {
    const { episodes, differences } = await compareTraces(gym.url, "craft", 20);
    expect({ episodes, differences }).toEqual({ episodes: 20, differences: [] });
  });

  test("plays an episode behind OpenEnv's protocol with the replies of /v1", async () => {
    const { task, actions } = script(7, 20);
    const own = await GymSocket.connect(source.url);
    const first = await own.request<Opened>("create", { environment: "textcraft", task, seed: 0 });
    await withSocket(async (socket) => {
      const second = await open(socket, "craft-openenv", task);
      expect(second.observation).toBe(first.observation);
      for (const [index, action] of actions.entries()) {
        const { observation, reward } = await step(socket, second.episodeId, index, action);
        const same = await own.request<Stepped>("step", { episodeId: first.episodeId, index, action });
        expect([observation, reward]).toEqual([same.observation, same.reward]);
      }
    });
    own.terminate();
  });

  test("a repeated step returns the stored reply, and a step out of order is refused", async () => {
    await withSocket(async (socket) => {
      const { episodeId } = await open(socket, "craft");
      const reply = await step(socket, episodeId, 0, "get 1 dirt");
      expect(await step(socket, episodeId, 0, "get 1 dirt")).toEqual(reply);
      await expect(step(socket, episodeId, 2, "inventory")).rejects.toMatchObject({ code: "STEP_INDEX" });
      expect((await step(socket, episodeId, 1, "inventory")).observation).toMatch(/dirt\] \(1\)/);
    });
  });

  test("forks and verifications are refused without `replay`, and work with it", async () => {
    const outcomes: unknown[] = [];
    for (const environment of ["craft", "craft-again"]) {
      const episodeId = await withSocket(async (socket) => {
        const { episodeId } = await open(socket, environment, { split: "agentgym", index: 0 });
        await step(socket, episodeId, 0, "get 1 acacia logs");
        return episodeId;
      });
      outcomes.push(
        await call(`/v1/episodes/${episodeId}/fork`, {}),
        await call(`/v1/episodes/${episodeId}/replay`, {}),
      );
    }
    const lost = { error: { code: "EPISODE_LOST", class: "infrastructure" } };
    expect(outcomes[0]).toMatchObject(lost);
    expect(outcomes[1]).toMatchObject(lost);
    expect(outcomes[2]).toMatchObject({ index: 1, observation: "Got 1 acacia logs" });
    expect(outcomes[3]).toEqual({ steps: 1, proved: true });
  });
});

describe("a server that fails", () => {
  test.each(faults)("AgentGym: %s", async (fault) => {
    await expectLost("faulty", fault, fault === "large reward" ? "environment" : "infrastructure");
  });

  test.each(frameFaults)("OpenEnv: %s", async (fault) => {
    await expectLost("faulty-openenv", fault, "infrastructure");
  });

  /** Plays a good step, then one that fails. The failed step is not in the log. */
  async function expectLost(environment: string, fault: string, failureClass: string): Promise<void> {
    await withSocket(async (socket) => {
      const { episodeId } = await open(socket, environment);
      expect(await step(socket, episodeId, 0, "fine")).toMatchObject({ observation: "seen", reward: 0.5 });
      // The frame too many arrives after the reply, so that the next step fails.
      const failing =
        fault === "twice"
          ? step(socket, episodeId, 1, fault).then(() => step(socket, episodeId, 2, "fine"))
          : step(socket, episodeId, 1, fault);
      const error = (await failing.catch((reason: Error) => reason)) as Error & { failureClass: string };
      expect(error).toMatchObject({ failureClass });
      expect(error.message).not.toMatch(/sesame-token/);
      const episode = await call<object>(`/v1/episodes/${episodeId}`);
      expect(episode).toMatchObject({ phase: "failed", index: fault === "twice" ? 2 : 1 });
    });
  }

  test("gets each step once", async () => {
    const before = remote.steps;
    await withSocket(async (socket) => {
      const { episodeId } = await open(socket, "faulty");
      await step(socket, episodeId, 0, "hang up").catch(() => {});
    });
    expect(remote.steps - before).toBe(1);
  });

  test("gets the credentials of its URL, and no reply or log shows them", async () => {
    const { error } = await call<{ error: { code: string; message: string } }>("/v1/episodes", {
      environment: "secret",
      task: { split: "agentgym", index: 0 },
    });
    expect(error.code).toBe("ENVIRONMENT_UNAVAILABLE");
    const texts = [error.message, JSON.stringify(await call("/v1/environments")), gym.process.stderr];
    for (const text of texts) expect(text).not.toMatch(/sesame/);
  });
});

test("a server that is down makes its environment unavailable until it is back", async () => {
  expect((await listed("late")).requirements).toEqual([
    expect.objectContaining({ available: false, howToGet: `Start the OpenEnv server at http://127.0.0.1:${latePort}` }),
  ]);
  const refused = await call<{ error: object }>("/v1/episodes", {
    environment: "late",
    task: { split: "seeds", index: 0 },
  });
  expect(refused.error).toMatchObject({ code: "ENVIRONMENT_UNAVAILABLE" });
  const late = await FaultyRemote.start(latePort);
  try {
    const { requirements, summary } = await eventually(
      () => listed("late"),
      ({ requirements: [requirement] }) => requirement?.available === true,
      30_000,
    );
    expect(requirements).toEqual([expect.objectContaining({ detail: `http://127.0.0.1:${latePort}` })]);
    expect(summary).toBe("faulty, served by OpenEnv's protocol.");
    await withSocket(async (socket) => {
      const { episodeId } = await open(socket, "late");
      expect(await step(socket, episodeId, 0, "fine")).toMatchObject({ observation: "seen", reward: 0.5 });
    });
  } finally {
    await late.stop();
  }
});

describe.skipIf(!hasGymnasium)(`Gymnasium (skipped without a Python at ${gymnasiumPython})`, () => {
  test("plays FrozenLake by names and numbers, and reports a wrong action", async () => {
    expect(await listed("frozen")).toMatchObject({ summary: "FrozenLake-v1 of Gymnasium 1.4.0.", restore: "none" });
    await withSocket(async (socket) => {
      const { episodeId, observation, tools } = await open(socket, "frozen", { split: "seeds", index: 4 });
      expect(observation).toMatch(/^\[S\]FFF\nFHFH\nFFFH\nHFFG\n\nObservation: 0$/);
      expect(tools).toMatchObject([{ name: "act" }]);
      expect((await step(socket, episodeId, 0, "fly")).observation).toBe(
        "Error: expected one of left, down, right, up.",
      );
      expect((await step(socket, episodeId, 1, " Right ")).observation).toMatch(/Observation: \d+$/);
      expect((await step(socket, episodeId, 2, "1")).observation).toMatch(/Observation: \d+$/);
    });
  });

  test.each([
    ["die", "infrastructure", /its end \(3\)/],
    ["hang", "infrastructure", /no (answer|reply) within 3000 ms/],
    ["throw", "environment", /RuntimeError: a bug/],
    ["nan", "environment", /expected a finite reward, but received nan/],
  ])("an environment that fails (%s) fails only its episode", async (fault, failureClass, message) => {
    await withSocket(async (socket) => {
      const [bystander, failing] = await Promise.all([open(socket, "broken"), open(socket, "broken")]);
      const failure = step(socket, failing.episodeId, 0, fault);
      await expect(failure).rejects.toMatchObject({ failureClass });
      await expect(failure).rejects.toThrow(message);
      expect(await step(socket, bystander.episodeId, 0, "fine")).toMatchObject({ observation: "fine", reward: 0.5 });
      expect(await step(socket, bystander.episodeId, 1, "cut")).toMatchObject({ terminated: true, truncated: false });
    });
  });
});

describe.skipIf(!hasOpenenv)(`OpenEnv's own server (skipped without a Python at ${openenvPython})`, () => {
  test("plays an episode, and reports a bug of the environment and the death of the server", async () => {
    await withSocket(async (socket) => {
      const task = { split: "seeds", index: 13 };
      const won = await open(socket, "guess", task);
      expect(await step(socket, won.episodeId, 0, "7")).toMatchObject({ observation: "Wrong.", reward: 0 });
      expect(await step(socket, won.episodeId, 1, "3")).toMatchObject({ reward: 1, terminated: true });
      const failed = await open(socket, "guess");
      await expect(step(socket, failed.episodeId, 0, "fail")).rejects.toMatchObject({ failureClass: "environment" });
      const [killer, victim] = await Promise.all([open(socket, "guess"), open(socket, "guess")]);
      const infrastructure = { failureClass: "infrastructure" };
      await expect(step(socket, killer.episodeId, 0, "die")).rejects.toMatchObject(infrastructure);
      await expect(step(socket, victim.episodeId, 0, "1")).rejects.toMatchObject(infrastructure);
    });
    guessing = serveGuesses(guessPort);
    await listens(guessPort);
  });

  test.skipIf(!hasGymnasium)(
    "is played by `palestra eval` beside a Gymnasium environment",
    async () => {
      // The random policy plays the actions that the prompt lists on separate lines.
      const prompt = join(folder.path, "guess.txt");
      writeFileSync(prompt, Array.from({ length: 10 }, (_, number) => `- ${number}`).join("\n"));
      const [guess, frozen] = ["guess", "frozen"].map((name) => mounts.find((mount) => mount.startsWith(`${name}=`)));
      const chosen = ["--mount", `${guess}&prompt=${prompt}`, "--mount", frozen as string];
      const out = join(folder.path, "eval");
      const policy = ["--policy", "random", "--limit", "4", "--rounds", "6", "--out", out, "--json"];
      const { code, stdout, stderr } = await palestra(["eval", "--env", "guess,frozen", ...chosen, ...policy]);
      expect(code, stderr).toBe(0);
      const { rows } = JSON.parse(stdout) as { rows: { environment: string; report: { summary: object } }[] };
      expect(rows.map(({ environment }) => environment)).toEqual(["guess", "frozen"]);
      for (const { report } of rows) expect(report.summary).toMatchObject({ episodes: 4 });
    },
    120_000,
  );
});

test("after a kill -9 of the gym, an episode continues if its mount declares replay, and otherwise fails with a typed error", async () => {
  const ids = await withSocket(async (socket) => {
    const opened = [await open(socket, "craft-again"), await open(socket, "craft")];
    for (const { episodeId } of opened) await step(socket, episodeId, 0, "get 1 dirt");
    return opened.map(({ episodeId }) => episodeId);
  });
  await gym.process.kill();
  gym = await start();
  await withSocket(async (socket) => {
    const [again, lost] = ids as [string, string];
    expect((await step(socket, again, 1, "inventory")).observation).toMatch(/dirt\] \(1\)/);
    await expect(step(socket, lost, 1, "inventory")).rejects.toMatchObject({
      code: "EPISODE_LOST",
      failureClass: "infrastructure",
    });
  });
});
