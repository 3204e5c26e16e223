/** The calls behind AgentGym's routes, with an environment that has missing and failing tasks. */
import { expect, onTestFinished, test, vi } from "vitest";
import { AgentgymError, AgentgymSurface } from "#palestra/server/app/routes/agentgym/surface.js";
import { lasting } from "#palestra/server/episodes/episode/client.js";
import type { Gym } from "#palestra/server/episodes/gym.js";
import type { GymError } from "#palestra/server/errors.js";
import { eventually } from "../../../../support/gym.js";
import { openFaultyGym } from "../../../faulty-gym.js";

const owner = "ada";
const visitor = { owner, client: lasting };
const outOfRange = -1;
/** Index of the first task that breaks when it is reset. */
const broken = 1_000;
const longerThanAnyLease = 86_400_000;

async function surfaceOf(gym: Gym): Promise<AgentgymSurface> {
  const surface = await AgentgymSurface.open(gym, {
    name: "faulty",
    environment: "faulty@1",
    taskOf: (i) => ({
      task: i < broken ? { split: "play", index: i } : { split: "reset", index: i - broken },
      seed: 0,
    }),
  });
  onTestFinished(() => surface.stop());
  return surface;
}

const failure = (call: Promise<unknown>) => call.catch((error: AgentgymError | GymError) => error);
const finished = new AgentgymError("The task with environment 0 has finished.");
const unknown = new AgentgymError("The id 0 is not valid.");

test("a reset to a task that does not exist changes nothing", async () => {
  const surface = await surfaceOf(await openFaultyGym(1));
  await surface.create(visitor, () => 3);
  await surface.step(owner, 0, "a");
  expect(await failure(surface.reset(visitor, 0, outOfRange))).toMatchObject({ code: "TASK_OUT_OF_RANGE" });
  expect(await surface.step(owner, 0, "b")).toMatchObject({ observation: "2: b", done: false });
});

test("a reset that fails for another reason ends the old task, and can be repeated", async () => {
  const gym = await openFaultyGym(1);
  const surface = await surfaceOf(gym);
  await surface.create(visitor, () => 3);
  await surface.step(owner, 0, "a");
  expect(await failure(surface.reset(visitor, 0, broken))).toMatchObject({ code: "ENVIRONMENT_THREW" });
  for (const standing of [surface, await surfaceOf(gym)]) {
    expect(await failure(standing.step(owner, 0, "b"))).toEqual(finished);
    expect(await standing.observe(owner, 0)).toMatchObject({ observation: "1: a" });
  }
  expect(gym.status.liveEpisodes).toBe(0);
  expect(await surface.reset(visitor, 0, 5)).toMatchObject({ observation: "task play:5", done: false });
  expect(await surface.step(owner, 0, "b")).toMatchObject({ observation: "1: b" });
  expect(await surface.close(owner, 0)).toBe(true);
});

test("a reset whose client has disconnected does not change the task", async () => {
  const surface = await surfaceOf(await openFaultyGym(1));
  await surface.create(visitor, () => 3);
  await surface.step(owner, 0, "a");
  const gone = { owner, client: { ...lasting, isGone: true } };
  expect(await failure(surface.reset(gone, 0, 5))).toMatchObject({ code: "CALLER_GONE" });
  expect(await failure(surface.create(gone, () => 3))).toMatchObject({ code: "CALLER_GONE" });
  expect(await surface.step(owner, 0, "b")).toMatchObject({ observation: "2: b" });
});

test("a failed episode replies with its failure until a reset", async () => {
  const surface = await surfaceOf(await openFaultyGym(1));
  await surface.create(visitor, () => 3);
  expect(await failure(surface.step(owner, 0, "throw"))).toMatchObject({ code: "ENVIRONMENT_THREW" });
  expect(await failure(surface.step(owner, 0, "a"))).toMatchObject({ code: "EPISODE_FAILED" });
  expect(await surface.reset(visitor, 0, 4)).toMatchObject({ observation: "task play:4" });
});

test("an episode whose environment id cannot be logged does not count against its owner", async () => {
  const gym = await openFaultyGym(1);
  const surface = await surfaceOf(gym);
  const call = gym.log.call.bind(gym.log);
  gym.log.call = ((method, ...args) =>
    method === "setAlias" ? Promise.reject(new Error("as asked")) : call(method, ...args)) as typeof call;
  expect(await failure(surface.create(visitor, () => 3))).toEqual(new Error("as asked"));
  expect(gym.status.liveEpisodes).toBe(0);
});

test("an environment id whose episode was removed is unknown to every call, before and after a restart", async () => {
  vi.useFakeTimers({ toFake: ["Date", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const gym = await openFaultyGym(1);
  const surface = await surfaceOf(gym);
  await surface.create(visitor, () => 3);
  await surface.step(owner, 0, "end");
  await forgetAll(gym);
  for (const standing of [surface, await surfaceOf(gym)]) {
    expect(await failure(standing.observe(owner, 0))).toEqual(unknown);
    expect(await failure(standing.step(owner, 0, "a"))).toEqual(unknown);
    expect(await failure(standing.reset(visitor, 0, 3))).toEqual(unknown);
    expect(await standing.close(owner, 0)).toBe(false);
  }
  expect(await surface.create(visitor, () => 3)).toMatchObject({ id: 1 });
});

/** Makes the gym drop its one episode from memory, and then removes it from the log. */
async function forgetAll(gym: Gym): Promise<void> {
  vi.advanceTimersByTime(longerThanAnyLease);
  await eventually(() => gym.status.episodesInMemory === 0);
  expect(await gym.log.call("prune", Date.now(), [], 10)).toBe(1);
}
