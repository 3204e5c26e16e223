/** Async environments are played like synchronous ones. */
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DistantGym, distantId } from "../../support/distant-gym.js";
import { eventually, scratchDir } from "../../support/gym.js";
import { hurriedTimes } from "../../support/hurry.js";

const distant = await DistantGym.open({ localExpert: true });
const { gym } = distant;

const patient = { hosts: { count: 1, stepDeadlineMs: 60_000 } };

describe("an async environment", () => {
  test("is played, queried and closed like any other", async () => {
    const { episodeId, observation } = await distant.create();
    expect(observation).toBe("task play:0");
    expect(await distant.step(episodeId, 0, "hello")).toMatchObject({ index: 0, observation: "1: hello", reward: 0 });
    expect(await gym.call("render", { episodeId })).toMatchObject({ picture: { mediaType: "image/svg+xml" } });
    expect(await gym.call("query", { episodeId, query: "heard" })).toEqual({ index: 1, answer: ["hello"] });
    expect(await gym.call("expert", { episodeId })).toEqual({ index: 1, action: "end" });
    expect(await distant.step(episodeId, 1, "no way")).toMatchObject({ terminated: false });
    expect(await gym.call("expert", { episodeId })).toEqual({ index: 2, action: null });
    expect(await distant.step(episodeId, 2, "end")).toMatchObject({ reward: 1, terminated: true });
    expect(await distant.refusal(episodeId, 3, "more")).toMatchObject({ code: "EPISODE_ENDED" });
    const { steps } = await gym.call("transcript", { episodeId });
    expect(steps.map(({ action }) => action)).toEqual(["hello", "no way", "end"]);
  });

  test("is truncated at its last step", async () => {
    const { episodeId } = await distant.create({ maxSteps: 2 });
    expect(await distant.step(episodeId, 0, "a")).toMatchObject({ truncated: false });
    expect(await distant.step(episodeId, 1, "b")).toMatchObject({ truncated: true, terminated: false });
    expect(await distant.refusal(episodeId, 2, "c")).toMatchObject({ code: "EPISODE_ENDED" });
  });

  test("with a named version is listed beside the others, and is never selected by its id alone", async () => {
    const { environments } = await gym.call("listEnvironments");
    const names = environments.map(({ id, version }) => `${id}@${version}`);
    expect(names).toEqual(expect.arrayContaining(["textcraft@1", distantId, "distant@fleeting", "plain@3"]));
    const unknown = await gym.refusal("getEnvironment", { environment: "distant" });
    expect(unknown).toMatchObject({ code: "ENVIRONMENT_UNKNOWN" });
    expect(unknown.message).toContain(distantId);
    const info = await gym.call("getEnvironment", { environment: distantId });
    expect(info).toMatchObject({ id: "distant", version: "elsewhere", hasExpert: true, rendersPictures: true });
  });

  test("takes concurrent steps one after another, in order", async () => {
    const { episodeId } = await distant.create();
    const actions = ["wait 30", "wait 1", "a", "wait 10", "b", "end"];
    const steps = [...actions, "late"].map((action, index) => ({ episodeId, index, action }));
    const { results } = await gym.call("stepMany", { steps });
    const expected = actions.map((action, index) => ({ index, observation: `${index + 1}: ${action}` }));
    expect(results.slice(0, -1)).toMatchObject(expected);
    expect(results.at(-1)).toMatchObject({ error: { code: "EPISODE_ENDED" } });
  });

  test("waits in many episodes concurrently, and beside those in threads", async () => {
    const waiting = await DistantGym.open(patient);
    const [most, waitMs] = [200, 1_000];
    const episodes = await Promise.all(Array.from({ length: most }, () => waiting.create()));
    const plain = await waiting.gym.create({ environment: "plain", task: { index: 0 } });
    const { running } = await waiting.census();
    const steps = episodes.map(({ episodeId }) => waiting.step(episodeId, 0, `wait ${waitMs}`));
    const first = await Promise.race([waiting.step(plain.episodeId, 0, "hi"), ...steps]);
    expect(first, "the first answer").toMatchObject({ observation: "hi" });
    const observations = (await Promise.all(steps)).map(({ observation }) => observation);
    expect(new Set(observations)).toEqual(new Set([`1: wait ${waitMs}`]));
    expect((await waiting.census()).mostRunning).toBe(running + most);
  });

  test("loses no step when thousands are answered in the same turn of the event loop", async () => {
    const [most, each] = [5, 1_000];
    const episodes = await Promise.all(Array.from({ length: most }, () => distant.create({ maxSteps: each + 1 })));
    const actions = Array.from({ length: each }, (_, index) => `say ${index}`);
    const taken = episodes.map(({ episodeId }) =>
      gym.call("stepMany", { steps: actions.map((action, index) => ({ episodeId, index, action })) }),
    );
    for (const { results } of await Promise.all(taken))
      expect(results.filter((result) => "error" in result)).toEqual([]);
    for (const { episodeId } of episodes) {
      const { steps } = await gym.call("transcript", { episodeId, limit: each });
      expect(steps.map(({ action }) => action)).toEqual(actions);
    }
  });

  test("loses no reply when many are large", async () => {
    const { episodeId } = await distant.create();
    const steps = Array.from({ length: 12 }, (_, index) => gym.step(episodeId, index, "large"));
    for (const reply of await Promise.all(steps)) expect(reply.length).toBeGreaterThan(4 * 2 ** 20);
  });
});

describe("an episode of an async environment", () => {
  test("that is deleted still takes the steps accepted before", async () => {
    const { episodeId } = await distant.create();
    const slow = distant.step(episodeId, 0, "wait 100");
    await eventually(async () => (await gym.metric("palestra_steps_in_flight")) === 1);
    await gym.call("close", { episodeId });
    expect(await slow).toMatchObject({ index: 0, observation: "1: wait 100" });
    expect((await gym.call("get", { episodeId })).phase).toBe("closed");
    expect((await gym.call("transcript", { episodeId })).steps).toHaveLength(1);
  });

  test("that is deleted while it is restored leaves nothing behind", async () => {
    const before = await DistantGym.open(patient);
    const { episodeId } = await before.create();
    const gate = join(scratchDir(), "gate");
    writeFileSync(gate, "");
    await before.step(episodeId, 0, `gate ${gate}`);
    // From here on, the step never returns.
    rmSync(gate);
    const after = await before.restart();
    const unclosed = await after.unclosed();
    const restored = after.refusal(episodeId, 1, "on");
    await eventually(async () => (await after.unclosed()) === unclosed + 1);
    await after.gym.call("close", { episodeId });
    expect(await restored).toMatchObject({ code: "EPISODE_CLOSED" });
    await eventually(async () => (await after.unclosed()) === unclosed);
  });

  test("is parked when its lease lapses, closed, and restored by the next call", async () => {
    const brief = await DistantGym.open({ leases: { sweepMs: 10 } });
    const unclosed = await brief.unclosed();
    const { episodeId } = await brief.create({ leaseMs: 1_000 });
    await brief.step(episodeId, 0, "hello");
    await eventually(async () => (await brief.unclosed()) === unclosed);
    expect(await brief.gym.metric("palestra_leases_lapsed_total")).toBe(1);
    expect(await brief.step(episodeId, 1, "on")).toMatchObject({ index: 1, observation: "2: on" });
  });

  test("continues after restarts with the same bytes", async () => {
    const actions = ["a", "wait 5", "b", "", "end"];
    const whole = await distant.create();
    let again = await DistantGym.open();
    const { episodeId } = await again.create();
    for (const [index, action] of actions.entries()) {
      const reply = await again.gym.step(episodeId, index, action);
      expect(reply).toBe(await gym.step(whole.episodeId, index, action));
      if (index % 2 === 0) again = await again.restart();
    }
    expect(await again.gym.call("get", { episodeId })).toMatchObject({ phase: "ended", index: actions.length });
  });

  test("is forked by replay", async () => {
    const { episodeId } = await distant.create();
    for (const [index, action] of ["a", "b", "c"].entries()) await distant.step(episodeId, index, action);
    const fork = await gym.call("fork", { episodeId, index: 2 });
    expect(await distant.step(fork.episodeId, 2, "d")).toMatchObject({ index: 2, observation: "3: d" });
    const heard = async (id: string) => (await gym.call("query", { episodeId: id, query: "heard" })).answer;
    expect([await heard(episodeId), await heard(fork.episodeId)]).toEqual([
      ["a", "b", "c"],
      ["a", "b", "d"],
    ]);
  });
});

test("a closing gym closes all instances, and does not wait for those that hang", async () => {
  const closing = await DistantGym.open(patient, hurriedTimes);
  const [unclosed, { running }] = [await closing.unclosed(), await closing.census()];
  const [hanging, deaf, idle] = [await closing.create(), await closing.create(), await closing.create()];
  await closing.step(idle.episodeId, 0, "stay open");
  const calls = [
    closing.refusal(hanging.episodeId, 0, "hang"),
    closing.refusal(deaf.episodeId, 0, "deaf"),
    closing.gym.refusal("create", await closing.creation("hang")),
  ];
  await eventually(async () => (await closing.census()).running === running + calls.length);
  const after = await closing.restart();
  for (const call of calls) expect(await call).toMatchObject({ code: "SERVER_DRAINING", class: "infrastructure" });
  expect(await after.unclosed()).toBe(unclosed);
  expect(await after.step(hanging.episodeId, 0, "on")).toMatchObject({ observation: "1: on" });
});
