/** The original simulator behind the server: replies to callers while JVMs die, and the end of JVMs with the server. */
import { delimiter } from "node:path";
import { describe, expect, onTestFinished } from "vitest";
import { openGym } from "../support/gym.js";
import { javaProcesses, nothingLeft, sandboxFolders, testJvm } from "../support/jvm.js";
import type { RunningServer } from "../support/server-process.js";
import { connect, scratch, serve } from "../support/serving.js";

const environment = "sciworld@jvm";
const episode = { environment, task: { split: "boil", index: 0 }, options: { simplifications: "easy" } };
const actions = [
  "teleport to kitchen",
  "open cupboard",
  "pick up metal pot",
  "move metal pot to sink",
  "activate sink",
];

function killJvms(): void {
  for (const pid of javaProcesses()) process.kill(pid, "SIGKILL");
}

testJvm(
  "an episode whose JVM is killed after every step continues unchanged",
  async () => {
    const gym = await openGym();
    const [undisturbed, disturbed] = [await gym.call("create", episode), await gym.call("create", episode)];
    expect(disturbed.observation).toEqual(undisturbed.observation);
    const expected: string[] = [];
    for (const [i, action] of actions.entries()) expected.push(await gym.step(undisturbed.episodeId, i, action));
    const received: string[] = [];
    for (const [i, action] of actions.entries()) {
      killJvms();
      received.push(await gym.step(disturbed.episodeId, i, action));
    }
    expect(received).toEqual(expected);
    expect(await gym.call("get", { episodeId: disturbed.episodeId })).toMatchObject({ index: actions.length });
  },
  120_000,
);

testJvm(
  "an episode whose JVM keeps dying is refused as an infrastructure failure",
  async () => {
    const gym = await openGym();
    const { episodeId } = await gym.call("create", episode);
    killJvms();
    const killing = setInterval(killJvms, 20);
    onTestFinished(() => clearInterval(killing));
    const refusal = await gym.refusal("step", { episodeId, index: 0, action: "look around" });
    expect(refusal).toMatchObject({ class: "infrastructure", message: expect.stringMatching(/SIGKILL/) });
    clearInterval(killing);
    await gym.step(episodeId, 0, "look around");
  },
  120_000,
);

describe("a missing requirement", () => {
  async function refusalWith(change: NodeJS.ProcessEnv): Promise<unknown> {
    const before = { ...process.env };
    Object.assign(process.env, change);
    try {
      return (await (await openGym()).refusal("create", episode)) as unknown;
    } finally {
      for (const name of Object.keys(change)) delete process.env[name];
      Object.assign(process.env, before);
    }
  }

  testJvm("a missing jar is reported with a remedy", async () => {
    expect(await refusalWith({ SCIENCEWORLD_JAR: "/nowhere.jar" })).toMatchObject({
      code: "ENVIRONMENT_UNAVAILABLE",
      message: expect.stringMatching(/no sciworld-jvm: no file at \/nowhere\.jar\. Run `palestra setup sciworld-jvm`/),
    });
  });

  testJvm("a missing Java is reported with a remedy", async () => {
    expect(await refusalWith({ PATH: ["/nowhere", scratch()].join(delimiter), JAVA_HOME: "" })).toMatchObject({
      code: "ENVIRONMENT_UNAVAILABLE",
      message: expect.stringMatching(/no jvm: .+Install a Java runtime of version 8 or newer/),
    });
  });
});

describe("the settings of the sandboxes", () => {
  testJvm("the settings limit the number of JVMs, and an episode is refused while no JVM is free", async () => {
    const gym = await openGym({ sandboxes: { jvms: 1, waitMs: 1_000 } });
    const { episodeId } = await gym.call("create", episode);
    expect(await gym.refusal("create", episode)).toMatchObject({
      code: "SANDBOX_FULL",
      class: "capacity",
      message: "All 1 sandboxes are in use, and none became free within 1000 ms.",
    });
    expect(javaProcesses()).toHaveLength(1);
    await gym.call("close", { episodeId });
    await gym.call("create", episode);
    expect(javaProcesses()).toHaveLength(1);
  });

  testJvm("the settings limit how long an unused JVM is kept", async () => {
    const gym = await openGym({ sandboxes: { warmMs: 100 } });
    const { episodeId } = await gym.call("create", episode);
    await gym.call("close", { episodeId });
    await nothingLeft();
  });
});

/** A server in a process of its own, with an episode that is being played. */
async function playing(): Promise<RunningServer> {
  const server = await serve();
  const socket = await connect(server.url);
  const { episodeId } = await socket.request<{ episodeId: string }>("create", episode);
  await socket.request("step", { episodeId, index: 0, action: "look around" });
  expect(javaProcesses()).toHaveLength(1);
  return server;
}

describe("the end of the server", () => {
  testJvm("a stopped server leaves no JVM behind", async () => {
    const { process } = await playing();
    await process.stop();
    expect([javaProcesses(), sandboxFolders()]).toEqual([[], []]);
  });

  testJvm("a killed server leaves no JVM behind", async () => {
    const { process } = await playing();
    await process.kill();
    await nothingLeft();
  });
});
