/** Failures of async environments: their own faults, missed deadlines, and failures of their sandboxes. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DistantGym } from "../../support/distant-gym.js";
import { eventually, fixture, scratchDir } from "../../support/gym.js";

const distant = await DistantGym.open({ localExpert: true });
const { gym } = distant;

describe("a fault of the environment", () => {
  test.each([
    ["throw", "ENVIRONMENT_THREW", "Error: thrown as asked"],
    ["throw-at-once", "ENVIRONMENT_THREW", "text thrown as asked"],
    ["no-text", "ENVIRONMENT_RESULT", "a string as the observation"],
    ["no-result", "ENVIRONMENT_THREW", "TypeError"],
    ["high-reward", "ENVIRONMENT_RESULT", "a reward from 0 to 1"],
    ["lose odd 1 ODD", "ENVIRONMENT_THREW", "SandboxError: expected an engine that runs"],
    ["unworded", "ENVIRONMENT_THREW", "SandboxError: expected undefined"],
  ])("%s fails its episode with %s", async (fault, code, words) => {
    const [guilty, other] = [await distant.create(), await distant.create()];
    await distant.step(guilty.episodeId, 0, "hello");
    const error = await distant.refusal(guilty.episodeId, 1, fault);
    expect(error).toMatchObject({ code, class: "environment" });
    expect(error.message).toContain(words);
    expect(await gym.call("get", { episodeId: guilty.episodeId })).toMatchObject({ phase: "failed", index: 1 });
    expect(await distant.step(other.episodeId, 0, "on")).toMatchObject({ observation: "1: on" });
  });

  test("is not assumed when a call blocks once: the gym tries the call again", async () => {
    const own = await DistantGym.open();
    const [blocked, other] = [await own.create(), await own.create()];
    await own.step(other.episodeId, 0, "hello");
    const action = `block-once ${join(scratchDir(), "seen")}`;
    expect(await own.step(blocked.episodeId, 0, action)).toMatchObject({ index: 0, observation: `1: ${action}` });
    const state = await own.gym.call("get", { episodeId: blocked.episodeId });
    expect(state).toMatchObject({ phase: "running", index: 1, failure: null });
    expect(await own.step(other.episodeId, 1, "on")).toMatchObject({ observation: "2: on" });
    expect(await own.gym.metric("palestra_hosts_lost_total")).toBe(1);
    const { payload } = await own.gym.app.inject("/metrics");
    expect(payload).not.toMatch(/^palestra_(episode_failures|errors)_total\{/m);
  });

  test("is not assumed when the machine has no memory or disk left, and the step can be repeated", async () => {
    const { episodeId } = await distant.create();
    const error = await distant.refusal(episodeId, 0, "no-room");
    expect(error).toMatchObject({ code: "HOST_FAILED", class: "infrastructure" });
    expect(error.message).toContain("no space left on device");
    expect(await distant.step(episodeId, 0, "on")).toMatchObject({ observation: "1: on" });
  });

  test.each([
    ["no picture", "null"],
    ["odd picture", '{"type":"image","mediaType":"text/html","data":""}'],
  ])("may be an invalid picture: %s", async (fault, received) => {
    const { episodeId } = await distant.create();
    await distant.step(episodeId, 0, fault);
    expect(await gym.refusal("render", { episodeId })).toMatchObject({
      code: "ENVIRONMENT_RESULT",
      message: expect.stringContaining(`expected an image object as the picture, but received ${received}`),
    });
  });

  test.each(["throw", "throw-at-once", "no-text"])("%s at the reset creates no episode", async (fault) => {
    const { episodes } = await gym.call("list", { limit: 1 });
    expect(await gym.refusal("create", await distant.creation(fault))).toMatchObject({ class: "environment" });
    expect((await gym.call("list", { limit: 1 })).episodes).toEqual(episodes);
  });

  test.each(["fail to close", "stay open"])("during close delays no caller: %s", async (fault) => {
    const { episodeId } = await distant.create();
    await distant.step(episodeId, 0, fault);
    expect(await gym.call("close", { episodeId })).toMatchObject({ phase: "closed" });
    expect(await gym.call("get", { episodeId })).toMatchObject({ failure: null });
  });

  test("may be an option that the environment no longer has", async () => {
    const module = (name: string, options: object) => {
      const path = join(scratchDir(), `${name}.mjs`);
      const fields = `...distant, version: "changing", options: ${JSON.stringify(options)}`;
      writeFileSync(
        path,
        `import distant from ${JSON.stringify(fixture("distant"))};\nexport default { ${fields} };\n`,
      );
      return [path, fixture("distant")];
    };
    const values = { calm: { summary: "Calm." } };
    const mood = { mood: { summary: "How it answers.", values } };
    const before = await DistantGym.open({ environments: module("moody", mood) });
    const { episodeId } = await before.create({ environment: "distant@changing" });
    const after = await before.restart({ environments: module("plain", {}) });
    expect(await after.gym.call("get", { episodeId })).toMatchObject({ options: { mood: "calm" } });
    const error = await after.refusal(episodeId, 0, "on");
    expect(error).toMatchObject({ code: "ENVIRONMENT_THREW" });
    expect(error.message).toContain(`expected one of the options of distant: none; but received "mood"`);
    const other = await after.create();
    expect(await after.step(other.episodeId, 0, "on")).toMatchObject({ observation: "1: on" });
  });

  test("may be a reply that differs in a replay", async () => {
    const before = await DistantGym.open();
    const { episodeId } = await before.create();
    await before.step(episodeId, 0, "diverge");
    const after = await before.restart();
    const error = await after.refusal(episodeId, 1, "on");
    expect(error).toMatchObject({ code: "ENVIRONMENT_DIVERGED", class: "environment" });
    expect(error.message).toContain("step 0");
  });
});

describe("a call past its deadline", () => {
  test.each(["hang", "break", "overtime"])(
    "fails only its own episode if the environment obeys the abort: %s",
    async (way) => {
      const { episodeId } = await distant.create();
      await distant.step(episodeId, 0, "hello");
      const { pid } = await distant.census();
      const startedAt = performance.now();
      expect(await distant.refusal(episodeId, 1, way)).toMatchObject({
        code: "ENVIRONMENT_TIMEOUT",
        class: "infrastructure",
        message: "The environment did not answer within 300 ms.",
      });
      expect(performance.now() - startedAt).toBeGreaterThan(298);
      // Without the abort, the host's watchdog would have ended its process.
      expect((await distant.census()).pid).toBe(pid);
      expect(await gym.call("get", { episodeId })).toMatchObject({ phase: "running", index: 1 });
      expect(await distant.step(episodeId, 1, "on")).toMatchObject({ index: 1, observation: "2: on" });
    },
  );

  test("fails only its own episode if the environment ignores the abort, and its instance is closed", async () => {
    const { episodeId } = await distant.create();
    const unclosed = await distant.unclosed();
    expect(await distant.refusal(episodeId, 0, "deaf")).toMatchObject({ code: "ENVIRONMENT_TIMEOUT" });
    await eventually(async () => (await distant.unclosed()) === unclosed - 1);
    expect(await distant.step(episodeId, 0, "on")).toMatchObject({ index: 0, observation: "1: on" });
  });

  test("also fails the steps that wait for it", async () => {
    const { episodeId } = await distant.create();
    const steps = ["hello", "hang", "on"].map((action, index) => ({ episodeId, index, action }));
    const late = { error: { code: "ENVIRONMENT_TIMEOUT" } };
    expect((await gym.call("stepMany", { steps })).results).toMatchObject([{ observation: "1: hello" }, late, late]);
    expect(await distant.step(episodeId, 1, "on")).toMatchObject({ index: 1, observation: "2: on" });
  });

  test("names the request that the environment waited for, if it is known", async () => {
    const { episodeId } = await distant.create();
    expect(await distant.refusal(episodeId, 0, "queue")).toMatchObject({
      code: "SANDBOX_FULL",
      class: "capacity",
      message: "expected one of 2 sandboxes to be free, but received none",
    });
    expect(await distant.step(episodeId, 0, "on")).toMatchObject({ observation: "1: on" });
  });

  test.each(["hang", "deaf"])("at the reset creates no episode and leaves nothing behind: %s", async (way) => {
    const unclosed = await distant.unclosed();
    const live = await gym.metric("palestra_live_episodes");
    const creation = await distant.creation(way);
    expect(await gym.refusal("create", creation)).toMatchObject({ code: "ENVIRONMENT_TIMEOUT" });
    await eventually(async () => (await distant.unclosed()) === unclosed);
    expect(await gym.metric("palestra_live_episodes")).toBe(live);
  });

  test("may be a query", async () => {
    const { episodeId } = await distant.create();
    await distant.step(episodeId, 0, "slow expert");
    expect(await gym.refusal("expert", { episodeId })).toMatchObject({ code: "ENVIRONMENT_TIMEOUT" });
    expect(await gym.call("get", { episodeId })).toMatchObject({ expertUsed: false });
    expect(await distant.step(episodeId, 1, "on")).toMatchObject({ observation: "2: on" });
  });

  test("may be a replayed step", async () => {
    const slow = { hosts: { count: 1, stepDeadlineMs: 5_000 } };
    const before = await DistantGym.open(slow);
    const { episodeId } = await before.create();
    await before.step(episodeId, 0, "wait 500");
    const hurried = await before.restart({ ...slow, hosts: { count: 1, stepDeadlineMs: 100 } });
    expect(await hurried.refusal(episodeId, 1, "on")).toMatchObject({ code: "ENVIRONMENT_TIMEOUT" });
    const patient = await hurried.restart(slow);
    expect(await patient.step(episodeId, 1, "on")).toMatchObject({ observation: "2: on" });
  });
});

describe("a sandbox that fails", () => {
  test.each(["LOST", "TIMEOUT", "START"])("with %s is replaced, and the episode continues", async (code) => {
    const { episodeId } = await distant.create();
    await distant.step(episodeId, 0, "hello");
    const action = `lose passing-${code} 2 ${code}`;
    expect(await distant.step(episodeId, 1, action)).toMatchObject({ index: 1, observation: `2: ${action}` });
    expect(await distant.step(episodeId, 2, "on")).toMatchObject({ observation: "3: on" });
    const { payload } = await gym.app.inject("/metrics");
    expect(payload).toContain(
      `palestra_instances_lost_total{environment="distant@elsewhere",code="SANDBOX_${code}"} 2`,
    );
  });

  test("repeatedly fails the step with its own message, and the episode can continue", async () => {
    const { episodeId } = await distant.create();
    await distant.step(episodeId, 0, "hello");
    expect(await distant.refusal(episodeId, 1, "lose stubborn 3 LOST")).toMatchObject({
      code: "SANDBOX_LOST",
      class: "infrastructure",
      message: "expected an engine that runs, but received its end as stubborn. Start it again",
    });
    expect(await gym.call("get", { episodeId })).toMatchObject({ phase: "running", index: 1 });
    expect(await distant.step(episodeId, 1, "lose stubborn 3 LOST")).toMatchObject({ index: 1 });
  });

  test.each([
    ["FULL", "capacity"],
    ["MISSING", "infrastructure"],
    ["REFUSED", "infrastructure"],
    ["NO_FILE", "infrastructure"],
  ])("with %s is not retried at once", async (code, failureClass) => {
    const { episodeId } = await distant.create();
    const action = `lose lasting-${code} 1 ${code}`;
    const error = await distant.refusal(episodeId, 0, action);
    expect(error).toMatchObject({ code: `SANDBOX_${code}`, class: failureClass });
    expect(await distant.step(episodeId, 0, action)).toMatchObject({ index: 0 });
  });

  test("at the reset is replaced as well", async () => {
    const { episodeId, observation } = await gym.create(await distant.creation("lose reset 2 LOST"));
    expect(observation).toContain("task reset:");
    expect(await distant.step(episodeId, 0, "on")).toMatchObject({ observation: "1: on" });
  });

  test.each([
    ["lose reset-for-ever 99 LOST", "SANDBOX_LOST", "infrastructure"],
    ["lose full 99 FULL", "SANDBOX_FULL", "capacity"],
    ["lose missing 99 MISSING", "SANDBOX_MISSING", "infrastructure"],
  ])("at every reset creates no episode and leaves nothing behind: %s", async (task, code, failureClass) => {
    const unclosed = await distant.unclosed();
    const creation = await distant.creation(task);
    expect(await gym.refusal("create", creation)).toMatchObject({ code, class: failureClass });
    expect(await distant.unclosed()).toBe(unclosed);
  });

  test("ends an episode that cannot be restored", async () => {
    const { episodeId } = await distant.create({ environment: "distant@fleeting" });
    await distant.step(episodeId, 0, "hello");
    const error = await distant.refusal(episodeId, 1, "lose fleeting 1 LOST");
    expect(error).toMatchObject({ code: "EPISODE_LOST", class: "infrastructure" });
    expect(error.message).toContain("its end as fleeting");
    expect(await gym.call("get", { episodeId })).toMatchObject({ phase: "failed", index: 1 });
  });
});
