/** The process of async environments may end, hang or throw. Its episodes are restored or fail, and no others are affected. */
import { existsSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { timesScaledBy } from "#palestra/server/config/times.js";
import { type Census, DistantGym, distantSettings } from "../../support/distant-gym.js";
import { eventually } from "../../support/gym.js";
import { parentOf, processesWith } from "../../support/processes.js";

/** The gym notices a process that a signal has stopped after 5 seconds. */
const distant = await DistantGym.open({}, timesScaledBy(1 / 2));
const { gym } = distant;

const isAlive = (pid: number) => existsSync(`/proc/${pid}`);

describe("code of an async environment", () => {
  test.each([
    ["loop", "ENVIRONMENT_HUNG", "used the processor for"],
    ["loop-later", "ENVIRONMENT_HUNG", "used the processor for"],
    ["exit-later", "ENVIRONMENT_THREW", "exited with 3"],
    ["abort", "ENVIRONMENT_THREW", "called process.abort"],
  ])("that ends its process fails only its own episode: %s", async (way, code, words) => {
    const { pid } = await distant.census();
    const [guilty, busy, idle] = await Promise.all([distant.create(), distant.create(), distant.create()]);
    const plain = await gym.create({ environment: "plain", task: { index: 0 } });
    await distant.step(idle.episodeId, 0, "hello");
    const answers = [distant.refusal(guilty.episodeId, 0, way), distant.step(busy.episodeId, 0, "wait 250")] as const;
    expect(await gym.step(plain.episodeId, 0, "hi")).toContain("hi");
    const [error, answered] = await Promise.all(answers);
    expect(error).toMatchObject({ code, class: "environment" });
    expect(error.message).toContain(words);
    expect(answered).toMatchObject({ index: 0, observation: "1: wait 250" });
    expect(await gym.call("get", { episodeId: guilty.episodeId })).toMatchObject({ phase: "failed", index: 0 });
    expect(await distant.step(idle.episodeId, 1, "on")).toMatchObject({ index: 1, observation: "2: on" });
    expect((await distant.census()).pid).not.toBe(pid);
    expect(isAlive(pid)).toBe(false);
  });

  test("that loops in a timer after its call was answered fails its episode", async () => {
    const [guilty, other] = [await distant.create(), await distant.create()];
    expect(await distant.step(guilty.episodeId, 0, "loop-when-left")).toMatchObject({ index: 0 });
    expect(await distant.step(other.episodeId, 0, "on")).toMatchObject({ observation: "1: on" });
    await eventually(async () => (await gym.call("get", { episodeId: guilty.episodeId })).phase === "failed");
  });

  test("that kills its process is tried a second time, and then refused", async () => {
    const [guilty, other] = [await distant.create(), await distant.create()];
    await distant.step(other.episodeId, 0, "hello");
    const error = await distant.refusal(guilty.episodeId, 0, "kill");
    expect(error).toMatchObject({ code: "HOST_FAILED", class: "infrastructure" });
    expect(await distant.step(guilty.episodeId, 0, "on")).toMatchObject({ index: 0, observation: "1: on" });
    expect(await distant.step(other.episodeId, 1, "on")).toMatchObject({ index: 1, observation: "2: on" });
  });

  test.each([
    ["throw-later", "text thrown as asked"],
    ["reject-later", "Error: thrown as asked"],
  ])("that throws outside of any call fails its own episode, and the process continues: %s", async (way, words) => {
    const { pid } = await distant.census();
    const [guilty, other] = [await distant.create(), await distant.create()];
    await distant.step(guilty.episodeId, 0, way);
    await eventually(async () => (await gym.call("get", { episodeId: guilty.episodeId })).phase === "failed");
    const { failure } = await gym.call("get", { episodeId: guilty.episodeId });
    expect(failure).toMatchObject({ code: "ENVIRONMENT_THREW" });
    expect(failure?.message).toContain(`outside of any call: ${words}`);
    expect(await distant.step(other.episodeId, 0, "on")).toMatchObject({ observation: "1: on" });
    expect((await distant.census()).pid).toBe(pid);
  });

  test("that exhausts memory ends only its process", async () => {
    const small = await DistantGym.open({ hosts: { count: 1, stepDeadlineMs: 60_000, memoryMb: 64 } });
    const [guilty, other] = [await small.create(), await small.create()];
    await small.step(other.episodeId, 0, "hello");
    const plain = await small.gym.create({ environment: "plain", task: { index: 0 } });
    expect(["ENVIRONMENT_OUT_OF_MEMORY", "ENVIRONMENT_HUNG"]).toContain(
      (await small.refusal(guilty.episodeId, 0, "fill")).code,
    );
    expect(await small.step(other.episodeId, 1, "on")).toMatchObject({ index: 1, observation: "2: on" });
    expect(await small.gym.step(plain.episodeId, 0, "hi")).toContain("hi");
  });
});

describe("the process of async environments", () => {
  test("is replaced when it is killed, and its episodes are restored or fail as lost", async () => {
    const { pid } = await distant.census();
    const [kept, fleeting] = await Promise.all([distant.create(), distant.create({ environment: "distant@fleeting" })]);
    await distant.step(kept.episodeId, 0, "hello");
    await distant.step(fleeting.episodeId, 0, "hello");
    const { answer } = await gym.call("query", { episodeId: fleeting.episodeId, query: "census" });
    const { pid: pidOfFleeting } = answer as unknown as Census;
    expect(pidOfFleeting).not.toBe(pid);
    const answers = Promise.all([
      distant.step(kept.episodeId, 1, "wait 100"),
      distant.refusal(fleeting.episodeId, 1, "wait 100"),
    ]);
    for (const each of [pid, pidOfFleeting]) process.kill(each, "SIGKILL");
    const [step, error] = await answers;
    expect(step).toMatchObject({ index: 1, observation: "2: wait 100" });
    expect(error).toMatchObject({ code: "EPISODE_LOST", class: "infrastructure" });
  });

  test("has a spare that takes its place, and then gets a new spare", async () => {
    // No other gym of this test process uses this limit, so it identifies this gym's processes.
    const memoryMb = 777;
    const ownProcesses = () =>
      processesWith(`--max-old-space-size=${memoryMb}\0`).filter((pid) => parentOf(pid) === process.pid);
    const standing = await DistantGym.open({ hosts: { ...distantSettings.hosts, memoryMb } });
    const { pid } = await standing.census();
    const { episodeId } = await standing.create();
    await eventually(() => ownProcesses().length === 2);
    const before = ownProcesses();
    process.kill(pid, "SIGKILL");
    expect(await standing.step(episodeId, 0, "hello")).toMatchObject({ index: 0, observation: "1: hello" });
    const { pid: successor } = await standing.census();
    expect(before).toContain(successor);
    await eventually(() => ownProcesses().length === 2);
    const [spare] = ownProcesses().filter((other) => !before.includes(other));
    // An unused spare that ends is replaced.
    process.kill(spare as number, "SIGKILL");
    await eventually(() => ownProcesses().length === 2 && !ownProcesses().includes(spare as number));
    expect((await standing.census()).pid).toBe(successor);
    await standing.gym.close();
    expect(ownProcesses()).toEqual([]);
  });

  test("is ended and replaced when a signal stops it", async () => {
    const { pid } = await distant.census();
    const { episodeId } = await distant.create();
    process.kill(pid, "SIGSTOP");
    expect(await distant.step(episodeId, 0, "hello")).toMatchObject({ index: 0, observation: "1: hello" });
    expect(isAlive(pid)).toBe(false);
  });

  test("ends with its gym, even if an instance hangs", async () => {
    const closing = await DistantGym.open();
    const { pid } = await closing.census();
    const { episodeId } = await closing.create();
    const answer = closing.refusal(episodeId, 0, "loop");
    await eventually(() => closing.gym.metric("palestra_steps_in_flight").then((steps) => steps === 1));
    await closing.gym.close();
    expect(await answer).toMatchObject({ code: expect.stringMatching(/SERVER_DRAINING|ENVIRONMENT_HUNG/) });
    expect(isAlive(pid)).toBe(false);
  });
});
