import { describe, expect, test } from "vitest";
import { fixture, openGym, type Params } from "../../../support/gym.js";

const gym = await openGym({ environments: ["plain", "faulty", "unrestorable"].map(fixture), localExpert: true });

const actions = ["get 1 dirt", "get 2 dirt", "inventory"];

async function played(params: Params = {}): Promise<string> {
  const { episodeId } = await gym.create(params);
  for (const [index, action] of actions.entries()) await gym.step(episodeId, index, action);
  return episodeId;
}

const inventoryOf = async (episodeId: string, index: number) =>
  (await gym.call("step", { episodeId, index, action: "inventory" })).observation;

describe.each([
  ["textcraft", "copied in place"],
  ["faulty", "played again"],
])("a fork of %s, %s", (environment) => {
  const params = { environment, task: { index: 0 } };

  test("at the newest step has its parent's steps and continues like its parent", async () => {
    const parent = await played(params);
    const fork = await gym.call("fork", { episodeId: parent });
    const { goal: _, notes: __, ...state } = await gym.call("get", { episodeId: parent });
    expect(fork).toEqual({
      ...state,
      episodeId: fork.episodeId,
      parent,
      createdAt: fork.createdAt,
    });
    expect(await gym.text("transcript", { episodeId: fork.episodeId })).toBe(
      await gym.text("transcript", { episodeId: parent }),
    );
    expect(await gym.step(fork.episodeId, 3, "inventory")).toBe(await gym.step(parent, 3, "inventory"));
  });

  test("at an earlier index continues from there", async () => {
    const parent = await played(params);
    const { episodeId, index, observation } = await gym.call("fork", { episodeId: parent, index: 1 });
    const [first, second] = (await gym.call("transcript", { episodeId: parent })).steps;
    expect([index, observation]).toEqual([1, first?.observation]);
    expect(JSON.parse(await gym.step(episodeId, 1, actions[1] as string))).toMatchObject({
      observation: second?.observation,
    });
  });

  test("at index 0 starts with the reset result", async () => {
    const parent = await played(params);
    const { observation } = await gym.create(params);
    expect(await gym.call("fork", { episodeId: parent, index: 0 })).toMatchObject({ index: 0, observation, reward: 0 });
  });

  test("and its parent do not affect each other", async () => {
    const parent = await played(params);
    const { episodeId: fork } = await gym.call("fork", { episodeId: parent });
    await gym.step(fork, 3, "get 5 stone");
    const undisturbed = await played(params);
    expect(await gym.step(parent, 3, "inventory")).toBe(await gym.step(undisturbed, 3, "inventory"));
    await gym.call("close", { episodeId: parent });
    expect(await gym.call("step", { episodeId: fork, index: 4, action: "inventory" })).toMatchObject({ index: 4 });
  });

  test("can be forked itself", async () => {
    const parent = await played(params);
    const { episodeId: fork } = await gym.call("fork", { episodeId: parent, index: 2 });
    const reply = await gym.step(fork, 2, "inventory");
    const { episodeId, parent: from, index } = await gym.call("fork", { episodeId: fork });
    expect([from, index]).toEqual([fork, 3]);
    expect(await gym.step(episodeId, 2, "inventory")).toBe(reply);
  });
});

test("a fork keeps its parent's task, seed, limit and lease", async () => {
  const { episodeId: parent } = await gym.create({
    seed: 5,
    maxSteps: 9,
    leaseMs: 5_000,
    task: { split: "test", index: 7 },
  });
  const { task, seed, maxSteps, leaseMs } = await gym.call("fork", { episodeId: parent });
  expect({ task, seed, maxSteps, leaseMs }).toEqual({
    task: { split: "test", index: 7 },
    seed: 5,
    maxSteps: 9,
    leaseMs: 5_000,
  });
});

test("a fork counts its parent's steps towards the limit", async () => {
  const parent = await played({ maxSteps: 4 });
  for (const index of [3, 2]) {
    const { episodeId } = await gym.call("fork", { episodeId: parent, index });
    if (index === 2) await gym.step(episodeId, 2, "inventory");
    expect(await gym.call("step", { episodeId, index: 3, action: "inventory" })).toMatchObject({ truncated: true });
  }
});

test("an ended episode can be forked before its end, but not at it", async () => {
  const parent = await played({ maxSteps: 3 });
  expect(await gym.refusal("fork", { episodeId: parent })).toMatchObject({ code: "EPISODE_ENDED" });
  expect(await gym.refusal("fork", { episodeId: parent, index: 3 })).toMatchObject({ code: "EPISODE_ENDED" });
  const { episodeId, phase } = await gym.call("fork", { episodeId: parent, index: 2 });
  expect(phase).toBe("running");
  expect(await inventoryOf(episodeId, 2)).toContain("dirt");
});

test("a fork at an index beyond the parent's steps is refused, and the error names the highest index", async () => {
  const parent = await played();
  expect(await gym.refusal("fork", { episodeId: parent, index: 4 })).toMatchObject({
    code: "STEP_INDEX",
    details: { nextIndex: 3 },
  });
});

test("a failed episode cannot be forked", async () => {
  const { episodeId } = await gym.create({ environment: "faulty", task: { index: 0 } });
  await gym.refusal("step", { episodeId, index: 0, action: "throw" });
  expect(await gym.refusal("fork", { episodeId, index: 0 })).toMatchObject({
    code: "EPISODE_FAILED",
    details: { failure: { code: "ENVIRONMENT_THREW" } },
  });
});

test("an episode that cannot be restored cannot be forked", async () => {
  const { episodeId } = await gym.create({ environment: "unrestorable", task: { index: 0 } });
  expect(await gym.refusal("fork", { episodeId })).toMatchObject({ code: "EPISODE_LOST" });
  expect(await gym.call("step", { episodeId, index: 0, action: "on" })).toMatchObject({ observation: "1: on" });
});

test("a fork has the expert mark if its parent has it, and only then", async () => {
  const parent = await played();
  expect((await gym.call("fork", { episodeId: parent })).expertUsed).toBe(false);
  await gym.call("expert", { episodeId: parent });
  expect((await gym.call("fork", { episodeId: parent })).expertUsed).toBe(true);
  expect((await gym.call("fork", { episodeId: parent, index: 0 })).expertUsed).toBe(true);
});

test("concurrent forks during steps in flight each have a complete prefix", async () => {
  const { episodeId } = await gym.create();
  const steps = Array.from({ length: 20 }, (_, index) => gym.step(episodeId, index, `get ${index + 1} dirt`));
  const forks = await Promise.all(Array.from({ length: 5 }, () => gym.call("fork", { episodeId })));
  const replies = await Promise.all(steps);
  for (const fork of forks) {
    const { steps: copied } = await gym.call("transcript", { episodeId: fork.episodeId });
    expect(copied.map(({ action, ...reply }) => reply)).toEqual(
      replies.slice(0, fork.index).map((text) => JSON.parse(text)),
    );
  }
});
