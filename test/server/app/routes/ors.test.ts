/** The Open Reward Standard's routes, over connections of a listening gym. */
import { expect, test } from "vitest";
import { fixture, openGym, type TestGym } from "../../../support/gym.js";
import { OrsClient } from "../../../support/ors.js";

const birch = { split: "all", index: 3 };
const getLogs = { name: "get", input: { count: 1, item: "birch logs" } };
const craftPlanks = { name: "craft", input: { count: 4, item: "birch planks", ingredients: ["1 birch logs"] } };

async function serve(
  deployment = "textcraft",
  settings: Parameters<typeof openGym>[0] = {},
): Promise<{ gym: TestGym; client: OrsClient }> {
  const gym = await openGym(settings);
  return { gym, client: new OrsClient(await listen(gym), deployment) };
}

const listen = (gym: TestGym) => gym.app.listen({ port: 0, host: "127.0.0.1" });

test("the server reports its health and lists its environments", async () => {
  const { client } = await serve();
  expect(await client.json("GET", "/health")).toEqual({ status: "ok" });
  expect(await client.json("GET", "/version")).toEqual({ version: expect.any(String), build_sha: null });
  expect(await client.json("GET", "/list_environments")).toEqual(
    expect.arrayContaining(["textcraft", "babyai", "sciworld", "sciworld@jvm"]),
  );
});

test("the path or the header chooses the environment", async () => {
  const { client } = await serve();
  const tools = await client.json("GET", "/tools");
  expect(tools.tools.map(({ name }: { name: string }) => name)).toEqual(["get", "craft", "inventory"]);
  for (const name of ["palestra/textcraft", "textcraft@1", "textcraft?rewards=steps"])
    expect(await new OrsClient(client.url, name).json("GET", "/tools")).toEqual(tools);
  const bare = new OrsClient(client.url);
  expect(await bare.json("GET", "/textcraft/tools")).toEqual(tools);
  expect(await bare.json("POST", "/textcraft/num_tasks", { split: "all" })).toEqual(
    await client.json("POST", "/num_tasks", { split: "all" }),
  );
  const neither = await bare.request("GET", "/tools");
  expect(neither.status).toBe(400);
  expect(await neither.json()).toEqual({ detail: expect.stringMatching(/textcraft.+X-Deployment/s) });
  const unknown = await bare.request("GET", "/chess/tools");
  expect(unknown.status).toBe(404);
  expect(await unknown.json()).toEqual({ detail: expect.stringContaining("textcraft") });
});

test("a session is unknown under the path of another environment", async () => {
  const { client } = await serve();
  const session = await client.begin({ split: "all", index: 3 });
  const bare = new OrsClient(client.url);
  const get = { name: "get", input: { count: 1, item: "birch logs" } };
  for (const [method, path, body] of [
    ["GET", "/babyai/prompt"],
    ["GET", "/babyai/task_tools"],
    ["POST", "/babyai/call", get],
  ] as const)
    expect([path, (await bare.request(method, path, body, session)).status]).toEqual([path, 404]);
  expect((await bare.request("POST", "/textcraft/call", get, session)).status).toBe(200);
  expect((await client.call(session, { name: "inventory" })).output).toMatchObject({
    blocks: [{ text: expect.stringContaining("birch logs") }],
  });
});

test("an environment without tools offers the tool `act`, and prompts and results contain pictures as blocks", async () => {
  const { client } = await serve("plain", { environments: [fixture("plain")] });
  const { tools } = await client.json("GET", "/tools");
  expect(tools).toMatchObject([{ name: "act", input_schema: { required: ["action"] } }]);
  const session = await client.begin({ task_spec: { index: 0, seed: 7, options: { voice: "loud" } } });
  const blocks = await client.json("GET", "/prompt", undefined, session);
  const image = { type: "image", data: "PHN2Zy8+", mimeType: "image/svg+xml", detail: null };
  expect(blocks).toEqual([
    { type: "text", text: expect.any(String), detail: null },
    { type: "text", text: "task 0, seed 7", detail: null },
    { type: "text", text: '{"actions":[]}', detail: null },
    image,
  ]);
  const { output } = await client.call(session, { name: "act", input: { action: "wave" } });
  expect(output).toEqual({
    blocks: [
      { type: "text", text: "WAVE", detail: null },
      { type: "text", text: '{"actions":["wave"]}', detail: null },
      image,
    ],
    metadata: { episode_id: expect.any(String), step_count: 1 },
    reward: null,
    finished: false,
  });
  // The prompt does not change after the start.
  expect(await client.json("GET", "/prompt", undefined, session)).toEqual(blocks);
});

test("the last step brings the return, once, and further calls are refused", async () => {
  const { client } = await serve();
  const session = await client.begin({ task_spec: { ...birch, title: "craft birch planks" }, env_name: "textcraft" });
  expect((await client.call(session, getLogs)).output).toMatchObject({ reward: null, finished: false });
  const last = await client.events(session, craftPlanks);
  expect(last[0]).toEqual({ event: "task_id", data: `${session}:1` });
  expect((await client.call(session, { ...craftPlanks, task_id: `${session}:1` })).output).toMatchObject({
    reward: 1,
    finished: true,
  });
  expect(await client.call(session, getLogs)).toMatchObject({ ok: false, reason: "episode_finished" });
});

test("with rewards=steps each result has the reward of its step", async () => {
  const { client } = await serve("textcraft?rewards=steps");
  const session = await client.begin(birch);
  expect((await client.call(session, getLogs)).output).toMatchObject({ reward: 0, finished: false });
  expect((await client.call(session, craftPlanks)).output).toMatchObject({ reward: 1, finished: true });
  const wrong = await new OrsClient(client.url, "textcraft?rewards=often").request("POST", "/call", getLogs, session);
  expect(wrong.status).toBe(400);
});

test("a wrong tool or wrong arguments leave the episode as before", async () => {
  const { client } = await serve();
  const session = await client.begin(birch);
  expect(await client.call(session, { name: "fly" })).toMatchObject({ ok: false, reason: "not_found" });
  expect(await client.call(session, { name: "get", input: { count: 1 } })).toMatchObject({
    ok: false,
    reason: "input_validation",
  });
  expect((await client.call(session, getLogs)).output?.metadata.step_count).toBe(1);
});

test("a call with a broken stream is resumed with its id or repeated without it, and takes one step", async () => {
  const { client } = await serve("distant@elsewhere", { environments: [fixture("distant")] });
  const session = await client.begin({ index: 0 });
  const wait = { name: "act", input: { action: "wait 150" } };
  const stepsOf = async (call: object) =>
    (await client.call(session, { ...wait, ...call })).output?.metadata.step_count;
  const taskId = await client.callAndLeave(session, wait);
  expect(taskId).toBe(`${session}:0`);
  expect(await stepsOf({ task_id: taskId })).toBe(1);
  expect(await stepsOf({ task_id: taskId })).toBe(1);
  // A new call with the same content is a new step.
  expect(await stepsOf({})).toBe(2);

  // The connection broke before the client read the id of this call.
  await client.callAndLeave(session, wait);
  expect(await stepsOf({})).toBe(3);
  expect(await stepsOf({})).toBe(4);
  await client.callAndLeave(session, wait);
  expect(await stepsOf({ input: { action: "wait 1" } })).toBe(6);
});

test("a call that fails after its stream has begun ends with an error that names code and class", async () => {
  const { client } = await serve("faulty", {
    environments: [fixture("faulty")],
    hosts: { isolation: "thread", count: 1 },
  });
  const failing = async (action: string) => {
    const session = await client.begin({ split: "play", index: 0 });
    const events = await client.events(session, { name: "act", input: { action } });
    expect(events[0]).toEqual({ event: "task_id", data: `${session}:0` });
    return events.slice(1);
  };
  const error = (words: string) => [{ event: "error", data: expect.stringMatching(words) }];
  expect(await failing("throw")).toEqual(error('^"ENVIRONMENT_THREW \\(environment\\): .*thrown as asked'));
  expect(await failing("no text")).toEqual(error('^"ENVIRONMENT_RESULT \\(environment\\): '));
  expect(await failing("broken log")).toEqual(error('^"LOG_FAILED \\(infrastructure\\): '));
});

test("an id of another call is refused", async () => {
  const { client } = await serve();
  const session = await client.begin(birch);
  await client.call(session, getLogs);
  const status = async (call: object) => (await client.request("POST", "/call", call, session)).status;
  expect(await status({ ...craftPlanks, task_id: `${session}:0` })).toBe(409);
  expect(await status({ ...getLogs, task_id: `${session}:9` })).toBe(409);
  expect(await status({ ...getLogs, task_id: "s1:0" })).toBe(400);
  expect((await client.call(session, getLogs)).output?.metadata.step_count).toBe(2);
});

test("a restarted gym continues sessions, resumes calls, and returns the return of the whole episode", async () => {
  const { gym, client } = await serve();
  const session = await client.begin(birch);
  const first = await client.call(session, getLogs);
  const restarted = await gym.restart();
  const again = new OrsClient(await listen(restarted), "textcraft");
  expect(await again.call(session, { ...getLogs, task_id: `${session}:0` })).toEqual(first);
  expect(await again.json("POST", "/create", birch, session)).toEqual({ sid: session });
  expect((await again.call(session, { ...craftPlanks, task_id: `${session}:1` })).output).toMatchObject({
    reward: 1,
    finished: true,
  });
});

test("a long result arrives in pieces that are small enough for every client", async () => {
  const { client } = await serve("plain", { environments: [fixture("plain")] });
  const session = await client.begin({ index: 0 });
  const action = `${" \u3000😀é".repeat(9_000)}.`;
  const events = await client.events(session, { name: "act", input: { action } });
  expect(events.filter(({ event }) => event === "chunk").length).toBeGreaterThan(3);
  const { output } = await client.call(session, { name: "act", input: { action }, task_id: `${session}:0` });
  expect(output?.blocks[0]?.text).toBe(action);
});

test("sessions are refused with the statuses of the standard", async () => {
  const { client } = await serve();
  const status = async (method: string, path: string, session?: string, body?: object) => {
    const response = await client.request(method, path, body, session);
    expect(await response.json()).toEqual(response.status === 200 ? expect.anything() : { detail: expect.any(String) });
    return response.status;
  };
  expect(await status("POST", "/ping")).toBe(400);
  for (const unknown of ["s1", "elsewhere"]) {
    expect(await status("POST", "/ping", unknown)).toBe(404);
    expect(await status("POST", "/call", unknown, getLogs)).toBe(404);
  }
  const session = await client.createSession();
  expect(await status("POST", "/ping", session)).toBe(200);
  expect(await status("GET", "/prompt", session)).toBe(404);
  expect(await status("POST", "/create", session, { split: "nowhere", index: 0 })).toBe(400);
  expect(await status("POST", "/create", session, { split: "all", index: 10 ** 9 })).toBe(400);
  expect(await status("POST", "/create", session, { split: "all" })).toBe(400);
  expect(await status("POST", "/create", session, { ...birch, toolset_name: "codex" })).toBe(400);
  expect(await status("POST", "/create", session, birch)).toBe(200);
  expect(await status("POST", "/create", session, { split: "all", index: 4 })).toBe(400);
  expect(await status("POST", "/delete", session)).toBe(200);
  expect(await status("POST", "/delete_session", session)).toBe(200);
  expect(await status("POST", "/ping", session)).toBe(410);
  expect(await status("POST", "/call", session, getLogs)).toBe(410);
});

test("the gym reads the token from X-API-Key, and a session belongs to its token", async () => {
  const { gym, client } = await serve("textcraft", { auth: "required" });
  const as = (key: string) => new OrsClient(client.url, "textcraft", { "x-api-key": key });
  const ada = as(await gym.createToken());
  const session = await ada.begin(birch);
  expect((await ada.call(session, getLogs)).ok).toBe(true);
  const wrong = await as("nonsense").request("GET", "/tools");
  expect(wrong.status).toBe(401);
  expect(await wrong.json()).toEqual({ detail: expect.any(String) });
  expect((await client.request("GET", "/tools")).status).toBe(401);
  expect((await client.request("GET", "/health")).status).toBe(200);
  const bearer = new OrsClient(client.url, "textcraft", { authorization: `Bearer ${ada.headers["x-api-key"]}` });
  expect((await bearer.call(session, getLogs)).output?.metadata.step_count).toBe(2);
});

test("a gym at its limit of episodes tells the client to wait", async () => {
  const { client } = await serve("textcraft", { limits: { maxEpisodesPerCaller: 1 } });
  const first = await client.begin(birch);
  const second = await client.createSession();
  const full = await client.request("POST", "/create", birch, second);
  expect(full.status).toBe(503);
  expect(full.headers.get("x-backend-state")).toBe("starting");
  expect(Number(full.headers.get("retry-after"))).toBeGreaterThan(0);
  await client.json("POST", "/delete", undefined, first);
  expect(await client.json("POST", "/create", birch, second)).toEqual({ sid: second });
});
