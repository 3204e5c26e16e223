/** OpenEnv's protocol without its clients; test/e2e/openenv.test.ts drives these. */
import { describe, expect, onTestFinished, test } from "vitest";
import { fixture, openGym, type Sent } from "../../../support/gym.js";
import { InjectedSocket } from "../../../support/injected-socket.js";

const gym = await openGym({ environments: [fixture("faulty"), fixture("painter")], limits: { maxBodyBytes: 100_000 } });
const first = await gym.createToken();
const second = await gym.createToken();

interface Answer {
  type: string;
  data: {
    observation: Record<string, unknown>;
    reward: number | null;
    done: boolean;
    metadata: { episode_id: string; step_count: number; info: object };
    code?: string;
    message?: string;
    [key: string]: unknown;
  };
}

class Client {
  private constructor(readonly socket: InjectedSocket) {}

  static async connect(environment = "textcraft", query = "", sent: Sent = {}): Promise<Client> {
    return new Client(await InjectedSocket.open(gym, sent, `/openenv/${environment}/ws${query}`));
  }

  async ask(frame: string | Buffer | object): Promise<Answer> {
    return (await this.socket.exchange(frame)) as unknown as Answer;
  }

  reset(data: object = {}): Promise<Answer> {
    return this.ask({ type: "reset", data });
  }

  step(message: string, more: object = {}): Promise<Answer> {
    return this.ask({ type: "step", data: { message, ...more } });
  }

  state(): Promise<Answer> {
    return this.ask({ type: "state" });
  }

  /** Returns the code and the message of the refusal. */
  async refusal(frame: string | Buffer | object): Promise<string> {
    const { type, data } = await this.ask(frame);
    expect(type).toBe("error");
    return `${data.code}: ${data.message}`;
  }

  /** Waits until the server has refused and closed the socket, and returns the error. */
  async refused(): Promise<Answer> {
    await expect.poll(() => this.socket.raw.readyState).toBe(this.socket.raw.CLOSED);
    expect(this.socket.received).toHaveLength(1);
    return JSON.parse(this.socket.received[0] as string);
  }

  async closed(): Promise<number> {
    return new Promise((resolve) => this.socket.raw.once("close", (code) => resolve(code)));
  }

  end(): void {
    this.socket.raw.terminate();
  }
}

async function http(method: "GET" | "POST", path: string, payload?: object | string, token?: string) {
  const headers = {
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
    ...(typeof payload === "string" && { "content-type": "application/json" }),
  };
  const reply = await gym.app.inject({
    method,
    url: `/openenv${path}`,
    headers,
    ...(payload !== undefined && { payload }),
  });
  return { status: reply.statusCode, body: reply.json() };
}

let rpcId = 0;
async function rpc(method: string, params: object = {}, token?: string) {
  const { status, body } = await http("POST", "/textcraft/mcp", { jsonrpc: "2.0", id: ++rpcId, method, params }, token);
  expect(status).toBe(200);
  expect(body).toMatchObject({ jsonrpc: "2.0", id: rpcId });
  return body;
}

describe("a socket", () => {
  test("plays an episode with the results of /v1, the instructions once and no reward for a reset", async () => {
    const client = await Client.connect();
    const own = await gym.create({ task: { split: "all", index: 5 }, seed: 9 });
    const start = await client.reset({ split: "all", index: 5, seed: 9 });
    expect(start).toEqual({
      type: "observation",
      data: {
        observation: { prompt: own.prompt, text: own.observation },
        reward: null,
        done: false,
        metadata: {
          episode_id: expect.any(String),
          step_count: 0,
          terminated: false,
          truncated: false,
          info: own.info,
        },
      },
    });
    for (const [index, action] of ["inventory", "get 2 dirt", "nonsense"].entries()) {
      const step = await gym.call("step", { episodeId: own.episodeId, index, action });
      const { data } = await client.step(action);
      expect(data).toMatchObject({ observation: { text: step.observation }, reward: step.reward, done: false });
      expect(data.metadata).toMatchObject({ step_count: index + 1, info: step.info });
    }
    expect((await client.state()).data).toEqual({
      episode_id: start.data.metadata.episode_id,
      step_count: 3,
      environment: "textcraft@1",
      split: "all",
      index: 5,
      seed: 9,
      max_steps: own.maxSteps,
      phase: "running",
    });
  });

  test("answers requests that arrive together one after another, in order", async () => {
    const client = await Client.connect("faulty");
    client.socket.send({ type: "reset", data: { split: "play", index: 3 } });
    for (const message of ["a", "b", "c"]) client.socket.send({ type: "step", data: { message } });
    const last = await client.state();
    expect(last.type).toBe("observation");
    await expect.poll(() => client.socket.received.length).toBe(5);
    const texts = client.socket.received.map((frame) => (JSON.parse(frame) as Answer).data.observation?.text);
    expect(texts).toEqual(["task play:3", "1: a", "2: b", "3: c", undefined]);
  });

  test("chooses a task by the seed if no index is given", async () => {
    const client = await Client.connect();
    const { metadata } = (await client.reset({ seed: 546, split: "all" })).data;
    expect((await gym.call("get", { episodeId: metadata.episode_id })).task).toEqual({
      split: "all",
      index: 546 % 544,
    });
    await client.reset();
    expect((await client.state()).data).toMatchObject({ index: 0, seed: 0 });
  });

  test("a repeated step with its index gets the stored reply, and another index is refused", async () => {
    const client = await Client.connect();
    await client.reset();
    const taken = await client.step("get 1 dirt", { index: 0 });
    expect(await client.step("get 1 dirt", { index: 0 })).toEqual(taken);
    expect((await client.state()).data.step_count).toBe(1);
    expect(await client.refusal({ type: "step", data: { message: "inventory", index: 5 } })).toContain(
      "EXECUTION_ERROR: expected",
    );
  });

  test("calls tools, and refuses a call that no tool takes without a step", async () => {
    const client = await Client.connect();
    expect((await client.ask({ type: "step", data: { type: "list_tools" } })).data.observation.tools).toHaveLength(3);
    await client.reset();
    const call = (tool_name: string, given: object) =>
      client.ask({ type: "step", data: { type: "call_tool", tool_name, arguments: given } });
    expect((await call("get", { count: 2, item: "dirt" })).data).toMatchObject({
      observation: { tool_name: "get", result: { data: "Got 2 dirt", is_error: false }, error: null },
      reward: 0,
    });
    const wrong = await call("get", { count: "two", item: "dirt" });
    expect(wrong.data).toMatchObject({
      observation: { result: null, error: { error_type: "invalid_args" } },
      reward: null,
      done: false,
    });
    expect((await call("fly", {})).data.observation.error).toEqual({
      error_type: "tool_not_found",
      message: 'expected one of the tools get, craft, inventory, but received "fly"',
    });
    expect((await client.state()).data.step_count).toBe(1);
  });

  test("offers only the tool `act` for an environment with text actions", async () => {
    const client = await Client.connect("faulty");
    const { tools } = (await client.ask({ type: "step", data: { type: "list_tools" } })).data.observation as {
      tools: { name: string }[];
    };
    expect(tools.map(({ name }) => name)).toEqual(["act"]);
    await client.reset({ split: "play", index: 0 });
    const data = { type: "call_tool", tool_name: "act", arguments: { action: "{action} $& \n" } };
    expect((await client.ask({ type: "step", data })).data.observation).toMatchObject({
      result: { data: "1: {action} $& \n" },
    });
  });

  test.each([
    ["INVALID_JSON: expected a frame of JSON", "{"],
    ["INVALID_JSON: expected a text frame", Buffer.from("{}")],
    ["UNKNOWN_TYPE: expected a frame of type reset, step, state, mcp, close, but received", { type: "fly" }],
    ["UNKNOWN_TYPE", "null"],
    [
      "VALIDATION_ERROR: expected a message that fits its schema, but received data: Unrecognized key",
      { type: "reset", data: { sed: 1 } },
    ],
    ["VALIDATION_ERROR", { type: "reset", data: { seed: -1 } }],
    ["VALIDATION_ERROR", { type: "reset", data: {}, more: 1 }],
    ["VALIDATION_ERROR", { type: "step", data: {} }],
    ["SESSION_ERROR: expected a reset before the first step", { type: "step", data: { message: "a" } }],
    ["EXECUTION_ERROR: expected one of textcraft's splits", { type: "reset", data: { split: "no" } }],
    ["EXECUTION_ERROR: expected an index from 0", { type: "reset", data: { split: "all", index: 9_999 } }],
    ["EXECUTION_ERROR: expected", { type: "reset", data: { options: { no: "x" } } }],
  ])("answers with %s, and stays open", async (expected, frame) => {
    const client = await Client.connect();
    expect(await client.refusal(frame)).toContain(expected);
    expect((await client.reset()).type).toBe("observation");
  });

  test("for an unknown environment gets one error and is closed", async () => {
    const client = await Client.connect("nothing");
    expect(await client.refused()).toMatchObject({ type: "error", data: { code: "SESSION_ERROR" } });
  });

  test("without a known caller is not opened", async () => {
    await expect(Client.connect("textcraft", "", { token: "pal_wrong" })).rejects.toThrow("401");
  });
});

describe("an episode", () => {
  test("outlives its socket, and only its owner can continue it, by id and under its environment", async () => {
    const client = await Client.connect("textcraft", "", { token: first });
    const { episode_id } = (await client.reset({ split: "all", index: 2 })).data.metadata;
    await client.step("get 1 dirt");
    client.end();
    const again = await Client.connect("textcraft", "", { token: first });
    const taken = await again.reset({ episode_id });
    expect(taken.data).toMatchObject({ reward: null, done: false, metadata: { episode_id, step_count: 1 } });
    expect(taken.data.observation).toMatchObject({ prompt: expect.any(String), text: "Got 1 dirt" });
    const other = await Client.connect("textcraft", "", { token: second });
    expect(await other.refusal({ type: "reset", data: { episode_id } })).toContain("EXECUTION_ERROR");
    const elsewhere = await Client.connect("faulty", "", { token: first });
    expect(await elsewhere.refusal({ type: "reset", data: { episode_id } })).toContain("an episode of faulty");
    expect((await again.step("inventory")).data.observation.text).toBe("Inventory: [dirt] (1) ");
  });

  test("with an id from the client is found again by that id", async () => {
    const client = await Client.connect();
    const asked = { episode_id: "run 7 / ü", split: "all", index: 4 };
    const { episode_id } = (await client.reset(asked)).data.metadata;
    await client.step("get 1 dirt");
    client.end();
    const again = await Client.connect();
    expect((await again.reset(asked)).data.metadata).toMatchObject({ episode_id, step_count: 1 });
    expect(await again.refusal({ type: "reset", data: { ...asked, index: 5 } })).toContain("EXECUTION_ERROR");
  });

  test("is closed by the client's close message and by the next reset", async () => {
    const client = await Client.connect();
    const one = (await client.reset()).data.metadata.episode_id;
    const two = (await client.reset()).data.metadata.episode_id;
    expect(await gym.call("get", { episodeId: one })).toMatchObject({ phase: "closed" });
    const closed = client.closed();
    client.socket.send({ type: "close" });
    expect(await closed).toBe(1000);
    expect(await gym.call("get", { episodeId: two })).toMatchObject({ phase: "closed" });
  });

  test("that has ended reports `done` and refuses a further step", async () => {
    const client = await Client.connect("faulty");
    await client.reset({ split: "play", index: 3 });
    expect((await client.step("end")).data).toMatchObject({ done: true, metadata: { terminated: true } });
    const { data } = await client.ask({ type: "step", data: { message: "more" } });
    expect(data).toMatchObject({ error: { code: "EPISODE_ENDED", class: "action" } });
    expect(await client.refusal({ type: "step", data: { message: "more" } })).toContain(
      "SESSION_ERROR: expected a reset",
    );
  });

  test("cannot be changed under the path of another environment", async () => {
    const gym = await openGym();
    onTestFinished(() => gym.close());
    const post = async (environment: string, method: string, params: object) => {
      const payload = { jsonrpc: "2.0", id: 1, method, params };
      return (await gym.app.inject({ method: "POST", url: `/openenv/${environment}/mcp`, payload })).json();
    };
    const { session_id } = (await post("textcraft", "openenv/session/create", {})).result;
    const socket = await InjectedSocket.open(gym, {}, `/openenv/textcraft/ws?session_id=${session_id}`);
    await socket.exchange({ type: "reset", data: {} });
    const get = { session_id, name: "get", arguments: { count: 1, item: "dirt" } };
    expect((await post("babyai", "tools/call", get)).error.code).toBe(-32_602);
    expect((await post("babyai", "tools/list", { session_id })).error.code).toBe(-32_602);
    expect((await post("babyai", "openenv/session/close", { session_id })).error.code).toBe(-32_602);
    expect((await post("textcraft", "tools/call", { ...get, name: "inventory", arguments: {} })).result.data).toBe(
      "Inventory: You are not carrying anything.",
    );
  });

  test("continues after a restart of the gym, also in a session of /mcp", async () => {
    const before = await openGym();
    onTestFinished(() => before.close());
    const post = async (on: typeof before, method: string, params: object) =>
      (
        await on.app.inject({
          method: "POST",
          url: "/openenv/textcraft/mcp",
          payload: { jsonrpc: "2.0", id: 1, method, params },
        })
      ).json();
    const { session_id } = (await post(before, "openenv/session/create", {})).result;
    const socket = await InjectedSocket.open(before, {}, `/openenv/textcraft/ws?session_id=${session_id}`);
    await socket.exchange({ type: "reset", data: {} });
    const get = { session_id, name: "get", arguments: { count: 1, item: "dirt" } };
    expect((await post(before, "tools/call", get)).result.data).toBe("Got 1 dirt");
    const after = await before.restart();
    expect((await post(after, "tools/call", { ...get, name: "inventory", arguments: {} })).result.data).toBe(
      "Inventory: [dirt] (1) ",
    );
    expect((await post(after, "openenv/session/close", { session_id })).result).toEqual({ session_id, closed: true });
    expect((await post(after, "tools/call", get)).error.code).toBe(-32_602);
  });
});

describe("a session of /mcp", () => {
  test("is shared by one socket and calls over HTTP", async () => {
    const { session_id } = (await rpc("openenv/session/create")).result;
    const client = await Client.connect("textcraft", `?session_id=${session_id}`);
    const listed = (await rpc("tools/list", { session_id })).result.tools;
    expect(listed[0]).toMatchObject({ name: "get", inputSchema: { type: "object" }, input_schema: { type: "object" } });
    expect((await rpc("tools/call", { session_id, name: "inventory" })).error).toMatchObject({ code: -32_603 });
    await client.reset();
    expect(
      (await rpc("tools/call", { session_id, name: "get", arguments: { count: 1, item: "dirt" } })).result,
    ).toEqual({
      content: [{ type: "text", text: "Got 1 dirt" }],
      data: "Got 1 dirt",
      is_error: false,
      meta: { episode_id: expect.any(String), reward: 0, terminated: false, truncated: false },
    });
    expect((await client.state()).data.step_count).toBe(1);
    const rival = await Client.connect("textcraft", `?session_id=${session_id}`);
    expect((await rival.refused()).data.code).toBe("SESSION_ERROR");
    const closed = client.closed();
    client.socket.send({ type: "close" });
    await closed;
    expect((await rpc("tools/call", { session_id, name: "inventory" })).result.data).toBe("Inventory: [dirt] (1) ");
    expect((await rpc("openenv/session/close", { session_id })).result.closed).toBe(true);
    expect((await rpc("openenv/session/close", { session_id })).error.code).toBe(-32_602);
  });

  test("belongs to its owner", async () => {
    const { session_id } = (await rpc("openenv/session/create", {}, first)).result;
    expect((await rpc("tools/list", { session_id }, second)).error.code).toBe(-32_602);
    const client = await Client.connect("textcraft", `?session_id=${session_id}`, { token: second });
    expect((await client.refused()).data.code).toBe("SESSION_ERROR");
  });

  test.each([
    [-32_600, {}],
    [-32_600, { jsonrpc: "1.0", method: "tools/list" }],
    [-32_700, "{"],
    [-32_601, { jsonrpc: "2.0", id: 1, method: "initialize" }],
    [-32_601, { jsonrpc: "2.0", id: 1, method: "constructor" }],
    [-32_602, { jsonrpc: "2.0", id: 1, method: "tools/call", params: {} }],
    [-32_602, { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "get", arguments: {} } }],
    [-32_602, { jsonrpc: "2.0", id: 1, method: "tools/list", params: { session_id: "s1" } }],
    [-32_602, { jsonrpc: "2.0", id: 1, method: "tools/list", params: { session_id: "../../" } }],
  ])("answers with the code %i and status 200", async (code, body) => {
    const { status, body: answer } = await http("POST", "/textcraft/mcp", body);
    expect({ status, jsonrpc: answer.jsonrpc, code: answer.error.code }).toEqual({ status: 200, jsonrpc: "2.0", code });
  });
});

describe("the routes", () => {
  test("describe the environment", async () => {
    expect((await http("GET", "/textcraft/health")).body).toEqual({ status: "healthy" });
    expect((await http("GET", "/textcraft/metadata")).body).toMatchObject({ name: "textcraft", version: "1" });
    const { action, observation, state, reset } = (await http("GET", "/textcraft/schema")).body;
    expect(action).toMatchObject({ title: "PalestraAction", required: ["message"] });
    expect(Object.keys(action.properties), "what a model is shown").toEqual(["message"]);
    for (const schema of [observation, state, reset]) expect(schema.type).toBe("object");
    const { info, paths } = (await http("GET", "/textcraft/openapi.json")).body;
    expect(info.version).toBe("1.0.0");
    expect(Object.keys(paths)).toEqual(expect.arrayContaining(["/reset", "/step", "/state", "/mcp"]));
    expect((await http("GET", "/textcraft/list_environments")).body).toEqual(["textcraft"]);
    expect(await http("GET", "/nothing/health")).toMatchObject({ status: 404, body: { detail: expect.any(String) } });
  });

  test("play an episode by its id", async () => {
    const start = (await http("POST", "/textcraft/reset", { seed: 3 })).body;
    const { episode_id } = start.metadata;
    const step = { action: { message: "get 1 dirt", index: 0 }, episode_id };
    const taken = await http("POST", "/textcraft/step", step);
    expect(taken.body).toMatchObject({ observation: { text: "Got 1 dirt" }, reward: 0, done: false });
    expect(await http("POST", "/textcraft/step", step)).toEqual(taken);
    expect((await http("GET", `/textcraft/state?episode_id=${episode_id}`)).body).toMatchObject({ step_count: 1 });
    expect((await http("GET", "/textcraft/state")).body).toEqual({ episode_id: null, step_count: 0 });
    expect((await http("POST", "/textcraft/reset")).status).toBe(200);
    expect((await http("POST", "/textcraft/step", { action: { message: "a" } })).status).toBe(422);
    expect((await http("POST", "/textcraft/step", { ...step, episode_id: "ep-1-0" })).status).toBe(404);
    expect((await http("POST", "/textcraft/step", step, first)).status).toBe(404);
  });

  test("list tasks", async () => {
    const post = (route: string, body: object) => http("POST", `/textcraft/TextCraft/${route}`, body);
    expect((await http("GET", "/textcraft/textcraft/splits")).body).toContainEqual({ name: "train", type: "train" });
    expect((await post("num_tasks", { split: "all" })).body).toEqual({ num_tasks: 544 });
    const { task } = (await post("task", { split: "all", index: 3 })).body;
    expect(task).toEqual({ split: "all", index: 3, title: expect.any(String) });
    expect((await post("task_range", { split: "all", start: 3, stop: 5 })).body.tasks).toHaveLength(2);
    expect((await post("task_range", { split: "all", start: 3, stop: 5 })).body.tasks[0]).toEqual(task);
    expect((await post("tasks", { split: "all" })).body.tasks).toHaveLength(544);
    expect((await post("num_tasks", { split: "no" })).status).toBe(404);
    expect((await http("GET", "/textcraft/babyai/splits")).status).toBe(404);
  });

  test("return pictures as parts beside the text", async () => {
    const client = await Client.connect("painter");
    await client.reset();
    const { observation } = (await client.step("red")).data;
    expect(observation.text).toBe("You said red.");
    expect(observation.parts).toEqual([expect.objectContaining({ type: "image" })]);
  });
});
