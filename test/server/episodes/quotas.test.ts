/** Limits of a token and of a group on steps per day, and on live episodes with a sandbox. */
import { describe, expect, test } from "vitest";
import type { TokenOptions } from "#palestra/server/tokens/token-records.js";
import { eventually, fixture, openGym, type TestGym } from "../../support/gym.js";
import { InjectedSocket } from "../../support/injected-socket.js";

const textcraft = { environment: "textcraft", task: { index: 0 } };
const sheltered = { environment: "sheltered", task: { index: 0 } };
const environments = [fixture("sheltered"), fixture("faulty")];

/** Creates a token with these limits, and returns its secret. */
function tokenWith(gym: TestGym, limits: Partial<TokenOptions>): Promise<string> {
  return gym.createToken([], 100, limits);
}

function stepsOf(episodeId: string, from: number, count: number) {
  return Array.from({ length: count }, (_, i) => ({ episodeId, index: from + i, action: "inventory" }));
}

async function takeSteps(gym: TestGym, episodeId: string, count: number, token: string): Promise<(number | string)[]> {
  const { results } = await gym.call("stepMany", { steps: stepsOf(episodeId, 0, count) }, { token });
  return results.map((result) => ("error" in result ? result.error.code : result.index));
}

describe("the steps of a token on one day", () => {
  test("are limited, and the refusal states the limit, the use and the time of the next possible step", async () => {
    const gym = await openGym();
    const token = await tokenWith(gym, { maxStepsPerDay: 3 });
    const { episodeId } = await gym.create({}, { token });
    expect(await takeSteps(gym, episodeId, 4, token)).toEqual([0, 1, 2, "LIMIT_TOKEN_STEPS"]);
    const refusal = await gym.refusal("step", stepsOf(episodeId, 3, 1)[0], { token });
    const freesAt = refusal.details?.freesAt as string;
    expect(refusal).toEqual({
      code: "LIMIT_TOKEN_STEPS",
      class: "capacity",
      message: `The token has reached its limit of 3 steps per UTC day (3 in use). Steps are possible again from ${freesAt} on.`,
      details: { limit: 3, used: 3, of: "token", freesAt },
    });
    expect(freesAt).toMatch(/T00:00:00\.000Z$/);
    expect(Date.parse(freesAt) - Date.now()).toBeLessThanOrEqual(86_400_000);
    expect(Date.parse(freesAt)).toBeGreaterThan(Date.now());
  });

  test("do not count repeated steps, which get their stored replies even at the limit", async () => {
    const gym = await openGym();
    const token = await tokenWith(gym, { maxStepsPerDay: 2 });
    const { episodeId } = await gym.create({}, { token });
    const first = await gym.step(episodeId, 0, "inventory", { token });
    for (let i = 0; i < 3; i++) expect(await gym.step(episodeId, 0, "inventory", { token })).toBe(first);
    await gym.step(episodeId, 1, "inventory", { token });
    expect(await gym.step(episodeId, 0, "inventory", { token })).toBe(first);
  });

  test("count on every protocol together, and not for another token", async () => {
    const gym = await openGym();
    const token = await tokenWith(gym, { maxStepsPerDay: 3 });
    const other = await tokenWith(gym, { name: "bob", maxStepsPerDay: 3 });
    const authorization = `Bearer ${token}`;
    const agentgym = (path: string, payload: object) =>
      gym.app.inject({ method: "POST", url: `/agentgym/textcraft/${path}`, headers: { authorization }, payload });

    await agentgym("create", {});
    expect((await agentgym("step", { id: 0, action: "inventory" })).json()).toMatchObject({ done: false });
    const { episodeId } = await gym.create({}, { token });
    await gym.step(episodeId, 0, "inventory", { token });
    const socket = await InjectedSocket.open(gym, { token });
    await socket.text("step", stepsOf(episodeId, 1, 1)[0]);

    expect(await socket.refusal("step", stepsOf(episodeId, 2, 1)[0])).toMatchObject({ code: "LIMIT_TOKEN_STEPS" });
    expect((await agentgym("step", { id: 0, action: "inventory" })).json()).toEqual({
      error: expect.stringMatching(/^The token has reached its limit of 3 steps per UTC day/),
    });
    const others = await gym.create({}, { token: other });
    expect(await takeSteps(gym, others.episodeId, 3, other)).toEqual([0, 1, 2]);
  });

  test("do not count steps that failed", async () => {
    const gym = await openGym({ environments });
    const token = await tokenWith(gym, { maxStepsPerDay: 1 });
    const sent = { token };
    const failing = await gym.create({ environment: "faulty", task: { index: 0 } }, sent);
    const step = { episodeId: failing.episodeId, index: 0, action: "throw" };
    expect(await gym.refusal("step", step, sent)).toMatchObject({ code: "ENVIRONMENT_THREW" });
    const { episodeId } = await gym.create({}, sent);
    expect(await takeSteps(gym, episodeId, 2, token)).toEqual([0, "LIMIT_TOKEN_STEPS"]);
  });

  test("are still counted after a restart", async () => {
    const gym = await openGym();
    const token = await tokenWith(gym, { maxStepsPerDay: 5 });
    const { episodeId } = await gym.create({}, { token });
    await takeSteps(gym, episodeId, 3, token);
    const after = await gym.restart();
    const { results } = await after.call("stepMany", { steps: stepsOf(episodeId, 3, 3) }, { token });
    expect(results.map((result) => "error" in result)).toEqual([false, false, true]);
    const again = await after.restart();
    expect(await again.refusal("step", stepsOf(episodeId, 5, 1)[0], { token })).toMatchObject({
      details: { limit: 5, used: 5 },
    });
  });
});

describe("live episodes that hold a sandbox", () => {
  test("have a limit of their own, and one that ends frees its place", async () => {
    const gym = await openGym({ environments });
    const token = await tokenWith(gym, { maxSandboxEpisodes: 1 });
    const { episodeId } = await gym.create(sheltered, { token });
    expect(await gym.refusal("create", sheltered, { token })).toEqual({
      code: "LIMIT_TOKEN_SANDBOXES",
      class: "capacity",
      message:
        "The token has reached its limit of 1 live episodes that hold a sandbox (1 in use). A place becomes free when an episode ends, is deleted, or its lease expires.",
      details: { limit: 1, used: 1, of: "token" },
    });
    for (let i = 0; i < 3; i++) await gym.create(textcraft, { token });
    await gym.create(sheltered);
    await gym.call("step", { episodeId, index: 0, action: "end" }, { token });
    await gym.create(sheltered, { token });
  });

  test("are limited when they are restored", async () => {
    const gym = await openGym({ environments });
    const token = await tokenWith(gym, { maxSandboxEpisodes: 1 });
    const { episodeId } = await gym.create(sheltered, { token });
    const after = await gym.restart();
    const other = await after.create(sheltered, { token });
    const step = { episodeId, index: 0, action: "on" };
    expect(await after.refusal("step", step, { token })).toMatchObject({ code: "LIMIT_TOKEN_SANDBOXES" });
    await after.call("close", { episodeId: other.episodeId }, { token });
    expect(await after.call("step", step, { token })).toMatchObject({ index: 0 });
  });
});

describe("a group", () => {
  async function openGroup(gym: TestGym, limits: object): Promise<string[]> {
    await gym.changeTokens((tokens) => tokens.setGroup({ name: "lab-a", ...limits }));
    return [
      await tokenWith(gym, { name: "ada", group: "lab-a" }),
      await tokenWith(gym, { name: "bob", group: "lab-a" }),
    ];
  }

  test("shares its limits among its tokens, and not with others", async () => {
    const gym = await openGym({ environments });
    const limits = { maxEpisodes: 3, maxSandboxEpisodes: 1, maxStepsPerDay: 4 };
    const [ada, bob] = (await openGroup(gym, limits)) as [string, string];
    const first = await gym.create(sheltered, { token: ada });
    expect(await gym.refusal("create", sheltered, { token: bob })).toMatchObject({
      code: "LIMIT_TOKEN_SANDBOXES",
      message: expect.stringContaining("The group lab-a has reached its limit of 1 live episodes that hold a sandbox"),
      details: { of: "group" },
    });
    const second = await gym.create(textcraft, { token: bob });
    await gym.create(textcraft, { token: ada });
    expect(await gym.refusal("create", textcraft, { token: bob })).toMatchObject({
      code: "LIMIT_TOKEN_EPISODES",
      details: { limit: 3, used: 3, of: "group" },
    });

    expect(await takeSteps(gym, first.episodeId, 3, ada)).toEqual([0, 1, 2]);
    expect(await takeSteps(gym, second.episodeId, 2, bob)).toEqual([0, "LIMIT_TOKEN_STEPS"]);
    expect(await gym.call("usage", {}, { token: bob })).toMatchObject({
      stepsToday: { used: 1, limit: null },
      group: {
        episodes: { used: 3, limit: 3 },
        sandboxEpisodes: { used: 1, limit: 1 },
        stepsToday: { used: 4, limit: 4 },
      },
    });
    const { episodeId } = await gym.create();
    await gym.step(episodeId, 0, "inventory");
    expect(await gym.call("usage")).toMatchObject({ group: null });
  });

  test("keeps its count of steps over a restart and after the revocation of a token", async () => {
    const gym = await openGym();
    const [ada, bob] = (await openGroup(gym, { maxStepsPerDay: 3 })) as [string, string];
    const { episodeId } = await gym.create({}, { token: ada });
    await takeSteps(gym, episodeId, 2, ada);
    await gym.changeTokens((tokens) => tokens.revoke("ada"));
    const after = await gym.restart();
    const others = await after.create({}, { token: bob });
    expect(await takeSteps(after, others.episodeId, 2, bob)).toEqual([0, "LIMIT_TOKEN_STEPS"]);
  });

  test("does not show its tokens each other's episodes", async () => {
    const gym = await openGym();
    const [ada, bob] = (await openGroup(gym, {})) as [string, string];
    const { episodeId } = await gym.create({}, { token: ada });
    expect(await gym.refusal("get", { episodeId }, { token: bob })).toMatchObject({ code: "EPISODE_UNKNOWN" });
    expect((await gym.call("list", {}, { token: bob })).episodes).toEqual([]);
  });

  test("follows changed limits while the gym runs", async () => {
    const gym = await openGym();
    const [ada] = (await openGroup(gym, { maxStepsPerDay: 1 })) as [string];
    const { episodeId } = await gym.create({}, { token: ada });
    expect(await takeSteps(gym, episodeId, 2, ada)).toEqual([0, "LIMIT_TOKEN_STEPS"]);
    await gym.changeTokens((tokens) => tokens.setGroup({ name: "lab-a", maxStepsPerDay: 2 }));
    const step = stepsOf(episodeId, 1, 1)[0];
    await eventually(async () => (await gym.send("step", step, { token: ada })).statusCode === 200);
    expect(await takeSteps(gym, episodeId, 3, ada)).toEqual([0, 1, "LIMIT_TOKEN_STEPS"]);
  });
});

test("refusals are counted by the kind of limit and of its holder", async () => {
  const gym = await openGym({ environments, limits: { maxEpisodes: 3 } });
  const token = await tokenWith(gym, { maxEpisodes: 2, maxSandboxEpisodes: 1, maxStepsPerDay: 1 });
  const { episodeId } = await gym.create(sheltered, { token });
  await gym.refusal("create", sheltered, { token });
  await gym.create(textcraft, { token });
  await gym.refusal("create", textcraft, { token });
  for (let i = 0; i < 2; i++) await takeSteps(gym, episodeId, 2, token);
  await gym.create();
  await gym.refusal("create", textcraft);
  const { payload } = await gym.app.inject("/metrics");
  const counted = [...payload.matchAll(/^palestra_quota_refusals_total(.+)$/gm)].map(([, rest]) => rest);
  expect(counted.sort()).toEqual([
    `{quota="episodes",holder="gym"} 1`,
    `{quota="episodes",holder="token"} 1`,
    `{quota="sandbox_episodes",holder="token"} 1`,
    `{quota="steps",holder="token"} 2`,
  ]);
});

test("a caller can send a step while another caller has its full share of steps in flight", async () => {
  const gym = await openGym({ environments, limits: { maxInFlightSteps: 8 } });
  const [ada, bob] = [await tokenWith(gym, { name: "ada" }), await tokenWith(gym, { name: "bob" })];
  const open = async (token: string) =>
    (await gym.create({ environment: "faulty", task: { index: 0 } }, { token })).episodeId;
  const episodes = await Promise.all(Array.from({ length: 12 }, () => open(ada)));
  const others = await open(bob);
  const slow = episodes.map((episodeId) => ({ episodeId, index: 0, action: "slow" }));
  const greedy = gym.call("stepMany", { steps: slow }, { token: ada });
  await eventually(async () => (await gym.metric("palestra_steps_in_flight")) > 0);
  expect(await gym.call("step", { episodeId: others, index: 0, action: "on" }, { token: bob })).toMatchObject({
    index: 0,
  });
  const { results } = await greedy;
  const refused = results.filter((result) => "error" in result);
  expect(refused).toHaveLength(8);
  expect(refused[0]).toMatchObject({ error: { code: "LIMIT_IN_FLIGHT", class: "capacity" } });
});

test("a caller can send answers for scoring while another caller has its full share in flight", async () => {
  const gym = await openGym({
    environments,
    hosts: { count: 1, stepDeadlineMs: 30_000 },
    limits: { maxInFlightSteps: 8 },
  });
  const [ada, bob] = [await tokenWith(gym, { name: "ada" }), await tokenWith(gym, { name: "bob" })];
  const ask = (count: number, answer: string) => ({
    environment: "faulty",
    answers: new Array(count).fill({ task: { index: 0 }, answer }),
  });
  await gym.call("score", ask(1, "warm-up"), { token: ada });
  const greedy = gym.call("score", ask(5, "slow"), { token: ada });
  expect(await gym.refusal("score", ask(1, "on"), { token: ada })).toMatchObject({ code: "LIMIT_IN_FLIGHT" });
  expect((await gym.call("score", ask(2, "on"), { token: bob })).results).toMatchObject([
    { reward: 0.2 },
    { reward: 0.2 },
  ]);
  expect((await greedy).results).toHaveLength(5);
  expect((await gym.call("score", ask(1, "on"), { token: ada })).results).toMatchObject([{ reward: 0.2 }]);
});
