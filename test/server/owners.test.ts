/**
 * What one caller has is unknown to all others: a row for every operation of the OpenAPI document. Other callers get
 * the reply that they would get if the thing did not exist, and nothing of it changes.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { eventually, fixture, openGym, type TestGym } from "../support/gym.js";
import { GymSocket } from "../support/gym-socket.js";

interface Ask {
  method?: "GET" | "POST" | "DELETE";
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** A thing of the first caller. */
interface Target {
  id: string;
  /** Id in the same form that names nothing. */
  absent: string;
  /** Reads the thing for its owner, without a change. */
  look: readonly Ask[];
}

type Kind = () => Promise<Target>;
/** Requests about a thing, and the reason if even its owner may get the reply of an absent one. */
type ById = { of: Kind; asks: ((id: string) => Ask)[]; mayBeSameForOwner?: string };
/** Requests whose replies list the caller's own things. */
type Lists = { lists: Ask[] };
/** Requests that need a right. */
type Right = { right: "runs"; asks: Ask[] };
/** A row is the reason why an operation is about nobody's things, or how to attack it. */
type Row = string | ById | Lists | Right;

let gym: TestGym;
let url: string;
let ada: string;
/** Callers who must not learn of Ada's things: a token of her group without rights, one with all rights, and no token. */
let others: Record<string, string | undefined>;
/** A token that has never been used. */
let fresh: string;
/** Texts that only replies to Ada may have. */
const marks: string[] = [];

beforeAll(async () => {
  gym = await openGym({ environments: [fixture("faulty"), fixture("painter")], hosts: { count: 2 } });
  await gym.changeTokens((tokens) => tokens.setGroup({ name: "lab" }));
  ada = await gym.createToken(["expert"], 1_000, { group: "lab" });
  fresh = await gym.createToken([], 1_000, { group: "lab" });
  others = {
    "a token of the same group": await gym.createToken([], 1_000, { group: "lab" }),
    "a token with all rights": await gym.createToken(["expert", "runs"], 1_000),
    "a caller without a token": undefined,
  };
  url = await gym.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => gym.close());

/** Most milliseconds for the first part of a stream that does not end, and for the parts after it. */
const [firstMs, moreMs] = [10_000, 300];

async function send({ method = "GET", path, body, headers }: Ask, token: string | undefined) {
  const stop = new AbortController();
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: stop.signal,
  });
  const isEndless = /\/events\b/.test(path) && response.ok;
  const text = isEndless ? await begun(response) : await response.text();
  stop.abort();
  return { status: response.status, text, headers: response.headers };
}

/** Returns the beginning of a stream. */
async function begun({ body }: Response): Promise<string> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  for (;;) {
    const late = sleep(text === "" ? firstMs : moreMs, undefined);
    const part = await Promise.race([reader.read(), late]);
    if (!part?.value) return text;
    text += Buffer.from(part.value).toString();
  }
}

async function json<T>(ask: Ask, token = ada): Promise<T> {
  const { status, text } = await send(ask, token);
  expect(status, `${ask.path}: ${text}`).toBe(200);
  return JSON.parse(text) as T;
}

const withZeros = (episodeId: string) => episodeId.replace(/[0-9a-f]{20}$/, "0".repeat(20));
const lookAt = (id: string): Ask[] => [{ path: `/v1/episodes/${id}` }, { path: `/v1/episodes/${id}/transcript` }];

async function play(environment: string, actions: readonly string[]): Promise<string> {
  const body = { environment, task: { index: 0 } };
  const { episodeId } = await json<{ episodeId: string }>({ method: "POST", path: "/v1/episodes", body });
  marks.push(episodeId);
  for (const [index, action] of actions.entries())
    await json({ method: "POST", path: `/v1/episodes/${episodeId}/step`, body: { index, action } });
  return episodeId;
}

function episode(environment = "faulty"): Kind {
  return async () => {
    const mark = `mark-${randomUUID()}`;
    marks.push(mark);
    const id = await play(environment, [mark]);
    return { id, absent: withZeros(id), look: lookAt(id) };
  };
}

/** Two ended episodes of one task, with their ids joined by a comma. */
const pair: Kind = async () => {
  const ids = [await play("painter", ["red", "blue"]), await play("painter", ["blue", "red"])];
  return {
    id: ids.join(),
    absent: ids.map(withZeros).join(),
    look: [...ids.flatMap(lookAt), { path: "/v1/judgments" }],
  };
};

/** The newest episode of Ada, which a session has just opened. */
async function newest(): Promise<string> {
  const { episodes } = await json<{ episodes: { episodeId: string }[] }>({ path: "/v1/episodes?limit=1" });
  const [{ episodeId }] = episodes as [{ episodeId: string }];
  marks.push(episodeId);
  return episodeId;
}

function agentgym(environment: string, field: "id" | "env_idx", body: object = {}): Kind {
  return async () => {
    const made = await json<Record<string, number> | number>({
      method: "POST",
      path: `/agentgym/${environment}/create`,
      body,
    });
    const id = typeof made === "number" ? made : made[field];
    expect(id).toEqual(expect.any(Number));
    const observed = { path: `/agentgym/${environment}/observation?${field}=${id}` };
    const hasEpisode = environment !== "webarena" && environment !== "webarena-lab";
    return { id: `${id}`, absent: "987654321", look: [observed, ...(hasEpisode ? lookAt(await newest()) : [])] };
  };
}

const ors: Kind = async () => {
  const { text } = await send({ method: "POST", path: "/create_session", body: {} }, ada);
  const id = /^data: (s\w+)$/m.exec(text)?.[1] as string;
  const body = { split: "all", index: 3 };
  const headers = { "x-deployment": "textcraft", "x-session-id": id };
  await json({ method: "POST", path: "/create", body, headers });
  marks.push(id);
  return { id, absent: nextTo(id), look: [...lookAt(await newest()), { path: "/prompt", headers }] };
};

/** Returns another id of a session. */
function nextTo(id: string): string {
  return `s${(Number.parseInt(id.slice(1), 36) - 1).toString(36)}`;
}

const nemo: Kind = async () => {
  const body = { responses_create_params: { input: [] }, split: "all", index: 3 };
  const { status, headers } = await send({ method: "POST", path: "/nemo-gym/textcraft/reset", body }, ada);
  expect(status).toBe(200);
  const [, id = ""] = /=(s\w+)\.0;/.exec(headers.getSetCookie()[0] ?? "") ?? [];
  marks.push(id);
  return { id, absent: nextTo(id), look: lookAt(await newest()) };
};

const openenv: Kind = async () => {
  const made = await json<{ metadata: { episode_id: string } }>({
    method: "POST",
    path: "/openenv/textcraft/reset",
    body: {},
  });
  const id = made.metadata.episode_id;
  marks.push(id);
  return { id, absent: withZeros(id), look: lookAt(id) };
};

const openenvSession: Kind = async () => {
  const made = await json<{ result: { session_id: string } }>(rpc("openenv/session/create", {}));
  const id = made.result.session_id;
  marks.push(id);
  return { id, absent: nextTo(id), look: [rpc("tools/list", { session_id: id })] };
};

function rpc(method: string, params: object): Ask {
  return { method: "POST", path: "/openenv/textcraft/mcp", body: { jsonrpc: "2.0", id: 1, method, params } };
}

const post = (path: string, body: unknown = {}, headers?: Record<string, string>): Ask => {
  return { method: "POST", path, body, ...(headers && { headers }) };
};
const ofSession = (id: string) => ({ "x-deployment": "textcraft", "x-session-id": id });
const ofCookie = (id: string) => ({ cookie: `palestra-textcraft=${id}.0` });

const byId = (of: Kind, ...asks: ((id: string) => Ask)[]): ById => ({ of, asks });

/** The operations of one environment of AgentGym. */
function agentgymRows(
  name: string,
  kind: Kind,
  field: "id" | "env_idx",
  operations: Record<string, object | null>,
): Record<string, Row> {
  const title = name.replace(/(^|-)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
  const rowOf = ([operation, body]: [string, object | null]): [string, Row] => {
    const path = `/agentgym/${name}/${operation}`;
    const key = operation.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase());
    const ask = (id: string): Ask =>
      body === null ? { path: `${path}?${field}=${id}` } : post(path, { [field]: Number(id), ...body });
    const needsSites = name.startsWith("webarena") && operation === "reset";
    const mayBeSameForOwner = needsSites ? "a reset fails on a machine without sites or a browser" : undefined;
    return [`agentgym${title}${key}`, { of: kind, asks: [ask], ...(mayBeSameForOwner && { mayBeSameForOwner }) }];
  };
  return {
    [`agentgym${title}Hello`]: "says which environment it is",
    [`agentgym${title}Create`]: "opens a session of the caller's own",
    ...Object.fromEntries(Object.entries(operations).map(rowOf)),
  };
}

const textcraft = agentgym("textcraft", "id");
const searchqa = agentgym("searchqa", "env_idx", { id: 0 });
const ofOrs = (path: string, body?: unknown) =>
  byId(ors, (id) =>
    body === undefined ? { path, headers: ofSession(id) } : { method: "POST", path, body, headers: ofSession(id) },
  );
const inventory = { name: "inventory", input: {} };
const aboutTasks = "describes tasks, which belong to no caller";
const aboutGym = "describes the gym or an environment";
const formats = ["html", "eval", "atif", "json", "openai", "agentgym", "steps", "preferences"];
const runs = (path: string): Right => ({ right: "runs", asks: [{ path }] });

const rows: Record<string, Row> = {
  livez: aboutGym,
  readyz: aboutGym,
  root: aboutGym,
  listEnvironments: aboutGym,
  getEnvironment: aboutGym,
  listTasks: aboutTasks,
  getFleet: aboutGym,
  score: "scores answers without an episode",
  create: "opens an episode of the caller's own: see the test of idempotency keys",
  createMany: "opens episodes of the caller's own: see the test of idempotency keys",
  get: byId(episode(), (id) => ({ path: `/v1/episodes/${id}` })),
  opening: byId(episode(), (id) => ({ path: `/v1/episodes/${id}/opening` })),
  transcript: byId(
    episode(),
    (id) => ({ path: `/v1/episodes/${id}/transcript` }),
    (id) => ({ path: `/v1/episodes/${id}/transcript?from=1` }),
  ),
  step: byId(
    episode(),
    // A repeated step, whose stored reply must stay unknown, and a further one.
    (id) => post(`/v1/episodes/${id}/step`, { index: 0, action: "again" }),
    (id) => post(`/v1/episodes/${id}/step`, { index: 1, action: "more" }),
  ),
  stepMany: byId(episode(), (id) => post("/v1/stepMany", { steps: [{ episodeId: id, index: 1, action: "more" }] })),
  fork: byId(
    episode(),
    (id) => post(`/v1/episodes/${id}/fork`),
    (id) => post(`/v1/episodes/${id}/fork`, { index: 0 }),
  ),
  expert: byId(episode("babyai"), (id) => ({ path: `/v1/episodes/${id}/expert` })),
  render: byId(episode("babyai"), (id) => ({ path: `/v1/episodes/${id}/render` })),
  query: byId(
    episode(),
    (id) => ({ path: `/v1/episodes/${id}/queries/heard` }),
    (id) => ({ path: `/v1/episodes/${id}/queries/odd` }),
  ),
  replay: byId(episode(), (id) => ({ method: "POST", path: `/v1/episodes/${id}/replay` })),
  exportEpisode: byId(
    episode(),
    ...formats.slice(0, 4).map((format) => (id: string) => ({ path: `/v1/episodes/${id}/export?format=${format}` })),
  ),
  exportEpisodes: byId(
    episode(),
    ...formats.map((format) => (id: string) => post("/v1/export", { format, episodeIds: [id] })),
    ...["best", "all", "judged"].map(
      (pairs) => (id: string) => post("/v1/export", { format: "preferences", pairs, episodeIds: [id] }),
    ),
  ),
  episodeEvents: byId(episode(), (id) => ({ path: `/v1/episodes/${id}/events` })),
  close: byId(episode(), (id) => ({ method: "DELETE", path: `/v1/episodes/${id}` })),
  judge: byId(pair, (id) => {
    const [left, right] = id.split(",");
    return post("/v1/judgments", { left, right, choice: "left", rater: "ada", note: "seen" });
  }),
  list: {
    lists: [{ path: "/v1/episodes" }, { path: "/v1/episodes?detail=state" }, { path: "/v1/episodes?text=faulty" }],
  },
  listJudgments: { lists: [{ path: "/v1/judgments" }] },
  nextPair: { lists: [{ path: "/v1/judgments/next?rater=somebody" }] },
  agreement: { lists: [{ path: "/v1/judgments/agreement" }] },
  exportJudgments: { lists: [{ path: "/v1/judgments/export" }] },
  gymEvents: byId(episode(), (id) => ({ path: `/v1/events?episode=${id}` })),
  usage: { lists: [{ path: "/v1/usage" }] },
  listRuns: runs("/v1/runs"),
  getRun: runs("/v1/runs/one"),
  runMetrics: runs("/v1/runs/one/metrics"),
  runGroups: runs("/v1/runs/one/groups?step=1"),
  runRollout: runs("/v1/runs/one/groups/1/rollouts/0?step=1"),
  runEpisodes: runs("/v1/runs/one/episodes"),
  searchRun: runs("/v1/runs/one/search?q=a"),
  runEpisode: runs("/v1/runs/one/episodes/0"),
  exportRun: runs("/v1/runs/one/export"),
  ...agentgymRows("textcraft", textcraft, "id", {
    reset: { data_idx: 1 },
    step: { action: "inventory" },
    observation: null,
    detail: null,
    close: {},
  }),
  ...agentgymRows("babyai", agentgym("babyai", "id"), "id", {
    reset: { data_idx: 1 },
    step: { action: "turn left" },
    observation: null,
    render: {},
    close: {},
  }),
  ...agentgymRows("sciworld", agentgym("sciworld", "id"), "id", {
    reset: { data_idx: 1 },
    step: { action: "look around" },
    step_visual: { action: "look around" },
    observation: null,
    detail: null,
    action_hint: null,
    goals: null,
    task_description: null,
    object_tree: null,
    state: null,
    close: {},
  }),
  ...Object.assign(
    {},
    ...["webarena", "webarena-lab"].map((name) =>
      agentgymRows(name, agentgym(name, "env_idx"), "env_idx", {
        reset: { seed: 0, idx: 1_000_000 },
        step: { action: "```stop [x]```" },
        observation: null,
        observation_metadata: null,
        close: {},
      }),
    ),
  ),
  ...agentgymRows("searchqa", searchqa, "env_idx", {
    reset: { id: 1 },
    step: { action: "<search>x</search>" },
    observation: null,
    close: {},
  }),
  orsHealth: aboutGym,
  orsVersion: aboutGym,
  orsListEnvironments: aboutGym,
  orsCreateSession: "opens a session of the caller's own",
  orsCreate: ofOrs("/create", { split: "all", index: 4 }),
  orsPing: ofOrs("/ping", {}),
  orsDelete: ofOrs("/delete", {}),
  orsDeleteSession: ofOrs("/delete_session", {}),
  orsTools: aboutGym,
  orsTaskTools: ofOrs("/task_tools"),
  orsPrompt: ofOrs("/prompt"),
  orsCall: ofOrs("/call", inventory),
  orsSplits: aboutTasks,
  orsNumTasks: aboutTasks,
  orsTask: aboutTasks,
  orsTasks: aboutTasks,
  orsTaskRange: aboutTasks,
  orsEnvironmentTools: aboutGym,
  orsEnvironmentTaskTools: ofOrs("/textcraft/task_tools"),
  orsEnvironmentPrompt: ofOrs("/textcraft/prompt"),
  orsEnvironmentCall: ofOrs("/textcraft/call", inventory),
  orsEnvironmentSplits: aboutTasks,
  orsEnvironmentNumTasks: aboutTasks,
  orsEnvironmentTask: aboutTasks,
  orsEnvironmentTasks: aboutTasks,
  orsEnvironmentTaskRange: aboutTasks,
  nemoGymEnvironmentReset: byId(nemo, (id) =>
    post("/nemo-gym/textcraft/reset", { responses_create_params: { input: [] }, split: "all", index: 5 }, ofCookie(id)),
  ),
  nemoGymEnvironmentStep: byId(nemo, (id) => {
    const content = [{ type: "output_text", text: "inventory", annotations: [] }];
    const output = [{ type: "message", id: "m", role: "assistant", status: "completed", content }];
    const response = { id: "r", object: "response", model: "m", output };
    return post("/nemo-gym/textcraft/step", { responses_create_params: { input: [] }, response }, ofCookie(id));
  }),
  nemoGymEnvironmentClose: byId(nemo, (id) => post("/nemo-gym/textcraft/close", {}, ofCookie(id))),
  nemoGymEnvironmentHealth: aboutGym,
  nemoGymEnvironmentRows: aboutTasks,
  nemoGymEnvironmentAggregateMetrics: "computes with the numbers of the request",
  openenvEnvironmentHealth: aboutGym,
  openenvEnvironmentMetadata: aboutGym,
  openenvEnvironmentSchema: aboutGym,
  openenvEnvironmentReset: byId(openenv, (id) => post("/openenv/textcraft/reset", { episode_id: id })),
  openenvEnvironmentStep: byId(
    openenv,
    (id) => post("/openenv/textcraft/step", { episode_id: id, action: { message: "inventory" } }),
    (id) => post("/openenv/textcraft/step", { episode_id: id, action: { message: "inventory", index: 0 } }),
  ),
  openenvEnvironmentState: byId(openenv, (id) => ({ path: `/openenv/textcraft/state?episode_id=${id}` })),
  openenvEnvironmentMcp: byId(
    openenvSession,
    (id) => rpc("tools/list", { session_id: id }),
    (id) => rpc("tools/call", { session_id: id, name: "inventory", arguments: {} }),
    (id) => rpc("openenv/session/close", { session_id: id }),
  ),
  openenvEnvironmentListEnvironments: aboutGym,
  openenvEnvironmentNameSplits: aboutTasks,
  openenvEnvironmentNameNumTasks: aboutTasks,
  openenvEnvironmentNameTask: aboutTasks,
  openenvEnvironmentNameTasks: aboutTasks,
  openenvEnvironmentNameTaskRange: aboutTasks,
};

type Reply = Awaited<ReturnType<typeof send>>;

/** Makes replies about things comparable: ids are equal, and so are new ids that a reply gives to its caller. */
function comparable({ status, text }: Reply, ...ids: string[]): [number, string] {
  const parts = ids.flatMap((id) => id.split(","));
  const known = parts.reduce((rest, id) => rest.replaceAll(new RegExp(`\\b${id}\\b`, "g"), "ID"), text);
  return [status, known.replace(/ep-\w+(-\w+)*/g, "NEW").replace(/"[\d-]+T[\d:.]+Z"/g, '"TIME"')];
}

function expectNoMark({ text }: Pick<Reply, "text">, asked: string[] = []): void {
  const told = marks.filter((mark) => !asked.join().includes(mark) && text.includes(mark));
  expect(told).toEqual([]);
}

/** Follows the gym's events. */
async function watch(token: string | undefined) {
  const ending = new AbortController();
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { body } = await fetch(`${url}/v1/events`, { headers, signal: ending.signal });
  let text = "";
  const reading = async () => {
    for await (const part of body as ReadableStream<Uint8Array>) text += Buffer.from(part).toString();
  };
  reading().catch(() => {});
  return { told: () => text, stop: () => ending.abort() };
}

const kindOf = (wanted: (row: Exclude<Row, string>) => boolean) =>
  Object.entries(rows).filter(([, row]) => typeof row !== "string" && wanted(row));

test("every operation of the OpenAPI document has a row", async () => {
  const document = (await gym.app.inject("/openapi.json")).json() as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const named = Object.values(document.paths).flatMap((path) => Object.values(path).map((each) => each.operationId));
  expect(Object.keys(rows).sort()).toEqual(named.sort());
});

describe("a thing of one caller is like an absent one to others", () => {
  test.each(kindOf((row) => "of" in row) as [string, ById][])(
    "%s",
    async (_, { of, asks, mayBeSameForOwner }) => {
      for (const ask of asks) {
        const { id, absent, look } = await of();
        const before = await Promise.all(look.map((one) => send(one, ada)));
        const told: [number, string][] = [];
        for (const [who, token] of Object.entries(others)) {
          const [foreign, missing] = [await send(ask(id), token), await send(ask(absent), token)];
          expectNoMark(foreign, [id]);
          expect(comparable(foreign, id, absent), who).toEqual(comparable(missing, id, absent));
          told.push(comparable(foreign, id, absent));
        }
        const after = await Promise.all(look.map((one) => send(one, ada)));
        expect(after.map(({ status, text }) => [status, text])).toEqual(
          before.map(({ status, text }) => [status, text]),
        );
        expect(before.map(({ status }) => status)).toEqual(before.map(() => 200));
        const own = comparable(await send(ask(id), ada), id, absent);
        const later = await Promise.all(look.map((one) => send(one, ada)));
        const hasEffect = later.some(({ text }, at) => text !== before[at]?.text);
        const isOther = told.every(([status, text]) => status !== own[0] || text !== own[1]);
        if (mayBeSameForOwner === undefined) expect(hasEffect || isOther, "the owner's request succeeds").toBe(true);
      }
    },
    120_000,
  );
});

describe("a list of one caller has nothing of another", () => {
  test.each(kindOf((row) => "lists" in row) as [string, Lists][])(
    "%s",
    async (_, { lists }) => {
      const [left, right] = (await pair()).id.split(",");
      await json(post("/v1/judgments", { left, right, choice: "left", rater: "eve", note: "a secret note" }));
      marks.push("a secret note");
      for (const ask of lists) {
        const own = await send(ask, ada);
        const unused = await send(ask, fresh);
        expect([unused.status, own.status]).toEqual([200, 200]);
        expect(comparable(own)).not.toEqual(comparable(unused));
        for (const token of Object.values(others)) expectNoMark(await send(ask, token));
        expectNoMark(unused);
      }
    },
    120_000,
  );

  test("the default of an export of episodes", async () => {
    const { id } = await episode()();
    for (const format of ["json", "steps"]) {
      const own = await send(post("/v1/export", { format }), ada);
      expect([format, own.status]).toEqual([format, 200]);
      // A ZIP archive names its files in plain text.
      if (format === "json") expect(own.text).toContain(id);
      for (const token of [fresh, ...Object.values(others)])
        expectNoMark(await send(post("/v1/export", { format }), token));
    }
  });

  test("the stream of the gym's events", async () => {
    const streams = await Promise.all([ada, fresh, ...Object.values(others)].map(watch));
    const { id } = await episode()();
    await eventually(() => streams[0]?.told().includes(id) ?? false);
    // The streams of the others have their next status by then.
    await sleep(2_000);
    for (const { told, stop } of streams.slice(1)) {
      expect(told()).toContain("event: status");
      expectNoMark({ text: told() });
      stop();
    }
    streams[0]?.stop();
  });
});

test.each(kindOf((row) => "right" in row) as [string, Right][])(
  "a token without the right `runs` learns of no run by %s",
  async (_, { asks }) => {
    for (const ask of asks) {
      for (const token of [ada, fresh, others["a token of the same group"]]) {
        const { status, text } = await send(ask, token);
        expect([status, JSON.parse(text).error?.code]).toEqual([403, "RIGHT_MISSING"]);
      }
      expect((await send(ask, others["a token with all rights"])).text).not.toContain("RIGHT_MISSING");
    }
  },
);

test("a page of episodes older than another caller's episode is refused like one older than an absent episode", async () => {
  const { id, absent } = await episode()();
  for (const token of Object.values(others)) {
    const [foreign, missing] = [id, absent].map((before) => ({ path: `/v1/episodes?before=${before}` })) as [Ask, Ask];
    const replies = [await send(foreign, token), await send(missing, token)] as const;
    expect(comparable(replies[0], id, absent)).toEqual(comparable(replies[1], id, absent));
  }
});

test("an episode of another caller cannot be judged against an own one", async () => {
  const [own] = (await pair()).id.split(",");
  const body = { environment: "painter", task: { index: 0 } };
  for (const token of Object.values(others)) {
    const created = JSON.parse((await send(post("/v1/episodes", body), token)).text) as { episodeId: string };
    for (const sides of [
      { left: own, right: created.episodeId },
      { left: created.episodeId, right: own },
    ]) {
      const { status, text } = await send(post("/v1/judgments", { ...sides, choice: "tie", rater: "eve" }), token);
      expect([status, JSON.parse(text).error.code]).toEqual([404, "EPISODE_UNKNOWN"]);
    }
  }
});

test("an idempotency key of one caller names nothing of another", async () => {
  const headers = { "idempotency-key": "the same" };
  const body = { environment: "faulty", task: { index: 0 } };
  const made = async (token: string | undefined) => {
    const one = JSON.parse((await send(post("/v1/episodes", body, headers), token)).text) as { episodeId: string };
    const many = await send(post("/v1/createMany", { episodes: [body] }, headers), token);
    return [one.episodeId, JSON.parse(many.text).results[0].episodeId as string];
  };
  const own = await made(ada);
  expect(await made(ada)).toEqual(own);
  const all = [...own];
  for (const token of [fresh, ...Object.values(others)]) all.push(...(await made(token)));
  expect(new Set(all).size).toBe(all.length);
});

test("a socket of one caller takes no operation on another's episode", async () => {
  const { id, absent, look } = await episode()();
  const before = await Promise.all(look.map((one) => json(one)));
  const operations: Record<string, object> = {
    get: {},
    opening: {},
    transcript: {},
    step: { index: 1, action: "more" },
    stepMany: {},
    fork: {},
    expert: {},
    render: {},
    query: { query: "heard" },
    close: {},
  };
  for (const token of Object.values(others)) {
    const socket = await GymSocket.connect(url, token === undefined ? {} : { token });
    try {
      for (const [op, more] of Object.entries(operations)) {
        const told = async (episodeId: string) => {
          const params = op === "stepMany" ? { steps: [{ episodeId, index: 1, action: "x" }] } : { episodeId, ...more };
          const text = await socket.requestText(op, params).catch((error: Error) => error.message);
          return text.replaceAll(episodeId, "ID");
        };
        expect([op, await told(id)]).toEqual([op, await told(absent)]);
      }
    } finally {
      socket.raw.terminate();
    }
  }
  expect(await Promise.all(look.map((one) => json(one)))).toEqual(before);
});
