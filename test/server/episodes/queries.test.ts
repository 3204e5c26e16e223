/** Queries of running episodes. */
import { expect, test } from "vitest";
import { fixture, openGym, type TestGym } from "../../support/gym.js";

const gym = await openGym({ environments: [fixture("faulty")], hosts: { count: 1, stepDeadlineMs: 500 } });

async function open(on: TestGym, actions: readonly string[] = []): Promise<string> {
  const { episodeId } = await on.create({ environment: "faulty", task: { index: 0 } });
  for (const [index, action] of actions.entries()) await on.step(episodeId, index, action);
  return episodeId;
}

test("an environment lists its queries, each with its summary", async () => {
  const { queries } = await gym.call("getEnvironment", { environment: "faulty" });
  expect(queries).toEqual({
    heard: { summary: "All that was said." },
    odd: { summary: "Whatever the last action asked for." },
  });
  expect((await gym.call("getEnvironment", { environment: "textcraft" })).queries).toEqual({});
});

test("an answer comes with the number of steps, and the query does not change the episode", async () => {
  const [asked, unasked] = [await open(gym), await open(gym)];
  const said = ["a", "b", "c"];
  for (const [index, action] of said.entries()) {
    expect(await gym.call("query", { episodeId: asked, query: "heard" })).toEqual({
      index,
      answer: said.slice(0, index),
    });
    expect(await gym.step(asked, index, action)).toBe(await gym.step(unasked, index, action));
  }
  expect(await gym.call("get", { episodeId: asked })).toMatchObject({ index: 3, expertUsed: false });
});

test("a parked episode answers after a restart", async () => {
  const before = await openGym({ environments: [fixture("faulty")] });
  const episodeId = await open(before, ["a"]);
  const after = await before.restart();
  expect(await after.call("query", { episodeId, query: "heard" })).toEqual({ index: 1, answer: ["a"] });
});

test.each(["inventory", "constructor", "__proto__", "expert", "query:heard", "x".repeat(100)])(
  "the query %j is refused, and the error names the environment's queries",
  async (query) => {
    const refusal = await gym.refusal("query", { episodeId: await open(gym), query });
    expect(refusal.code).toBe("QUERY_UNKNOWN");
    expect(refusal.message).toContain("expected one of faulty's queries: heard, odd, but received");
  },
);

test("an environment without queries is refused with QUERY_UNKNOWN", async () => {
  const { episodeId } = await gym.create();
  const { message } = await gym.refusal("query", { episodeId, query: "look" });
  expect(message).toBe('expected one of textcraft\'s queries: none, but received "look"');
});

test("another owner's episode and an ended episode refuse queries", async () => {
  const ended = await open(gym, ["end"]);
  expect((await gym.refusal("query", { episodeId: ended, query: "heard" })).code).toBe("EPISODE_ENDED");
  expect((await gym.refusal("query", { episodeId: "ep-1", query: "heard" })).code).toBe("EPISODE_UNKNOWN");
});

test.each([
  ["answer nothing", "ENVIRONMENT_RESULT"],
  ["answer too much", "ENVIRONMENT_RESULT"],
  ["answer too deep", "ENVIRONMENT_RESULT"],
  ["answer with an error", "ENVIRONMENT_THREW"],
  ["answer never", "ENVIRONMENT_HUNG"],
])("a query that does %j fails only its own episode", async (action, code) => {
  const [bystander, episodeId] = [await open(gym, ["a"]), await open(gym, [action])];
  expect((await gym.refusal("query", { episodeId, query: "odd" })).code).toBe(code);
  expect(await gym.call("get", { episodeId })).toMatchObject({ phase: "failed", failure: { code } });
  expect(await gym.call("query", { episodeId: bystander, query: "heard" })).toEqual({ index: 1, answer: ["a"] });
});
