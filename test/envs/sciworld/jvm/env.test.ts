/** The original simulator as an environment: its replies, its determinism, and its loss. */
import { spawnSync } from "node:child_process";
import { setMaxListeners } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, type TestContext } from "vitest";
import type { Options, ResetResult, StepResult } from "#palestra/envs/env.js";
import { fillOptions } from "#palestra/envs/registry.js";
import { type JvmContext, JvmScienceWorld } from "#palestra/envs/sciworld/jvm/env.js";
import jvmSciworld from "#palestra/envs/sciworld/jvm/index.js";
import { jarPath } from "#palestra/envs/sciworld/jvm/jar.js";
import { toolsWithTeleport } from "#palestra/envs/sciworld/tools.js";
import { JvmProvider } from "#palestra/sandboxes/jvm/jvm-provider.js";
import { Pool } from "#palestra/sandboxes/pool.js";
import { Turns } from "#palestra/sandboxes/turns.js";
import { scratchDir } from "../../../support/gym.js";
import { javaProcesses, nothingLeft, testJvm } from "../../../support/jvm.js";

const easy = { simplifications: "easy" };

/** A pool that stays warm between tests, like the pool of a server. */
const jvm = new Pool(new JvmProvider(), { permits: new Turns({ most: 2 }), warmMs: 60_000, waitMs: 30_000 });
const context: JvmContext = { now: () => 0, sandboxes: { jvm } };
const { signal } = new AbortController();
setMaxListeners(0, signal);

afterAll(async () => {
  await jvm.close();
  await nothingLeft();
});

interface Begun {
  environment: JvmScienceWorld;
  start: ResetResult;
}

async function begin(task: string, index = 0, asked: Options = {}): Promise<Begun> {
  const environment = new JvmScienceWorld(context);
  // An environment that a failing test leaves open would block all others.
  onTestFinished(() => environment.close());
  const options = fillOptions(jvmSciworld, asked);
  const start = await environment.reset({ task: { split: task, index }, seed: 0, options }, signal);
  return { environment, start };
}

function ask(environment: JvmScienceWorld, query: string) {
  return jvmSciworld.queries?.[query]?.answer(environment, signal);
}

/** Returns the results of steps as texts. */
async function play(environment: JvmScienceWorld, actions: readonly string[]): Promise<string[]> {
  const trace: string[] = [];
  for (const action of actions) trace.push(JSON.stringify(await environment.step(action, signal)));
  return trace;
}

testJvm("the original lists some actions that it then refuses, like Palestra's engine", async () => {
  const { environment } = await begin("boil", 0, { teleport: "yes" });
  await environment.step("teleport to kitchen", signal);
  const valid = (await ask(environment, "valid-actions")) as unknown as { action: string }[];
  const looks = valid.map(({ action }) => action).filter((action) => action.startsWith("look in "));
  expect(looks).toContain("look in metal pot");
  const replies = new Map<string, string>();
  for (const action of looks) replies.set(action, (await environment.step(action, signal)).observation);
  expect(replies.get("look in metal pot")).toBe("No known action matches that input.");
  const refused = [...replies.values()].filter((reply) => reply.startsWith("No known action"));
  expect(refused.length).toBeGreaterThan(1);
  expect(refused.length).toBeLessThan(looks.length);
});

testJvm("an episode starts with its task and surroundings, and info names the simulator", async () => {
  const { environment, start } = await begin("agentgym", 60);
  expect(start.observation).toMatch(/^Your task is to freeze .+\nThis room is called the /);
  expect(start.info).toMatchObject({ task: "freeze", variation: 0, score: 0, reward: 0, moves: 0 });
  expect(start.info.simulator).toMatch(/^1\.[23]\.[0-9]+$/);
  await environment.close();
});

describe("the expert follows the original's solution to the score of 100, in the words of the tools", () => {
  const sayable = toolsWithTeleport.map(({ action }) => new RegExp(`^${action.replace(/\{\w+\}/g, "(.+)")}$`));

  for (const [task, index, said] of [
    ["find-living-thing", 7, /^focus on /],
    ["freeze", 3, /^look at /],
    ["power-component", 5, /^connect .+ to /],
    ["test-conductivity", 0, /^put down /],
    ["chemistry-mix-paint-secondary-color", 1, /^pour .+ in art studio into /],
    ["chemistry-mix-paint-tertiary-color", 2, /^pour .+ into (bowl|cup|jug)/],
  ] as const) {
    testJvm(task, async () => {
      const { environment } = await begin(task, index, easy);
      const path = (await ask(environment, "gold-path")) as string[];
      const advised: string[] = [];
      let last: StepResult | undefined;
      while (!last?.terminated && advised.length < path.length) {
        const advice = (await environment.advise(signal)) as string;
        expect(sayable.some((tool) => tool.test(advice))).toBe(true);
        advised.push(advice);
        last = await environment.step(advice, signal);
        expect(last.observation).not.toMatch(/^No known action/);
      }
      expect(last).toMatchObject({ terminated: true, info: { score: 100 } });
      expect(advised.filter((advice) => said.test(advice))).not.toEqual([]);
      await environment.close();
    });
  }
});

testJvm("the expert has no action after a deviation from its path", async () => {
  const { environment } = await begin("find-living-thing");
  await environment.step("wait1", signal);
  expect(await environment.advise(signal)).toBeNull();
  await environment.close();
});

describe("an episode is the same", () => {
  const actions = [
    ...["teleport to art studio", "pour paint on wood cup into bowl", "0", "open large cupboard", "look around"],
    ...[
      "teleport to kitchen",
      "look around",
      "activate stove",
      "move metal pot to stove",
      "0",
      "wait",
      "look in stove",
    ],
    ...[
      "teleport to outside",
      "look around",
      "use axe on wood",
      "objects",
      "teleport to greenhouse",
      "wait1",
      "jump 🦘\n",
    ],
  ];

  testJvm("in another JVM, and in a JVM that has played other episodes", async () => {
    const [one, other] = [await begin("melt", 23, easy), await begin("boil", 3, easy)];
    const first = await play(one.environment, actions);
    await play(other.environment, actions.slice(0, 9));
    const options = fillOptions(jvmSciworld, easy);
    const again = await other.environment.reset({ task: { split: "melt", index: 23 }, seed: 0, options }, signal);
    expect(again).toEqual(one.start);
    expect(await play(other.environment, actions)).toEqual(first);
    await one.environment.close();
    await other.environment.close();
  });

  testJvm("with and without queries", async () => {
    // In this task, the names of equal objects draw from the random generator, unless its state is restored.
    const plain = await begin("identify-life-stages-1", 0, easy);
    const asked = await begin("identify-life-stages-1", 0, easy);
    const expected = await play(plain.environment, actions);
    const received: string[] = [];
    for (const action of actions) {
      for (const query of Object.keys(jvmSciworld.queries ?? {})) await ask(asked.environment, query);
      received.push(...(await play(asked.environment, [action])));
    }
    expect(received).toEqual(expected);
    await plain.environment.close();
    await asked.environment.close();
  });
});

testJvm("the Python API's limit ends an episode after more than 100 moves", async () => {
  const { environment } = await begin("find-plant", 0, { api: "python" });
  for (let moves = 0; moves <= 100; ) {
    const { terminated, info } = await environment.step("wait", signal);
    moves = Number(info.moves);
    expect(terminated).toBe(moves > 100);
  }
  await environment.close();
});

testJvm("a JVM that is killed during a step is lost, with the cause", async () => {
  const { environment } = await begin("boil");
  const stepping = environment.step("wait", signal);
  for (const pid of javaProcesses()) process.kill(pid, "SIGKILL");
  await expect(stepping).rejects.toMatchObject({ name: "SandboxError", code: "LOST", received: "its end by SIGKILL" });
  await environment.close();
});

testJvm("a JVM that hangs is ended with its call, and is not used again", async () => {
  const { environment } = await begin("boil");
  const pids = javaProcesses();
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  const controller = new AbortController();
  const stepping = environment.step("wait", controller.signal);
  controller.abort(new Error("too late"));
  await expect(stepping).rejects.toThrow("too late");
  await environment.close();
  const { environment: next } = await begin("boil");
  await next.close();
  expect(javaProcesses().filter((pid) => pids.includes(pid))).toEqual([]);
});

testJvm("a JVM that hangs between two calls delays no close, and is not used again", async () => {
  const { environment } = await begin("boil");
  const pids = javaProcesses();
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  await environment.close();
  const { environment: next } = await begin("boil");
  await next.close();
  expect(javaProcesses().filter((pid) => pids.includes(pid))).toEqual([]);
});

testJvm("many episodes share a pool of two", async () => {
  const looks = await Promise.all(
    Array.from({ length: 16 }, async (_, i) => {
      const { environment, start } = await begin("boil", i % 2);
      expect(javaProcesses().length).toBeLessThanOrEqual(2);
      await environment.close();
      return start.observation;
    }),
  );
  expect(new Set(looks).size).toBe(2);
});

describe("an unsupported simulator is refused with a remedy", () => {
  const advice = "Run `palestra setup sciworld-jvm`, or set SCIENCEWORLD_JAR to a jar of your own";

  async function refusalWith(jar: string): Promise<unknown> {
    const before = process.env.SCIENCEWORLD_JAR;
    process.env.SCIENCEWORLD_JAR = jar;
    try {
      return await begin("boil").catch((error: unknown) => error);
    } finally {
      if (before === undefined) delete process.env.SCIENCEWORLD_JAR;
      else process.env.SCIENCEWORLD_JAR = before;
    }
  }

  testJvm("without a jar", async () => {
    expect(await refusalWith("/nowhere.jar")).toMatchObject({ code: "MISSING", advice });
  });

  testJvm("with an empty jar", async () => {
    const jar = join(scratchDir(), "empty.jar");
    writeFileSync(jar, "");
    expect(await refusalWith(jar)).toMatchObject({ code: "START", advice });
  });

  testJvm("with a jar that lacks a class", async (context) => {
    const refusal = await refusalWith(editedJar(context, "py4j/", ""));
    expect(refusal).toMatchObject({ code: "START", received: expect.stringMatching(/ClassNotFoundException/), advice });
  });

  testJvm("with a jar of another version", async (context) => {
    const refusal = await refusalWith(editedJar(context, "", "Implementation-Version: 0.9"));
    const received = "expected a jar of ScienceWorld 1.2 or 1.3, but received version 0.9";
    expect(refusal).toMatchObject({ code: "START", received, advice });
  });
});

/** Copies the original's jar with only the entries that start with a prefix, and another version in its manifest. */
function editedJar(context: TestContext, kept: string, version: string): string {
  const path = join(scratchDir(), "edited.jar");
  const script = `
import re, sys, zipfile
source, target, kept, version = sys.argv[1:]
with zipfile.ZipFile(source) as whole, zipfile.ZipFile(target, "w") as edited:
    for name in whole.namelist():
        data = whole.read(name)
        if name.endswith("MANIFEST.MF"):
            data = re.sub(rb"Implementation-Version: \\S+", version.encode(), data)
        if name.startswith(kept):
            edited.writestr(name, data)
`;
  const { error } = spawnSync("python3", ["-c", script, jarPath(), path, kept, version]);
  if (error) context.skip(`expected python3, to edit a jar, but received ${error.message}`);
  return path;
}
