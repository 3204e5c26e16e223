import { expect, test } from "vitest";
import { eventually, fixture, openGym, type TestGym } from "../../support/gym.js";

const leases = { defaultMs: 60, sweepMs: 10 };
const live = (gym: TestGym) => gym.metric("palestra_live_episodes");
const parked = (gym: TestGym) => eventually(async () => (await live(gym)) === 0);

async function untouched(gym: TestGym, params: object): Promise<{ episodeId: string; replies: string[] }> {
  const { episodeId } = await gym.create({ ...params, leaseMs: 60_000 });
  const replies = [];
  for (let index = 0; index < 6; index++) replies.push(await gym.step(episodeId, index, actionAt(index)));
  await gym.call("close", { episodeId });
  return { episodeId, replies };
}

const actionAt = (index: number) => (index % 2 === 0 ? `get ${index + 1} dirt` : "inventory");

test("an episode without calls is parked, and its next call restores it", async () => {
  const gym = await openGym({ leases });
  const { replies } = await untouched(gym, {});
  const { episodeId } = await gym.create();
  const played = [];
  for (let index = 0; index < 6; index++) {
    await parked(gym);
    played.push(await gym.step(episodeId, index, actionAt(index)));
  }
  expect(played).toEqual(replies);
  expect(await gym.metric("palestra_leases_lapsed_total")).toBeGreaterThanOrEqual(6);
});

test("every operation finds a parked episode", async () => {
  const gym = await openGym({ leases, localExpert: true });
  const { episodeId } = await gym.create();
  const reply = await gym.step(episodeId, 0, "get 1 dirt");
  await parked(gym);
  expect(await gym.call("get", { episodeId })).toMatchObject({ phase: "running", index: 1, observation: "Got 1 dirt" });
  expect(await live(gym)).toBe(0);
  expect(await gym.step(episodeId, 0, "get 1 dirt")).toBe(reply);
  expect((await gym.call("transcript", { episodeId })).steps).toHaveLength(1);
  await parked(gym);
  expect((await gym.call("expert", { episodeId })).action).toMatch(/^(get|craft) /);
  await parked(gym);
  expect(await gym.call("fork", { episodeId })).toMatchObject({ index: 1 });
  await parked(gym);
  await gym.call("close", { episodeId });
  expect(await gym.refusal("step", { episodeId, index: 1, action: "inventory" })).toMatchObject({
    code: "EPISODE_CLOSED",
  });
});

test("a call renews the lease of its own episode only", async () => {
  const gym = await openGym({ leases: { defaultMs: 3_000, sweepMs: 10 }, localExpert: true });
  const calls = ["get", "step", "transcript", "expert"] as const;
  const { episodeId: forgotten } = await gym.create();
  const called = await Promise.all(calls.map(() => gym.create()));
  await gym.step(forgotten, 0, "inventory");
  const lapsed = () => gym.metric("palestra_leases_lapsed_total").catch(() => 0);
  // The renewed leases began before the lease that expires.
  while ((await lapsed()) === 0) {
    for (const [i, name] of calls.entries()) {
      const episodeId = called[i]?.episodeId;
      await gym.call(name, name === "step" ? { episodeId, index: 0, action: "inventory" } : { episodeId });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await live(gym)).toBe(calls.length);
  expect(await lapsed()).toBe(1);
});

test("an episode with a longer lease outlives those with the default lease", async () => {
  const gym = await openGym({ leases });
  await gym.create();
  const { leaseMs } = await gym.create({ leaseMs: 60_000 });
  expect(leaseMs).toBe(60_000);
  await eventually(async () => (await live(gym)) === 1);
});

test("an ended episode has no instance and still returns its last reply", async () => {
  const gym = await openGym({ leases });
  const { episodeId } = await gym.create({ maxSteps: 1, leaseMs: 60_000 });
  const reply = await gym.step(episodeId, 0, "inventory");
  expect(await live(gym)).toBe(0);
  expect(await gym.step(episodeId, 0, "inventory")).toBe(reply);
});

test("an episode that cannot be restored is lost when its lease lapses", async () => {
  const gym = await openGym({ leases, environments: [fixture("unrestorable")] });
  const { episodeId } = await gym.create({ environment: "unrestorable", task: { index: 0 } });
  await gym.step(episodeId, 0, "on");
  await parked(gym);
  expect(await gym.call("get", { episodeId })).toMatchObject({
    phase: "failed",
    index: 1,
    failure: { code: "EPISODE_LOST", class: "infrastructure" },
  });
  expect(await gym.refusal("step", { episodeId, index: 1, action: "on" })).toMatchObject({
    code: "EPISODE_FAILED",
    details: { failure: { code: "EPISODE_LOST" } },
  });
  expect(await gym.call("step", { episodeId, index: 0, action: "on" })).toMatchObject({ observation: "1: on" });
});

test("a lease does not lapse during a step", async () => {
  const gym = await openGym({ leases, environments: [fixture("faulty")], hosts: { count: 1, stepDeadlineMs: 5_000 } });
  const { episodeId } = await gym.create({ environment: "faulty", task: { index: 0 } });
  expect(await gym.call("step", { episodeId, index: 0, action: "slow" })).toMatchObject({ observation: "1: slow" });
  expect(await gym.metric("palestra_leases_lapsed_total").catch(() => 0)).toBe(0);
});
