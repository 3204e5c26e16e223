/** AgentGym's BabyAI server, tested with recordings of its own classes and with its client's requests. */
import { describe, expect, test } from "vitest";
import { fixtureLines, sharedLines, sharedTest } from "../../../envs/babyai/recordings.js";
import type { RecordedEpisode, RecordedStep } from "../../../envs/babyai/text-recordings.js";
import { openGym } from "../../../support/gym.js";

const gym = await openGym();

async function post<T>(path: string, body: object = {}, on = gym): Promise<T> {
  const { statusCode, payload } = await on.app.inject({
    method: "POST",
    url: `/agentgym/babyai/${path}`,
    payload: body,
  });
  expect(statusCode, payload).toBe(200);
  return JSON.parse(payload) as T;
}

const create = async (on = gym) => (await post<{ id: number }>("create", {}, on)).id;

/** Plays a recorded episode with the same environment id. */
async function replay(id: number, dataIdx: number, opening: string, steps: readonly RecordedStep[]): Promise<void> {
  const start = { observation: opening, reward: 0, score: 0, done: false, deleted: false };
  expect(await post("reset", { id, data_idx: dataIdx })).toEqual(start);
  for (const { action, ...reply } of steps) expect(await post("step", { id, action })).toEqual(reply);
}

test("create returns only an id", async () => {
  expect(await post("create")).toEqual({ id: expect.any(Number) });
});

test("two recorded episodes of each of the 40 levels replay exactly", async () => {
  const id = await create();
  const seen = new Map<string, number>();
  for (const { level, dataIdx, opening, steps } of fixtureLines<RecordedEpisode>("text-episodes.jsonl.gz")) {
    const count = seen.get(level) ?? 0;
    seen.set(level, count + 1);
    if (count < 2) await replay(id, dataIdx, opening, steps);
  }
  expect(seen.size).toBe(40);
});

describe("reference traces", () => {
  sharedTest("replay with equal replies", async () => {
    const id = await create();
    const episodes = sharedLines<{ dataIdx: number; reset: { observation: string }; steps: RecordedStep[] }>(
      "agentgym_babyai.jsonl.gz",
    );
    for (const { dataIdx, reset, steps } of episodes) await replay(id, dataIdx, reset.observation, steps);
    expect(episodes.length).toBeGreaterThan(0);
  });
});

test("the route of the newest observation adds the goal and the score, also after a restart", async () => {
  const before = await openGym();
  const id = await create(before);
  const { observation } = await post<{ observation: string }>("reset", { id, data_idx: 1 }, before);
  const observe = async (on: typeof gym) =>
    (await on.app.inject({ url: `/agentgym/babyai/observation?id=${id}` })).json() as { observation: string };
  expect(await observe(before)).toEqual({ observation, reward: 0, score: 0, done: false, deleted: false });
  const step = await post<{ observation: string }>("step", { id, action: "turn left" }, before);
  const after = await before.restart();
  expect(await observe(after)).toEqual({
    ...step,
    observation: `Your goal: go to the red ball\n${step.observation}`,
    deleted: false,
  });
});

test("a finished task answers only a reset or a close", async () => {
  const id = await create();
  const episodes = fixtureLines<RecordedEpisode>("text-episodes.jsonl.gz");
  const { dataIdx, opening, steps } = episodes.find(({ steps }) => steps.at(-1)?.done) as RecordedEpisode;
  await replay(id, dataIdx, opening, steps);
  const finished = { error: `The task with environment ${id} has finished.` };
  expect((await gym.app.inject(`/agentgym/babyai/observation?id=${id}`)).json()).toEqual(finished);
  expect(await post("step", { id, action: "turn left" })).toEqual(finished);
  expect(await post("render", { id })).toEqual(finished);
  await replay(id, dataIdx, opening, steps);
});

test("render returns a picture as a data URL", async () => {
  const id = await create();
  await post("reset", { id, data_idx: 3 });
  const url = await post<string>("render", { id });
  const [head, data] = url.split(",") as [string, string];
  expect(head).toBe("data:image/png;base64");
  const png = Buffer.from(data, "base64");
  expect(png.subarray(1, 4).toString()).toBe("PNG");
  // GoToObjS6-v0 has one room of 4 x 4 cells, 32 pixels each.
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([128, 128]);
});

test("errors have status 200, as at AgentGym's server", async () => {
  expect(await post("step", { id: 99, action: "turn left" })).toEqual({ error: "The id 99 is not valid." });
  expect(await post("close", { id: 99 })).toBe(false);
  const id = await create();
  expect(await post("reset", { id, data_idx: -1 })).toEqual({ error: expect.stringContaining("received -1") });
  expect(await post("close", { id })).toBe(true);
  expect(await post("reset", { id, data_idx: 0 })).toEqual({ error: `The id ${id} is not valid.` });
});

test.each([1.5, "1.5", "one", null, undefined, [1]])(
  "%j is refused as an index, and the reply names the expected values",
  async (data_idx) => {
    const reset = { method: "POST", url: "/agentgym/babyai/reset", payload: { id: 0, data_idx } } as const;
    const reply = await gym.app.inject(reset);
    expect(reply.statusCode).toBe(422);
    expect(reply.json()).toMatchObject({
      detail: [{ loc: ["body", "data_idx"], msg: "Input should be a valid integer" }],
    });
  },
);
