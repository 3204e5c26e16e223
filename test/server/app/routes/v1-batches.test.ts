import { expect, test } from "vitest";
import type { ErrorBody } from "#palestra/server/errors.js";
import { fixture, openGym } from "../../../support/gym.js";

const gym = await openGym({ environments: [fixture("faulty")], limits: { maxActionLength: 1_000 } });

const codeOf = (result: object) => ("error" in result ? (result.error as ErrorBody).code : "ok");
const textcraft = (index: number) => ({ environment: "textcraft", task: { split: "all", index } });

test("createMany returns an episode or an error for each request, in order", async () => {
  const { results } = await gym.call("createMany", {
    episodes: [
      textcraft(1),
      textcraft(544),
      { environment: "nothing", task: { index: 0 } },
      { environment: "faulty", task: { split: "reset", index: 0 } },
      textcraft(2),
    ],
  });
  expect(results.map(codeOf)).toEqual(["ok", "TASK_OUT_OF_RANGE", "ENVIRONMENT_UNKNOWN", "ENVIRONMENT_THREW", "ok"]);
  expect(results[0]).toMatchObject({ info: { dataIdx: 1 } });
  expect(results[4]).toMatchObject({ info: { dataIdx: 2 } });
});

test("createMany accepts an empty list and refuses more than 4096 requests", async () => {
  expect(await gym.call("createMany", { episodes: [] })).toEqual({ results: [] });
  const episodes = new Array(4_097).fill(textcraft(0));
  expect(await gym.refusal("createMany", { episodes })).toMatchObject({ code: "REQUEST_INVALID" });
});

test("createMany refuses the whole batch if one request does not fit its schema", async () => {
  const token = await gym.createToken();
  const sent = { token };
  const { code, details } = await gym.refusal("createMany", { episodes: [textcraft(0), { task: {} }] }, sent);
  expect(code).toBe("REQUEST_INVALID");
  expect(JSON.stringify(details)).toContain("episodes.1.environment");
  expect((await gym.call("list", {}, sent)).episodes).toEqual([]);
});

test("stepMany steps many episodes, with each result at the place of its request", async () => {
  const episodes = await Promise.all([0, 1, 2, 3].map((index) => gym.create({ task: { index } })));
  const steps = episodes.map(({ episodeId }, i) => ({ episodeId, index: 0, action: `get ${i + 1} dirt` }));
  const { results } = await gym.call("stepMany", { steps });
  expect(results).toMatchObject([1, 2, 3, 4].map((count) => ({ index: 0, observation: `Got ${count} dirt` })));
});

test("stepMany takes several steps of one episode in the order given", async () => {
  const { episodeId } = await gym.create();
  const actions = ["get 1 dirt", "inventory", "get 2 dirt", "inventory"];
  const { results } = await gym.call("stepMany", {
    steps: actions.map((action, index) => ({ episodeId, index, action })),
  });
  expect(results).toMatchObject([
    { index: 0, observation: "Got 1 dirt" },
    { index: 1, observation: expect.stringMatching(/\[dirt\] \(1\)/) },
    { index: 2, observation: "Got 2 dirt" },
    { index: 3, observation: expect.stringMatching(/\[dirt\] \(3\)/) },
  ]);
});

test("stepMany mixes replies and errors, and an error does not stop other steps", async () => {
  const [a, b, closed, short] = await Promise.all(
    [0, 1, 2, 3].map((index) => gym.create({ task: { index }, maxSteps: 2 })),
  );
  const faulty = await gym.create({ environment: "faulty", task: { index: 0 } });
  if (!a || !b || !closed || !short) throw new Error("expected four episodes");
  await gym.call("close", { episodeId: closed.episodeId });
  const step = ({ episodeId }: { episodeId: string }, index: number, action = "inventory") => ({
    episodeId,
    index,
    action,
  });
  const { results } = await gym.call("stepMany", {
    steps: [
      step(a, 0),
      step(a, 0),
      step(a, 0, "dance"),
      step(a, 5),
      step(closed, 0),
      step({ episodeId: "ep-1-00000000000000000000" }, 0),
      step(faulty, 0, "throw"),
      step(faulty, 1, "hello"),
      step(b, 0, "x".repeat(1_001)),
      step(b, 0),
      step(short, 0),
      step(short, 1),
      step(short, 2),
    ],
  });
  expect(results.map(codeOf)).toEqual([
    "ok",
    "ok",
    "STEP_CONFLICT",
    "STEP_INDEX",
    "EPISODE_CLOSED",
    "EPISODE_UNKNOWN",
    "ENVIRONMENT_THREW",
    "ENVIRONMENT_THREW",
    "ACTION_TOO_LARGE",
    "ok",
    "ok",
    "ok",
    "EPISODE_ENDED",
  ]);
  expect(results[0]).toEqual(results[1]);
});

test("stepMany returns the same bytes as single steps", async () => {
  const { episodeId } = await gym.create();
  const single = await gym.step(episodeId, 0, "inventory");
  const many = await gym.text("stepMany", { steps: [{ episodeId, index: 0, action: "inventory" }] });
  expect(many).toBe(`{"results":[${single}]}`);
});

test("stepMany accepts an empty list and refuses more than 4096 steps", async () => {
  expect(await gym.call("stepMany", { steps: [] })).toEqual({ results: [] });
  const steps = new Array(4_097).fill({ episodeId: "x", index: 0, action: "" });
  expect(await gym.refusal("stepMany", { steps })).toMatchObject({ code: "REQUEST_INVALID" });
});
