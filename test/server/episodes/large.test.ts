/** Replies, reset results and histories that exceed the memory for them. */
import { expect, onTestFinished, test, vi } from "vitest";
import { Log } from "#palestra/server/log/log.js";
import { checkError, fixture, openGym } from "../../support/gym.js";

const gym = await openGym({ environments: [fixture("bulky")], hosts: { count: 1 } });
const create = (index = 0) => gym.create({ environment: "bulky", task: { index } });

const size = 900_000;
const upTo = (length: number) => Array.from({ length }, (_, i) => i);

test("a batch returns as many replies as fit, and a repeated step returns the others", async () => {
  const { episodeId } = await create();
  const steps = upTo(30).map((index) => ({ episodeId, index, action: `${size}` }));
  const { results } = await gym.call("stepMany", { steps });
  const answered = results.filter((result) => "observation" in result);
  expect(answered.length).toBe(Math.floor(2 ** 24 / (size + 100)));
  expect(checkError(results.at(-1))).toMatchObject({
    code: "BATCH_TOO_LARGE",
    message: expect.stringContaining("the step was taken"),
  });
  const last = { episodeId, index: 29, action: `${size}` };
  expect((await gym.call("step", last)).observation.slice(0, 3)).toBe("30x");
  expect(await gym.call("get", { episodeId })).toMatchObject({ index: 30 });
});

test("a single step returns its reply however large it is", async () => {
  const { episodeId } = await create();
  const { results } = await gym.call("stepMany", { steps: [{ episodeId, index: 0, action: "16777000" }] });
  expect(results).toMatchObject([{ index: 0 }]);
});

test("a batch of creates names the episodes whose reset results do not fit", async () => {
  const episodes = upTo(30).map(() => ({ environment: "bulky", task: { index: size } }));
  const { results } = await gym.call("createMany", { episodes });
  const refused = results.filter((result) => "error" in result).map((result) => checkError(result));
  expect(refused.length).toBeGreaterThan(5);
  for (const { details } of refused) {
    const { episodeId } = details as { episodeId: string };
    expect((await gym.call("get", { episodeId })).observation).toHaveLength(size);
  }
});

test("reset results are read from the log only when they are not in memory", async () => {
  const called = vi.spyOn(Log.prototype, "call");
  onTestFinished(() => called.mockRestore());
  // The gym also reads the free space, and with a database the use of other gyms, at intervals. These calls do not
  // count here.
  const calls = () =>
    called.mock.calls
      .splice(0)
      .map(([method]) => method)
      .filter((method) => method !== "space" && method !== "shareUse");
  const { episodeId, observation } = await create(size);
  expect([calls(), observation.length]).toEqual([["createEpisode"], size]);
  expect((await gym.call("get", { episodeId })).observation).toBe(observation);
  expect(calls()).toEqual(["readResetResult", "findEpisode"]);
  await gym.call("list");
  expect(calls()).toEqual(["listEpisodes"]);
  await gym.app.inject({ method: "POST", url: "/agentgym/textcraft/create", payload: {} });
  expect(calls()).toEqual(["createEpisode", "setAlias"]);
});

test("a long history is replayed in chunks, after a restart and in a fork", async () => {
  const before = await openGym({ environments: [fixture("bulky")], hosts: { count: 1 } });
  const { episodeId } = await before.create({ environment: "bulky", task: { index: 5 } });
  for (const index of upTo(14)) await before.step(episodeId, index, `${size}`);
  const after = await before.restart();
  expect((await after.call("step", { episodeId, index: 14, action: "3" })).observation).toBe("15xxx");
  const fork = await after.call("fork", { episodeId, index: 12 });
  expect(fork).toMatchObject({ index: 12, parent: episodeId });
  expect((await after.call("step", { episodeId: fork.episodeId, index: 12, action: "2" })).observation).toBe("13xx");
});

test("large replies of many episodes do not pile up between the threads", async () => {
  const episodes = await Promise.all(upTo(100).map(() => create()));
  const replies = await Promise.all(
    episodes.map(({ episodeId }) => gym.call("step", { episodeId, index: 0, action: `${size}` })),
  );
  for (const { observation } of replies) expect(observation).toHaveLength(size + 1);
});
