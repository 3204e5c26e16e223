/** The routes of NeMo Gym, over connections to the ports of a listening gym. */

import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect, createServer } from "node:net";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { fixture, openGym, scratchDir, type TestGym } from "../../../support/gym.js";
import { functionCall, message, NemoRollout } from "../../../support/nemo.js";

const birch = { split: "all", index: 3 };
const getLogs = functionCall("a", "get", { count: 1, item: "birch logs" });
const craft = functionCall("b", "craft", { count: 4, item: "birch planks", ingredients: ["1 birch logs"] });

async function serve(
  environment = "textcraft",
  settings: Parameters<typeof openGym>[0] = {},
  dataDir?: string,
): Promise<{ gym: TestGym; url: string; base: string }> {
  const gym = await openGym({ nemoGym: { [environment]: 0 }, ...settings }, dataDir);
  const base = await gym.app.listen({ port: 0, host: "127.0.0.1" });
  return { gym, base, url: gym.app.nemoPorts.urls.get(environment) as string };
}

/** A gym that all tests with default settings share. */
let gym: TestGym;
let url: string;

beforeAll(async () => {
  ({ gym, url } = await serve());
});

async function begin(address = url, row: object = birch): Promise<NemoRollout> {
  const rollout = new NemoRollout(address);
  expect((await rollout.reset(row)).status).toBe(200);
  return rollout;
}

test("a rollout is reset, stepped by text and closed", async () => {
  const rollout = new NemoRollout(url);
  const { body } = await rollout.reset({ ...birch, seed: 4, max_steps: 9 });
  expect(body.observation).toMatch(/^You are given few useful crafting recipes.*Goal: craft birch planks\.$/s);
  const id: string = body.info.episode_id;
  expect(body.info).toMatchObject({
    step_count: 0,
    supports_explicit_close: true,
    supports_step_idempotency: true,
  });
  expect(await gym.call("get", { episodeId: id })).toMatchObject({ task: birch, seed: 4, maxSteps: 9 });
  const nothing = { reward: 0, terminated: false, truncated: false };
  const reasoning = { type: "reasoning", id: "r", summary: [] };
  const first = await rollout.step([reasoning, message("get 1 "), message("birch logs")]);
  expect(first.body).toEqual({ observation: "Got 1 birch logs", ...nothing, info: { episode_id: id, step_count: 1 } });
  const last = await rollout.say("craft 4 birch planks using 1 birch logs");
  expect(last.body).toMatchObject({ reward: 1, terminated: true, truncated: false, info: { step_count: 2 } });
  const after = await rollout.say("inventory");
  expect(after.status).toBe(409);
  expect(after.body.error).toMatchObject({ code: "EPISODE_ENDED", class: "action" });
  for (let again = 0; again < 2; again++) expect(await rollout.post("/close", {})).toEqual({ status: 200, body: {} });
  expect((await rollout.say("inventory")).body.error.code).toBe("EPISODE_CLOSED");
});

test("each function call is a step, and its output is the observation or the reason for the refusal", async () => {
  const rollout = await begin();
  const odd = [functionCall("x", "fly", {}), functionCall("y", "get", "{"), functionCall("z", "inventory", "")];
  const { body } = await rollout.step([message("I get logs."), getLogs, ...odd]);
  expect(body).toMatchObject({ observation: null, reward: 0, terminated: false, info: { step_count: 2 } });
  expect(body.info.tool_outputs).toEqual([
    { call_id: "a", output: "Got 1 birch logs" },
    { call_id: "x", output: expect.stringMatching(/^expected one of the tools get, craft, inventory/) },
    { call_id: "y", output: expect.stringMatching(/^expected the arguments of "get" as a JSON object/) },
    { call_id: "z", output: "Inventory: [birch logs] (1) " },
  ]);
  const none = await rollout.step([functionCall("x", "fly", {})]);
  expect(none.body).toMatchObject({ reward: 0, info: { tool_outputs: [{ call_id: "x" }] } });
  const last = await rollout.step([craft, getLogs]);
  expect(last.body).toMatchObject({ reward: 1, terminated: true, info: { step_count: 3 } });
  expect(last.body.info.tool_outputs[1]).toEqual({ call_id: "a", output: expect.stringContaining("ended") });
});

test("a repeated request gets the stored reply, also after a restart, without a second step", async () => {
  const path = scratchDir();
  const first = await serve("textcraft", {}, path);
  const rollout = await begin(first.url);
  const before = rollout.cookie;
  const reply = await rollout.step([getLogs, getLogs], "one");
  // The client sends the new cookie, or the old one if the reply was lost.
  expect(await rollout.step([getLogs, getLogs], "one")).toEqual(reply);
  rollout.cookie = before;
  expect(await rollout.step([getLogs, getLogs], "one")).toEqual(reply);
  rollout.cookie = before;
  const foreign = await rollout.step([getLogs, getLogs], "two");
  expect(foreign.status).toBe(409);
  expect(foreign.body.error.code).toBe("STEP_INDEX");
  await first.gym.close();

  const second = await serve("textcraft", {}, path);
  const later = new NemoRollout(second.url);
  later.cookie = before;
  expect(await later.step([getLogs, getLogs], "one")).toEqual(reply);
  const { body } = await later.say("inventory");
  expect(body).toMatchObject({ observation: "Inventory: [birch logs] (2) ", info: { step_count: 3 } });
});

test("a session's cookie under the name of another environment is refused", async () => {
  const gym = await openGym({ nemoGym: { textcraft: 0, babyai: 0 } });
  await gym.app.listen({ port: 0, host: "127.0.0.1" });
  const [here, there] = ["textcraft", "babyai"].map((name) => gym.app.nemoPorts.urls.get(name) as string);
  const rollout = await begin(here);
  const own = rollout.cookie as string;
  const foreign = new NemoRollout(there as string);
  const renamed = own.replace("palestra-textcraft", "palestra-babyai");
  foreign.cookie = renamed;
  expect((await foreign.say("get 1 birch logs")).body.error.code).toBe("EPISODE_UNKNOWN");
  expect((await foreign.post("/close", {})).status).toBe(200);
  // A reset opens a new session and does not change the other.
  foreign.cookie = renamed;
  expect((await foreign.reset({ index: 0 })).status).toBe(200);
  expect((foreign.cookie as string).split(".")[0]).not.toBe(renamed.split(".")[0]);
  rollout.cookie = own;
  expect((await rollout.say("get 1 birch logs")).body.info.step_count).toBe(1);
});

test("a client without request ids takes the next step with any cookie of its session", async () => {
  const rollout = await begin();
  const { cookie } = rollout;
  for (let count = 1; count <= 3; count++) {
    rollout.cookie = cookie;
    expect((await rollout.say("get 1 dirt", null)).body.info.step_count).toBe(count);
  }
});

test("a reset with the cookie of a session replaces its episode, and any other cookie opens a new session", async () => {
  const rollout = await begin();
  const first: string = (await rollout.say("get 1 dirt")).body.info.episode_id;
  const session = (rollout.cookie as string).split(".")[0];
  const { body } = await rollout.reset({ split: "all", index: 5 });
  expect(rollout.cookie).toBe(`${session}.0`);
  expect((await rollout.say("inventory")).body).toMatchObject({
    info: { episode_id: body.info.episode_id, step_count: 1 },
  });
  expect((await gym.call("get", { episodeId: body.info.episode_id })).phase).toBe("running");
  const old = await gym.send("get", { episodeId: first });
  expect(JSON.parse(old.payload).phase ?? JSON.parse(old.payload).error.code).toMatch(/closed/i);
  for (const cookie of ["palestra-textcraft=s0.0", "palestra-textcraft=nonsense", "session=s1.0"]) {
    rollout.cookie = cookie;
    expect((await rollout.reset(birch)).status).toBe(200);
    expect(rollout.cookie).toMatch(/^palestra-textcraft=s[0-9a-z]+\.0$/);
  }
});

test("bad requests are refused with the code and the class of the gym's errors", async () => {
  const rollout = await begin();
  const refused = async (path: string, body: unknown) => {
    const { status, body: reply } = await rollout.post(path, body);
    expect(reply.detail).toBe(reply.error.message);
    return [status, reply.error.code];
  };
  expect(await refused("/reset", { split: "tset" })).toEqual([404, "SPLIT_UNKNOWN"]);
  expect(await refused("/reset", { index: -1 })).toEqual([400, "REQUEST_INVALID"]);
  expect(await refused("/reset", { ...birch, index: 10_000_000 })).toEqual([404, "TASK_OUT_OF_RANGE"]);
  expect(await refused("/reset", "{")).toEqual([400, "REQUEST_MALFORMED"]);
  expect(await refused("/step", {})).toEqual([400, "REQUEST_INVALID"]);
  for (const item of [{}, { type: "message" }, { type: "function_call", name: "get", arguments: "{}" }])
    expect(await refused("/step", { response: { output: [item] } })).toEqual([400, "REQUEST_INVALID"]);
  const many = Array.from({ length: 300 }, () => getLogs);
  expect(await refused("/step", { response: { output: many } })).toEqual([400, "REQUEST_INVALID"]);
  rollout.cookie = null;
  expect(await refused("/step", { response: { output: [] } })).toEqual([400, "REQUEST_INVALID"]);
  expect(await refused("/close", {})).toEqual([400, "REQUEST_INVALID"]);
  rollout.cookie = "palestra-textcraft=s1.0";
  expect(await refused("/step", { response: { output: [] } })).toEqual([404, "EPISODE_UNKNOWN"]);
});

test("the gym reads the token from the password in the URL, and a session belongs to its token", async () => {
  const { url, gym, base } = await serve("textcraft", { auth: "required" });
  const basic = (token: string) => ({ authorization: `Basic ${Buffer.from(`token:${token}`).toString("base64")}` });
  const token = await gym.createToken();
  const ada = new NemoRollout(url, basic(token));
  expect((await ada.reset(birch)).status).toBe(200);
  const bob = new NemoRollout(url, basic(await gym.createToken()));
  bob.cookie = ada.cookie;
  expect((await bob.say("inventory")).body.error.code).toBe("EPISODE_UNKNOWN");
  expect((await new NemoRollout(url).reset(birch)).body.error.code).toBe("TOKEN_MISSING");
  expect((await new NemoRollout(url, basic("nonsense")).reset(birch)).body.error.code).toBe("TOKEN_INVALID");
  const bearer = new NemoRollout(`${base}/nemo-gym/textcraft`, { authorization: `Bearer ${token}` });
  bearer.cookie = ada.cookie;
  expect((await bearer.say("inventory")).status).toBe(200);
  // Browsers also send a stored password with requests from foreign pages, so the gym's own port accepts no password.
  const foreign = new NemoRollout(`${base}/nemo-gym/textcraft`, basic(token));
  expect((await foreign.reset(birch)).body.error.code).toBe("TOKEN_INVALID");
});

test("a port serves one environment and none of the gym's other routes", async () => {
  const { url } = await serve("plain", { environments: [fixture("plain")] });
  const rollout = new NemoRollout(`${url}/ng-rollout/3-1`);
  const { body } = await rollout.reset({ index: 0, seed: 7, options: { voice: "loud" } });
  expect(body.observation).toMatch(/task 0, seed 7\n\{"actions":\[\]\}$/);
  expect((await rollout.say("wave")).body.observation).toBe('WAVE\n{"actions":["wave"]}');
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: "ok" });
  expect((await fetch(`${url}/v1/environments`)).status).toBe(404);
  const page = await fetch(`${url}/health`, { headers: { origin: "http://elsewhere.example" } });
  const headers = { host: `rebound.example:${new URL(url).port}` };
  const rebound = await new Promise<IncomingMessage>((resolve) => get(`${url}/health`, { headers }, resolve));
  expect(rebound.resume().statusCode).toBe(403);
  expect(page.status).toBe(403);
});

test("the rows of a dataset contain tasks and tools, and can be played unchanged", async () => {
  const rows = (await (await fetch(`${url}/rows?split=test&from=2&limit=3`)).text()).trim().split("\n");
  expect(rows).toHaveLength(3);
  const row = JSON.parse(rows[0] as string);
  expect(row).toMatchObject({ split: "test", index: 2, responses_create_params: { input: [] } });
  expect(row.responses_create_params.tools).toMatchObject([{ type: "function", name: "get" }, {}, {}]);
  const { body } = await new NemoRollout(url).reset(row);
  expect(body.info.step_count).toBe(0);
  const beyond = await fetch(`${url}/rows?split=test&from=1000000000`);
  expect([beyond.status, await beyond.text()]).toEqual([200, ""]);
});

test("the metrics of a run summarise its rollouts, per task and overall", async () => {
  const verify_responses = [1, 0, 1].map((reward, i) => ({
    _ng_task_index: i >> 1,
    _ng_rollout_index: i & 1,
    reward,
    terminated: reward === 1,
    response: { usage: { total_tokens: 10 * i } },
  }));
  const { body } = await new NemoRollout(url).post("/aggregate_metrics", { verify_responses });
  expect(body.key_metrics).toEqual({
    "mean/reward": 2 / 3,
    "mean/terminated": 2 / 3,
    "mean/total_tokens": 10,
  });
  expect(body.agent_metrics).toMatchObject({ "max/reward": 1, "min/reward": 0, "median/reward": 1 });
  expect(body.agent_metrics["std/reward"]).toBeCloseTo(0.57735, 5);
  expect(body.group_level_metrics).toMatchObject([
    { _ng_task_index: 0, num_rollouts: 2, "mean/reward": 0.5 },
    { _ng_task_index: 1, num_rollouts: 1, "mean/reward": 1 },
  ]);
  const nothing = await new NemoRollout(url).post("/aggregate_metrics", { verify_responses: [] });
  expect(nothing.body).toEqual({ group_level_metrics: [], agent_metrics: {}, key_metrics: {} });
});

test("an unknown environment or a taken port stops the start with an error for the operator", async () => {
  const unknown = await openGym({ nemoGym: { textcarft: 0 } });
  await expect(unknown.app.listen({ port: 0 })).rejects.toThrow(
    /^expected one of the environments .+textcarft.+did you mean textcraft/i,
  );
  const other = createServer().listen(0, "127.0.0.1");
  await once(other, "listening");
  onTestFinished(() => void other.close());
  const { port } = other.address() as { port: number };
  const taken = await openGym({ nemoGym: { textcraft: port } });
  const failure = taken.app.listen({ port: 0, host: "127.0.0.1" });
  await expect(failure).rejects.toThrow(
    new RegExp(`^expected a port .+ textcraft .+ port ${port}, but .+EADDRINUSE.+--nemo`),
  );
});

test("connections to the ports count towards the gym's limit, and a closed gym closes the ports", async () => {
  const { url, gym, base } = await serve("textcraft", { limits: { maxConnections: 16 } });
  const idle = Array.from({ length: 40 }, () => connect(Number(new URL(url).port), "127.0.0.1"));
  onTestFinished(() => idle.forEach((socket) => void socket.destroy()));
  let closed = 0;
  for (const socket of idle) socket.on("error", () => {}).on("close", () => (closed += 1));
  await expect.poll(() => closed).toBeGreaterThanOrEqual(24);
  expect((await fetch(`${base}/livez`)).status).toBe(200);
  const rollout = await begin(url);
  await gym.close();
  await expect.poll(() => closed).toBe(40);
  await expect(rollout.say("inventory")).rejects.toThrow("fetch failed");
});
