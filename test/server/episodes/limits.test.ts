import { describe, expect, test } from "vitest";
import { fixture, openGym } from "../../support/gym.js";

const environments = [fixture("faulty")];
const faulty = { environment: "faulty", task: { index: 0 } };

describe("live episodes", () => {
  test("of one token are limited independently of another token", async () => {
    const gym = await openGym();
    const [ada, bob] = [await gym.createToken([], 2), await gym.createToken([], 2)];
    const textcraft = { environment: "textcraft", task: { index: 0 } };
    for (let i = 0; i < 2; i++) await gym.create({}, { token: ada });
    expect(await gym.refusal("create", textcraft, { token: ada })).toMatchObject({
      code: "LIMIT_TOKEN_EPISODES",
      class: "capacity",
      message:
        "The token has reached its limit of 2 live episodes (2 in use). A place becomes free when an episode ends, is deleted, or its lease expires.",
      details: { limit: 2, used: 2, of: "token" },
    });
    await gym.create({}, { token: bob });
    await gym.create();
  });

  test("of callers without a token are limited together", async () => {
    const gym = await openGym({ limits: { maxEpisodesPerCaller: 1 } });
    await gym.create();
    expect(await gym.refusal("create", { environment: "textcraft", task: { index: 0 } })).toMatchObject({
      code: "LIMIT_TOKEN_EPISODES",
      message: expect.stringMatching(/^The callers without a token have reached their limit of 1 live episodes/),
    });
  });

  test("of all owners together are limited", async () => {
    const gym = await openGym({ limits: { maxEpisodes: 2 } });
    const token = await gym.createToken();
    await gym.create();
    await gym.create({}, { token });
    for (const sent of [{}, { token }]) {
      expect(await gym.refusal("create", { environment: "textcraft", task: { index: 0 } }, sent)).toMatchObject({
        code: "LIMIT_EPISODES",
        class: "capacity",
      });
    }
  });

  test("no longer count once they are deleted, end, fail, or lose their lease", async () => {
    const gym = await openGym({ environments, limits: { maxEpisodes: 1 }, leases: { sweepMs: 10, defaultMs: 60_000 } });
    const refused = async () => expect(await gym.refusal("create", faulty)).toMatchObject({ code: "LIMIT_EPISODES" });

    const deleted = await gym.create(faulty);
    await refused();
    await gym.call("close", { episodeId: deleted.episodeId });

    const ended = await gym.create(faulty);
    await refused();
    await gym.step(ended.episodeId, 0, "end");

    const failed = await gym.create(faulty);
    await refused();
    await gym.refusal("step", { episodeId: failed.episodeId, index: 0, action: "throw" });

    const parked = await gym.create({ ...faulty, leaseMs: 1_000 });
    await refused();
    await expect.poll(() => gym.metric("palestra_live_episodes")).toBe(0);

    const last = await gym.create(faulty);
    expect(await gym.refusal("step", { episodeId: parked.episodeId, index: 0, action: "on" })).toMatchObject({
      code: "LIMIT_EPISODES",
    });
    await gym.call("close", { episodeId: last.episodeId });
    expect(await gym.call("step", { episodeId: parked.episodeId, index: 0, action: "on" })).toMatchObject({ index: 0 });
  });

  test("are not counted for a failed create, nor twice for one key", async () => {
    const gym = await openGym({ environments, limits: { maxEpisodes: 2 } });
    for (let i = 0; i < 5; i++)
      await gym.refusal("create", { environment: "faulty", task: { split: "reset", index: 0 } });
    for (let i = 0; i < 5; i++) await gym.create({ idempotencyKey: "one" });
    await gym.create();
    expect(await gym.metric("palestra_live_episodes")).toBe(2);
  });

  test("created concurrently are limited like those created one by one", async () => {
    const gym = await openGym({ limits: { maxEpisodes: 5 } });
    const { results } = await gym.call("createMany", {
      episodes: Array.from({ length: 20 }, (_, index) => ({ environment: "textcraft", task: { index } })),
    });
    expect(results.filter((result) => "episodeId" in result)).toHaveLength(5);
    expect(await gym.metric("palestra_live_episodes")).toBe(5);
  });

  test("include forks, both those with a live instance and those restored at their first call", async () => {
    const gym = await openGym({ environments, limits: { maxEpisodes: 2 } });
    const { episodeId } = await gym.create();
    await gym.call("fork", { episodeId });
    expect(await gym.refusal("fork", { episodeId })).toMatchObject({ code: "LIMIT_EPISODES" });
    expect(await gym.metric("palestra_live_episodes")).toBe(2);
  });

  test("of a revoked token do not count for another token", async () => {
    const gym = await openGym();
    const [ada, bob] = [await gym.createToken([], 1), await gym.createToken([], 1)];
    const { episodeId } = await gym.create({}, { token: ada });
    await gym.create({}, { token: bob });
    await gym.call("close", { episodeId }, { token: ada });
    await gym.create({}, { token: ada });
  });
});

describe("steps in flight", () => {
  test("of one episode are limited, and an answered step frees its place", async () => {
    const gym = await openGym({ environments, limits: { maxPendingSteps: 3 } });
    const { episodeId } = await gym.create(faulty);
    const step = (index: number) => ({ episodeId, index, action: index === 0 ? "slow" : "on" });
    const { results } = await gym.call("stepMany", { steps: [0, 1, 2, 3].map(step) });
    expect(results.map((result) => ("error" in result ? result.error.code : result.index))).toEqual([
      0,
      1,
      2,
      "LIMIT_IN_FLIGHT",
    ]);
    expect(await gym.call("step", step(3))).toMatchObject({ index: 3 });
  });

  test("of one caller are limited to its share, and an answered step frees its place", async () => {
    const gym = await openGym({ environments, limits: { maxInFlightSteps: 4 } });
    const episodes = await Promise.all([0, 1, 2].map(() => gym.create(faulty)));
    const steps = episodes.map(({ episodeId }) => ({ episodeId, index: 0, action: "on" }));
    const { results } = await gym.call("stepMany", { steps });
    expect(results.map((result) => ("error" in result ? result.error.code : result.index))).toEqual([
      0,
      0,
      "LIMIT_IN_FLIGHT",
    ]);
    expect(await gym.metric("palestra_steps_in_flight")).toBe(0);
    expect(await gym.refusal("step", { ...steps[2], index: 5 })).toMatchObject({ code: "STEP_INDEX" });
    expect(await gym.call("step", steps[2])).toMatchObject({ index: 0 });
  });
});

describe("sizes", () => {
  test("an action as long as the limit is taken, and a longer one is refused without a change", async () => {
    const gym = await openGym({ limits: { maxActionLength: 10 } });
    const { episodeId } = await gym.create();
    expect(await gym.refusal("step", { episodeId, index: 0, action: "x".repeat(11) })).toMatchObject({
      code: "ACTION_TOO_LARGE",
      message: "expected an action of at most 10 characters, but received 11",
    });
    expect(await gym.call("step", { episodeId, index: 0, action: "x".repeat(10) })).toMatchObject({ index: 0 });
  });

  test("an action of a million characters is taken by default", async () => {
    const gym = await openGym({ environments });
    const { episodeId } = await gym.create(faulty);
    const action = "x".repeat(1_000_000);
    const reply = await gym.step(episodeId, 0, action);
    expect(JSON.parse(reply).observation).toBe(`1: ${action}`);
    const after = await gym.restart();
    expect(await after.step(episodeId, 0, action)).toBe(reply);
    expect(await after.call("step", { episodeId, index: 1, action: "on" })).toMatchObject({ observation: "2: on" });
  });

  test("a body beyond the limit is refused, and one within it is accepted", async () => {
    const gym = await openGym({ limits: { maxBodyBytes: 1_000 } });
    const { episodeId } = await gym.create();
    expect(await gym.refusal("step", { episodeId, index: 0, action: "x".repeat(1_000) })).toMatchObject({
      code: "REQUEST_TOO_LARGE",
    });
    expect(await gym.call("step", { episodeId, index: 0, action: "x".repeat(900) })).toMatchObject({ index: 0 });
  });

  test("a reply beyond the limit fails its episode", async () => {
    const gym = await openGym({ environments, limits: { maxReplyLength: 1_000 } });
    const { episodeId } = await gym.create(faulty);
    expect(await gym.refusal("step", { episodeId, index: 0, action: "x".repeat(1_000) })).toMatchObject({
      code: "ENVIRONMENT_RESULT",
    });
  });
});
