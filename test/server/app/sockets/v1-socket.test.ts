import { describe, expect, test } from "vitest";
import { type OperationName, operations } from "#palestra/server/operations/operations.js";
import { eventually, fixture, openGym, type Params } from "../../../support/gym.js";
import { type Frame, InjectedSocket } from "../../../support/injected-socket.js";

const gym = await openGym({
  environments: ["faulty", "plain", "duo"].map(fixture),
  localExpert: true,
  limits: { maxBodyBytes: 100_000, maxActionLength: 10_000 },
});

const task = { environment: "textcraft", task: { split: "all", index: 0 } };
const open = () => InjectedSocket.open(gym);

async function create(socket: InjectedSocket, params: Params = {}): Promise<string> {
  return JSON.parse(await socket.text("create", { ...task, ...params })).episodeId;
}

test("many calls that wait for a seat's turn do not hold back the step that ends their wait", async () => {
  const socket = await open();
  const { episodeId } = await gym.create({ environment: "duo", task: { index: 0 } });
  const waiting = Array.from({ length: 20 }, () => socket.text("seat", { episodeId, seat: "right", waitMs: 30_000 }));
  await socket.text("step", { episodeId, index: 0, action: "hello" });
  for (const view of await Promise.all(waiting)) expect(JSON.parse(view)).toMatchObject({ turn: "right", index: 1 });
});

describe("an operation", () => {
  test("gives the same result over the socket as over HTTP", async () => {
    const socket = await open();
    const { episodeId } = await gym.create();
    const other = await gym.create();
    const drawn = await gym.create({ environment: "babyai", task: { index: 0 } });
    const told = await gym.create({ environment: "faulty", task: { index: 0 } });
    const duo = await gym.create({ environment: "duo", task: { index: 0 } });
    const same: [OperationName, Params][] = [
      ["listEnvironments", {}],
      ["getEnvironment", { environment: "textcraft@1" }],
      ["listTasks", { environment: "textcraft", split: "test", from: 3, limit: 4 }],
      ["create", { ...task, idempotencyKey: "same" }],
      ["createMany", { episodes: [task, { ...task, seed: 1 }], idempotencyKey: "both" }],
      ["step", { episodeId, index: 0, action: "get 1 dirt" }],
      [
        "stepMany",
        {
          steps: [
            { episodeId, index: 0, action: "get 1 dirt" },
            { episodeId: "ep-0", index: 0, action: "" },
          ],
        },
      ],
      ["score", { environment: "faulty", answers: [{ task: { index: 0 }, answer: "no" }] }],
      ["opening", { episodeId }],
      ["transcript", { episodeId, from: 0, limit: 1 }],
      ["expert", { episodeId }],
      ["render", { episodeId: drawn.episodeId }],
      ["seatStep", { episodeId: duo.episodeId, seat: "left", index: 0, action: "hello" }],
      ["seat", { episodeId: duo.episodeId, seat: "right", waitMs: 100 }],
      ["query", { episodeId: told.episodeId, query: "heard" }],
      ["get", { episodeId }],
      ["list", { limit: 3, before: episodeId }],
      ["close", { episodeId: other.episodeId }],
      ["nextPair", { rater: "ada" }],
      ["listJudgments", {}],
      ["agreement", {}],
      ["usage", {}],
      ["listRuns", {}],
      ["getFleet", {}],
    ];
    for (const [name, params] of same) {
      const sent = await socket.text(name, params);
      expect(sent, name).toBe(await gym.text(name, params));
    }
    const run = "unknown";
    const refused: [OperationName, Params][] = [
      ["getRun", { run }],
      ["runMetrics", { run, from: 3, limit: 4 }],
      ["runGroups", { run, step: 2 }],
      ["runRollout", { run, group: "g", index: 1, step: 2 }],
      ["runEpisodes", { run, from: 3, limit: 4 }],
      ["searchRun", { run, q: "go", from: 3, limit: 4 }],
      ["runEpisode", { run, index: 5 }],
    ];
    for (const [name, params] of refused) {
      const error = await socket.refusal(name, params);
      expect(error, name).toEqual(await gym.refusal(name, params));
      expect(error.code, name).toBe("RUN_UNKNOWN");
    }
    const fork = JSON.parse(await socket.text("fork", { episodeId }));
    expect(fork).toMatchObject({ parent: episodeId, index: 1 });
    const judged = { left: fork.episodeId, right: episodeId, choice: "tie", rater: "ada" };
    expect(JSON.parse(await socket.text("judge", judged))).toMatchObject({ number: 1, note: "" });
    const noted = JSON.parse(await socket.text("note", { episodeId, step: 1, text: "seen" }));
    expect(noted).toMatchObject({ notes: [{ step: 1, text: "seen", tags: [] }] });
    const { at: _, ...now } = JSON.parse(await socket.text("now", {}));
    expect(await gym.call("now")).toMatchObject(now);
    expect([...[...same, ...refused].map(([name]) => name), "fork", "judge", "note", "now"].sort()).toEqual(
      Object.keys(operations).sort(),
    );
  });

  test.each<[OperationName, Params, string]>([
    ["step", { episodeId: "ep-1-00000000000000000000", index: 0, action: "" }, "EPISODE_UNKNOWN"],
    ["create", { environment: "nothing", task: { index: 0 } }, "ENVIRONMENT_UNKNOWN"],
    ["create", { ...task, task: { index: 544 } }, "TASK_OUT_OF_RANGE"],
    ["listTasks", { environment: "textcraft", split: "nothing" }, "SPLIT_UNKNOWN"],
  ])("that HTTP refuses is refused with the same message: %s %j", async (name, params, code) => {
    const error = await (await open()).refusal(name, params);
    expect(error).toEqual(await gym.refusal(name, params));
    expect(error.code).toBe(code);
  });
});

describe("a socket", () => {
  test("answers requests in the order in which they finish, each with its id", async () => {
    const socket = await open();
    const slow = JSON.parse(await socket.text("create", { environment: "faulty", task: { index: 0 } })).episodeId;
    socket.received.length = 0;
    socket.send({ id: "slow", op: "step", params: { episodeId: slow, index: 0, action: "slow" } });
    socket.send({ id: "quick", op: "listTasks", params: { environment: "textcraft", limit: 1 } });
    socket.send({ id: -3, op: "listTasks", params: { environment: "textcraft", limit: 1 } });
    await eventually(() => socket.received.length === 3);
    const ids = socket.received.map((text) => (JSON.parse(text) as Frame).id);
    expect([...ids].sort()).toEqual([-3, "quick", "slow"]);
    expect(ids.at(-1)).toBe("slow");
  });

  test("plays many episodes at once without mixing them up", async () => {
    const socket = await open();
    const episodes = await Promise.all(Array.from({ length: 50 }, (_, index) => create(socket, { task: { index } })));
    const counts = await Promise.all(
      episodes.map(async (episodeId, i) => {
        const steps = [`get ${i + 1} dirt`, "inventory"].map((action, index) =>
          socket.text("step", { episodeId, index, action }),
        );
        const [, inventory] = await Promise.all(steps);
        return Number(/\[dirt\] \(([0-9]+)\)/.exec(inventory as string)?.[1]);
      }),
    );
    expect(counts).toEqual(Array.from({ length: 50 }, (_, i) => i + 1));
  });

  test("takes the steps of one episode in the order in which they were sent", async () => {
    const socket = await open();
    const episodeId = await create(socket);
    const steps = Array.from({ length: 40 }, (_, index) =>
      socket.text("step", { episodeId, index, action: index % 2 === 0 ? "get 1 dirt" : "inventory" }),
    );
    const replies = (await Promise.all(steps)).map((text) => JSON.parse(text));
    expect(replies.map(({ index }) => index)).toEqual(Array.from({ length: 40 }, (_, i) => i));
    expect(replies[39].observation).toContain("[dirt] (20)");
  });

  test("gets the expert's advice for the state after all steps that were sent before", async () => {
    const socket = await open();
    const { episodeId } = JSON.parse(await socket.text("create", { environment: "faulty", task: { index: 0 } }));
    const steps = ["on", "no way"].map((action, index) => socket.text("step", { episodeId, index, action }));
    expect(JSON.parse(await socket.text("expert", { episodeId }))).toEqual({ index: 2, action: null });
    await Promise.all(steps);
  });

  test("that breaks loses nothing: another socket finds the episode and repeats its step", async () => {
    const first = await open();
    const episodeId = await create(first);
    const reply = await first.text("step", { episodeId, index: 0, action: "get 1 dirt" });
    first.send({ id: 9, op: "step", params: { episodeId, index: 1, action: "inventory" } });
    await eventually(async () => (await gym.call("get", { episodeId })).index === 2);
    first.raw.terminate();

    const second = await open();
    const { index, observation } = JSON.parse(await second.text("get", { episodeId }));
    expect([index, observation]).toEqual([2, expect.stringContaining("[dirt] (1)")]);
    expect(await second.text("step", { episodeId, index: 0, action: "get 1 dirt" })).toBe(reply);
    expect(await second.text("step", { episodeId, index: 1, action: "inventory" })).toContain("[dirt] (1)");
    expect(JSON.parse(await second.text("step", { episodeId, index: 2, action: "inventory" }))).toMatchObject({
      index: 2,
    });
  });

  test("that breaks with steps in flight loses none and takes none twice when the client repeats all", async () => {
    const [first, second] = [await open(), await open()];
    const episodeId = await create(first);
    const step = (index: number) => ({ episodeId, index, action: "get 1 dirt" });
    for (let index = 0; index < 40; index++) first.send({ id: index, op: "step", params: step(index) });
    await eventually(async () => (await gym.call("get", { episodeId })).index > 0);
    first.raw.terminate();
    await Promise.all(Array.from({ length: 40 }, (_, index) => second.text("step", step(index))));
    const { observation } = await gym.call("step", { episodeId, index: 40, action: "inventory" });
    expect(observation).toContain("[dirt] (40)");
  });

  test("is counted while it is open", async () => {
    const own = await openGym();
    for (const open of [1, 2]) {
      await InjectedSocket.open(own);
      expect(await own.metric("palestra_sockets")).toBe(open);
    }
  });

  test("answers all requests, even when more arrive than it handles at a time", async () => {
    const narrow = await openGym({ limits: { maxSocketInFlight: 2 } });
    const socket = await InjectedSocket.open(narrow);
    const episodeId = await create(socket);
    const steps = Array.from({ length: 30 }, (_, index) =>
      socket.text("step", { episodeId, index, action: "inventory" }),
    );
    expect((await Promise.all(steps)).map((text) => JSON.parse(text).index)).toEqual(
      Array.from({ length: 30 }, (_, i) => i),
    );
  });
});

describe("an invalid frame", () => {
  const list = { op: "list", params: {} };

  test.each<[string, string | Buffer | object, string, string | number | null]>([
    ["no JSON", "{", "REQUEST_MALFORMED", null],
    ["empty", "", "REQUEST_MALFORMED", null],
    ["two values", "{}{}", "REQUEST_MALFORMED", null],
    ["binary", Buffer.from(JSON.stringify({ id: 1, ...list })), "SOCKET_FRAME_BINARY", null],
    ["null", "null", "REQUEST_INVALID", null],
    ["a number", "5", "REQUEST_INVALID", null],
    ["an array", "[]", "REQUEST_INVALID", null],
    ["no id", list, "REQUEST_INVALID", null],
    ["an id of null", { id: null, ...list }, "REQUEST_INVALID", null],
    ["a fractional id", { id: 1.5, ...list }, "REQUEST_INVALID", null],
    ["an object as id", { id: {}, ...list }, "REQUEST_INVALID", null],
    ["a huge id", { id: "x".repeat(201), ...list }, "REQUEST_INVALID", null],
    ["no op", { id: 1 }, "REQUEST_INVALID", 1],
    ["an unknown op", { id: 2, op: "reset" }, "REQUEST_INVALID", 2],
    ["an inherited op", { id: 3, op: "constructor" }, "REQUEST_INVALID", 3],
    ["an unknown key", { id: 4, ...list, more: 1 }, "REQUEST_INVALID", 4],
    ["params of an array", { id: 5, op: "list", params: [] }, "REQUEST_INVALID", 5],
    ["params of a text", { id: 6, op: "list", params: "all" }, "REQUEST_INVALID", 6],
    ["an unknown param", { id: 7, op: "list", params: { more: 1 } }, "REQUEST_INVALID", 7],
    ["a param of a wrong type", { id: 8, op: "get", params: { episodeId: 5 } }, "REQUEST_INVALID", 8],
    ["a missing param", { id: "nine", op: "step", params: { episodeId: "ep-1", index: 0 } }, "REQUEST_INVALID", "nine"],
    [
      "a negative index",
      { id: 10, op: "step", params: { episodeId: "x", index: -1, action: "" } },
      "REQUEST_INVALID",
      10,
    ],
    [
      "an action too long",
      { id: 11, op: "step", params: { episodeId: "x", index: 0, action: "x".repeat(10_001) } },
      "ACTION_TOO_LARGE",
      11,
    ],
  ])("is answered with an error, and the socket stays open: %s", async (_, frame, code, id) => {
    const socket = await open();
    const reply = await socket.exchange(frame);
    expect(reply).toMatchObject({
      id,
      error: { code, class: "action", message: expect.stringMatching(/^expected .+, but received .+/s) },
    });
    expect(
      await socket.exchange({ id: "on", op: "listTasks", params: { environment: "textcraft", limit: 1 } }),
    ).toMatchObject({ id: "on", result: {} });
  });

  test.each([[true], [false], [null], [[]], [[5]], ["5"], [""], [1.5], [{}]])(
    "cannot give %j as a number",
    async (wrong) => {
      const socket = await open();
      for (const [op, params] of [
        ["listTasks", { environment: "textcraft", from: wrong }],
        ["listTasks", { environment: "textcraft", limit: wrong }],
        ["list", { limit: wrong }],
        ["transcript", { episodeId: "ep-1", from: wrong }],
        ["transcript", { episodeId: "ep-1", limit: wrong }],
      ] as const) {
        const { code, details } = await socket.refusal(op, params);
        const path = Object.keys(params).at(-1);
        expect([code, details]).toMatchObject(["REQUEST_INVALID", { issues: [{ path }] }]);
      }
    },
  );

  test("is refused with its first ten faults and the number of the rest", async () => {
    const socket = await open();
    const { details } = await socket.refusal("stepMany", { steps: new Array(4_000).fill(0) });
    const { issues } = details as { issues: unknown[] };
    expect(issues).toHaveLength(11);
    expect(issues.at(-1)).toEqual({ path: "", message: "3990 more" });
  });

  test("is refused, and the error names the wrong field or all operations", async () => {
    const socket = await open();
    const { error } = await socket.exchange({ id: 1, op: "step", params: { episodeId: "x", index: "0", action: "" } });
    expect(error?.details).toMatchObject({ issues: [{ path: "index" }] });
    expect((await socket.exchange({ id: 1, op: "reset" })).error?.message).toContain("listEnvironments");
  });

  test("may leave out params if none is required", async () => {
    const socket = await open();
    expect(await socket.exchange({ id: 1, op: "listEnvironments" })).toMatchObject({ id: 1, result: {} });
  });

  test("above the size limit closes only its own socket, with 1009", async () => {
    const [socket, other] = [await open(), await open()];
    const closed = new Promise<number>((resolve) => socket.raw.on("close", resolve));
    socket.send({ id: 1, op: "list", params: { before: "x".repeat(100_000) } });
    expect(await closed).toBe(1009);
    expect(await other.text("list", { limit: 1 })).toContain("episodes");
  });
});

test("a plain request to the socket's path is refused with SOCKET_EXPECTED", async () => {
  const response = await gym.app.inject("/v1/socket");
  expect([response.statusCode, response.json().error.code]).toEqual([426, "SOCKET_EXPECTED"]);
  expect(response.headers.upgrade).toBe("websocket");
});

test("a closing server answers requests in flight, refuses new ones, and closes sockets with 1001", async () => {
  const closing = await openGym({ environments: [fixture("faulty")] });
  const socket = await InjectedSocket.open(closing);
  const { episodeId } = JSON.parse(await socket.text("create", { environment: "faulty", task: { index: 0 } }));
  const closed = new Promise<number>((resolve) => socket.raw.on("close", resolve));
  const slow = socket.text("step", { episodeId, index: 0, action: "very slow" });
  await eventually(async () => (await closing.metric("palestra_steps_in_flight")) === 1);
  const ended = closing.close();
  await eventually(async () => (await socket.refusal("fork", { episodeId: "ep-0" })).code === "SERVER_DRAINING");
  const late = await Promise.all([
    socket.refusal("step", { episodeId, index: 1, action: "on" }),
    socket.refusal("create", task),
    socket.refusal("fork", { episodeId }),
    socket.refusal("query", { episodeId, query: "heard" }),
  ]);
  expect(late.map(({ code }) => code)).toEqual(Array.from(late, () => "SERVER_DRAINING"));
  expect(JSON.parse(await slow)).toMatchObject({ observation: "1: very slow" });
  expect(await closed).toBe(1001);
  await ended;
  const after = await openGym({ environments: [fixture("faulty")] }, closing.dataDir);
  expect(await after.call("get", { episodeId })).toMatchObject({ phase: "running", index: 1 });
});
