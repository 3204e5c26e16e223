import { expect, test } from "vitest";
import { fixture, openGym } from "../../support/gym.js";

const gym = await openGym({ environments: [fixture("faulty")] });
const [ada, bob, eve] = [await gym.createToken(), await gym.createToken(), await gym.createToken()];

test("the same key and request give the same episode", async () => {
  const first = await gym.create({ idempotencyKey: "a", seed: 3 });
  expect(await gym.create({ idempotencyKey: "a", seed: 3 })).toEqual(first);
});

test("a repeated create returns the present state of the episode", async () => {
  const { episodeId } = await gym.create({ idempotencyKey: "now" });
  await gym.step(episodeId, 0, "get 1 dirt");
  expect(await gym.create({ idempotencyKey: "now" })).toMatchObject({ episodeId, index: 1, observation: "Got 1 dirt" });
});

test("a default and its explicit value are the same request", async () => {
  const { episodeId } = await gym.create({ idempotencyKey: "spelt" });
  expect(await gym.create({ idempotencyKey: "spelt", seed: 0 })).toMatchObject({ episodeId });
});

test("twenty concurrent calls of create with one key create one episode", async () => {
  const made = await Promise.all(
    Array.from({ length: 20 }, () => gym.create({ idempotencyKey: "at once" }, { token: eve })),
  );
  expect(new Set(made.map(({ episodeId }) => episodeId)).size).toBe(1);
  expect((await gym.call("list", {}, { token: eve })).episodes).toHaveLength(1);
});

test.each([
  ["task", { task: { split: "all", index: 1 } }],
  ["seed", { seed: 1 }],
  ["maxSteps", { maxSteps: 7 }],
  ["leaseMs", { leaseMs: 7_000 }],
  ["options", { environment: "plain", task: { split: "only", index: 0 }, options: { voice: "loud" } }],
  ["environment", { environment: "faulty", task: { split: "play", index: 0 } }],
])("the same key with another %s is refused", async (field, change) => {
  await gym.create({ idempotencyKey: `other ${field}` });
  expect(
    await gym.refusal("create", {
      idempotencyKey: `other ${field}`,
      environment: "textcraft",
      task: { split: "all", index: 0 },
      ...change,
    }),
  ).toMatchObject({ code: "IDEMPOTENCY_CONFLICT" });
});

test("the same key with another request is refused while the first is still running", async () => {
  const sent = await Promise.all(
    [0, 1].map((seed) =>
      gym.send("create", { idempotencyKey: "race", environment: "textcraft", task: { index: 0 }, seed }),
    ),
  );
  expect(sent.map(({ statusCode }) => statusCode)).toEqual([200, 409]);
});

test("the keys of different callers are independent", async () => {
  const made = await Promise.all(
    [ada, bob, undefined].map((token) => gym.create({ idempotencyKey: "shared" }, { token })),
  );
  expect(new Set(made.map(({ episodeId }) => episodeId)).size).toBe(3);
});

test("every create without a key creates another episode", async () => {
  const [a, b] = [await gym.create(), await gym.create()];
  expect(a.episodeId).not.toBe(b.episodeId);
});

test("a failed create can be repeated with its key", async () => {
  const params = { idempotencyKey: "again", environment: "faulty", task: { split: "reset", index: 0 } };
  expect(await gym.refusal("create", params)).toMatchObject({ code: "ENVIRONMENT_THREW" });
  expect(await gym.refusal("create", params)).toMatchObject({ code: "ENVIRONMENT_THREW" });
  expect(await gym.create({ idempotencyKey: "again" })).toMatchObject({ environment: "textcraft@1" });
});

test("createMany with a key creates each entry once", async () => {
  const episodes = [0, 1, 2].map((index) => ({ environment: "textcraft", task: { index } }));
  const first = await gym.call("createMany", { idempotencyKey: "many", episodes });
  expect(await gym.call("createMany", { idempotencyKey: "many", episodes })).toEqual(first);
  const longer = [...episodes, { environment: "textcraft", task: { index: 3 } }];
  const { results } = await gym.call("createMany", { idempotencyKey: "many", episodes: longer });
  expect(results.slice(0, 3)).toEqual(first.results);
  expect(new Set(results.map((result) => "episodeId" in result && result.episodeId)).size).toBe(4);
});

test("a key survives a restart", async () => {
  const before = await openGym();
  const { episodeId } = await before.create({ idempotencyKey: "kept" });
  await before.step(episodeId, 0, "get 1 dirt");
  const after = await before.restart();
  expect(await after.create({ idempotencyKey: "kept" })).toMatchObject({ episodeId, index: 1 });
  expect(
    await after.refusal("create", {
      idempotencyKey: "kept",
      environment: "textcraft",
      task: { split: "all", index: 0 },
      seed: 1,
    }),
  ).toMatchObject({ code: "IDEMPOTENCY_CONFLICT" });
});

test("a key survives a change of the gym's default lease", async () => {
  const before = await openGym({ leases: { defaultMs: 60_000 } });
  const { episodeId } = await before.create({ idempotencyKey: "kept" });
  const after = await before.restart({ leases: { defaultMs: 90_000 } });
  expect(await after.create({ idempotencyKey: "kept" })).toMatchObject({ episodeId, leaseMs: 60_000 });
});

test("a key also finds an episode that ended or was deleted", async () => {
  const { episodeId } = await gym.create({ idempotencyKey: "gone" });
  await gym.call("close", { episodeId });
  expect(await gym.create({ idempotencyKey: "gone" })).toMatchObject({ episodeId, phase: "closed" });
});
