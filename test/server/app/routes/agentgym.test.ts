import { expect, test } from "vitest";
import { openGym, type TestGym } from "../../../support/gym.js";

interface Client {
  post(path: string, body?: object): Promise<unknown>;
  observation(id: number): Promise<unknown>;
}

/** A client of AgentGym's TextCraft with a token in its path. */
function clientOf(gym: TestGym, token: string): Client {
  const base = `/t/${token}/agentgym/textcraft`;
  const read = async (request: { method: "GET" | "POST"; url: string; payload?: object }) => {
    const { statusCode, payload } = await gym.app.inject(request);
    expect(statusCode, payload).toBe(200);
    return JSON.parse(payload) as unknown;
  };
  return {
    post: (path, payload = {}) => read({ method: "POST", url: `${base}/${path}`, payload }),
    observation: (id) => read({ method: "GET", url: `${base}/observation?id=${id}` }),
  };
}

/** Solution of the task with the `data_idx` 0. */
const solution = ["get 1 acacia logs", "craft 4 acacia planks using 1 acacia logs"];
const dirt = (id: number) => ({ id, action: "get 1 dirt" });
const finished = (id: number) => ({ error: `The task with environment ${id} has finished.` });
const unknown = (id: number) => ({ error: `The id ${id} is not valid.` });
const limit = {
  error: expect.stringMatching(/^The token has reached its limit of 1 live episodes \(1 in use\)\. /),
};

test("a token for one live episode can reset its environment any number of times", async () => {
  const gym = await openGym();
  const client = clientOf(gym, await gym.createToken([], 1));
  expect(await client.post("create")).toMatchObject({ id: 0 });
  for (let dataIndex = 0; dataIndex < 5; dataIndex++) {
    expect(await client.post("reset", { id: 0, data_idx: dataIndex })).toMatchObject({ id: 0, done: false });
    expect(await client.post("step", dirt(0))).toEqual({ observation: "Got 1 dirt", reward: 0, done: false });
  }
  expect(await client.post("create")).toEqual(limit);
  expect(await gym.metric("palestra_live_episodes")).toBe(1);
});

test("a reset beyond the limit of episodes is refused, and a later reset succeeds", async () => {
  const gym = await openGym();
  const client = clientOf(gym, await gym.createToken([], 1));
  await client.post("create");
  await client.post("step", dirt(0));
  await client.post("reset", { id: 0, data_idx: 0 });
  for (const action of solution) await client.post("step", { id: 0, action });
  expect(await client.post("step", dirt(0))).toEqual(finished(0));
  expect(await client.post("create")).toMatchObject({ id: 1 });

  expect(await client.post("reset", { id: 0, data_idx: 1 })).toEqual(limit);
  expect(await client.post("step", dirt(0))).toEqual(finished(0));
  expect(await client.post("close", { id: 1 })).toBe(true);
  expect(await client.post("reset", { id: 0, data_idx: 1 })).toMatchObject({ id: 0, done: false });
  expect(await client.post("step", dirt(0))).toMatchObject({ observation: "Got 1 dirt" });
});

test("a restarted gym returns the newest observation, at the start of an episode and later", async () => {
  const gym = await openGym();
  const token = await gym.createToken();
  const client = clientOf(gym, token);
  const { observation } = (await client.post("create")) as { observation: string };
  await client.post("create");
  await client.post("step", dirt(1));
  await client.post("step", { id: 1, action: "inventory" });
  const after = clientOf(await gym.restart(), token);
  expect(await after.observation(0)).toBe(observation);
  expect(await after.observation(1)).toBe("Inventory: [dirt] (1) ");
});

test.each([
  ["plain text", 415, { headers: { "content-type": "text/plain" }, payload: "{}" }, /json, but received "text\/plain"/],
  ["too much", 413, { payload: { action: "x".repeat(2_000) } }, /at most 1000 bytes, but received 20\d\d bytes/],
])("a body that is %s is refused with the received value", async (_, status, sent, message) => {
  const gym = await openGym({ limits: { maxBodyBytes: 1_000, maxActionLength: 100 } });
  const reply = await gym.app.inject({ method: "POST", url: "/agentgym/textcraft/step", ...sent });
  expect([reply.statusCode, reply.json()]).toEqual([status, { error: expect.stringMatching(message) }]);
});

test("an environment id whose episode was too old to keep is unknown after a restart and never reused", async () => {
  const gym = await openGym();
  const token = await gym.createToken();
  const client = clientOf(gym, token);
  for (let id = 0; id < 3; id++) expect(await client.post("create")).toMatchObject({ id });
  const aSecond = 1 / 86_400;
  await new Promise((resolve) => setTimeout(resolve, 1_100));
  const pruned = await gym.restart({ log: { retainDays: aSecond } });
  const after = clientOf(pruned, token);
  for (let id = 0; id < 3; id++) {
    expect(await after.post("step", dirt(id))).toEqual(unknown(id));
    expect(await after.post("reset", { id, data_idx: 0 })).toEqual(unknown(id));
    expect(await after.observation(id)).toEqual(unknown(id));
    expect(await after.post("close", { id })).toBe(false);
  }
  expect(await after.post("create")).toMatchObject({ id: 3 });
});
