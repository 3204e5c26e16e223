/** A restarted server continues every episode of its data directory unchanged. */
import { describe, expect, test } from "vitest";
import { type EpisodeReply, eventually, fixture, openGym } from "../../support/gym.js";

const environments = ["faulty", "plain", "unrestorable"].map(fixture);

test("a step that runs while the gym closes is refused with SERVER_DRAINING, and can be repeated", async () => {
  const before = await openGym({ environments, hosts: { count: 1, stepDeadlineMs: 60_000 } });
  const { episodeId } = await before.create({ environment: "faulty", task: { index: 0 } });
  const refused = before.refusal("step", { episodeId, index: 0, action: "hang" });
  await eventually(async () => (await before.metric("palestra_steps_in_flight")) === 1);
  const after = await before.restart();
  expect(await refused).toMatchObject({ code: "SERVER_DRAINING" });
  expect(await after.call("step", { episodeId, index: 0, action: "on" })).toMatchObject({ observation: "1: on" });
});

describe("after a restart", () => {
  test("running, ended, failed and closed episodes keep their phase", async () => {
    const before = await openGym({ environments });
    const faulty = { environment: "faulty", task: { index: 4 } };
    const running = await before.create({ seed: 4, maxSteps: 30, leaseMs: 9_000 });
    await before.step(running.episodeId, 0, "get 1 dirt");
    const ended = await before.create(faulty);
    await before.step(ended.episodeId, 0, "end");
    const truncated = await before.create({ maxSteps: 1 });
    await before.step(truncated.episodeId, 0, "inventory");
    const failed = await before.create(faulty);
    await before.step(failed.episodeId, 0, "hello");
    await before.refusal("step", { episodeId: failed.episodeId, index: 1, action: "throw" });
    const closed = await before.create();
    await before.call("close", { episodeId: closed.episodeId });
    const forked = await before.call("fork", { episodeId: running.episodeId });
    const untouched = await before.create({ environment: "plain", task: { index: 2 }, seed: 6 });

    const all = [running, ended, truncated, failed, closed, forked, untouched];
    const states = async (gym: typeof before) =>
      Promise.all(all.map(({ episodeId }) => gym.call("get", { episodeId })));
    const transcripts = async (gym: typeof before) =>
      Promise.all(all.map(({ episodeId }) => gym.text("transcript", { episodeId })));
    const known = {
      states: await states(before),
      transcripts: await transcripts(before),
      list: await before.call("list"),
    };
    expect(known.states.map(({ phase }) => phase)).toEqual([
      "running",
      "ended",
      "ended",
      "failed",
      "closed",
      "running",
      "running",
    ]);

    const after = await before.restart();
    expect({
      states: await states(after),
      transcripts: await transcripts(after),
      list: await after.call("list"),
    }).toEqual(known);
  });

  test.each([
    {
      environment: "textcraft",
      actions: ["get 3 dirt", "inventory", "dance", "get 2 stone", "inventory", "inventory"],
    },
    { environment: "plain", actions: ["a", "", "b\u0000c", "\ud800", "😀", "d"] },
    { environment: "faulty", actions: ["a", "throw at close", "no way", "b", "c", "end"] },
  ])("$environment continues unchanged", async ({ environment, actions }) => {
    const params = { environment, task: { index: 1 } };
    const undisturbed = await openGym({ environments });
    const whole = await undisturbed.create(params);
    const expected = [];
    for (const [index, action] of actions.entries())
      expected.push(await undisturbed.step(whole.episodeId, index, action));

    let gym = await openGym({ environments });
    const { episodeId } = await gym.create(params);
    const replies = [];
    for (const [index, action] of actions.entries()) {
      replies.push(await gym.step(episodeId, index, action));
      if (index % 2 === 0) gym = await gym.restart();
    }
    expect(replies).toEqual(expected);
  });

  test("concurrent steps of a parked episode are taken in order by one restored instance", async () => {
    const before = await openGym();
    const { episodeId } = await before.create();
    await before.step(episodeId, 0, "get 1 dirt");
    const after = await before.restart();
    const replies = await Promise.all(
      [1, 2, 3, 4, 5].map((index) => after.call("step", { episodeId, index, action: "get 1 dirt" })),
    );
    expect(replies.map(({ index }) => index)).toEqual([1, 2, 3, 4, 5]);
    expect(await after.metric("palestra_live_episodes")).toBe(1);
    expect(await after.call("step", { episodeId, index: 6, action: "inventory" })).toMatchObject({
      observation: expect.stringContaining("[dirt] (6)"),
    });
  });

  test("a repeated step returns its stored reply without an instance", async () => {
    const before = await openGym();
    const { episodeId } = await before.create();
    const replies = [await before.step(episodeId, 0, "get 1 dirt"), await before.step(episodeId, 1, "inventory")];
    const after = await before.restart();
    expect(await after.step(episodeId, 1, "inventory")).toBe(replies[1]);
    expect(await after.step(episodeId, 0, "get 1 dirt")).toBe(replies[0]);
    expect(await after.metric("palestra_live_episodes")).toBe(0);
  });

  test("an id is never reused, even if its episode was deleted", async () => {
    let gym = await openGym();
    const ids = new Set<string>();
    const keys = new Set<string>();
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 3; i++) {
        const { episodeId } = await gym.create();
        ids.add(episodeId);
        keys.add(episodeId.split("-")[1] as string);
        await gym.call("close", { episodeId });
      }
      gym = await gym.restart();
    }
    expect([ids.size, keys.size]).toEqual([9, 9]);
  });

  test("an episode that cannot be restored is refused with EPISODE_LOST", async () => {
    const before = await openGym({ environments });
    const { episodeId } = await before.create({ environment: "unrestorable", task: { index: 0 } });
    const reply = await before.step(episodeId, 0, "on");
    const after = await before.restart();
    expect(await after.refusal("step", { episodeId, index: 1, action: "on" })).toMatchObject({
      code: "EPISODE_FAILED",
      details: { failure: { code: "EPISODE_LOST", class: "infrastructure" } },
    });
    expect(await after.step(episodeId, 0, "on")).toBe(reply);
  });

  test("an episode is refused while its environment is not registered, and continues once it is", async () => {
    const before = await openGym({ environments });
    const { episodeId } = await before.create({ environment: "plain", task: { index: 0 } });
    await before.step(episodeId, 0, "a");
    const without = await before.restart({});
    expect(await without.refusal("get", { episodeId })).toMatchObject({ code: "ENVIRONMENT_UNKNOWN" });
    expect((await without.call("list")).episodes).toHaveLength(1);
    const again = await without.restart({ environments });
    expect(await again.call("step", { episodeId, index: 1, action: "b" })).toMatchObject({ observation: "a b" });
  });

  test("an environment that replays differently fails its episode", async () => {
    const before = await openGym({ environments });
    const { episodeId } = await before.create({ environment: "faulty", task: { index: 0 } });
    await before.step(episodeId, 0, "diverge");
    const after = await before.restart();
    expect(await after.refusal("step", { episodeId, index: 1, action: "hello" })).toMatchObject({
      code: "ENVIRONMENT_DIVERGED",
      class: "environment",
    });
    const { phase, failure, index } = await after.call("get", { episodeId });
    expect([phase, failure?.code, index]).toEqual(["failed", "ENVIRONMENT_DIVERGED", 1]);
  });

  test("a long episode is restored completely", async () => {
    const before = await openGym({ environments });
    const { episodeId } = await before.create({ environment: "faulty", task: { index: 0 } });
    for (let from = 0; from < 9_000; from += 1_000) {
      const steps = Array.from({ length: 1_000 }, (_, i) => ({ episodeId, index: from + i, action: `a${from + i}` }));
      await before.call("stepMany", { steps });
    }
    const after = await before.restart();
    expect(await after.call("step", { episodeId, index: 9_000, action: "on" })).toMatchObject({
      observation: "9001: on",
    });
  });
});

test("a second server on the same data is refused, and the first continues", async () => {
  const gym = await openGym();
  await expect(openGym({}, gym.dataDir)).rejects.toMatchObject({ code: "LOG_FAILED" });
  expect((await gym.create()).phase).toBe("running");
});

test("episodes older than retainDays are removed when the server starts", async () => {
  const before = await openGym();
  const { episodeId } = await before.create();
  await before.step(episodeId, 0, "inventory");
  const after = await before.restart({ log: { retainDays: 1e-9 } });
  const gone: EpisodeReply["phase"] | string = (await after.send("get", { episodeId })).json().error?.code;
  expect(gone).toBe("EPISODE_UNKNOWN");
});
