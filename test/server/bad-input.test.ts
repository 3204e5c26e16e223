/** Bad input of every kind is refused with an error of the error table, and affects nothing else. */
import type { InjectOptions } from "fastify";
import { afterAll, describe, expect, test } from "vitest";
import type { ErrorCode } from "#palestra/server/errors.js";
import { checkError, fixture, openGym } from "../support/gym.js";

const gym = await openGym({ environments: [fixture("faulty")], limits: { maxBodyBytes: 100_000 } });
const bystander = await gym.create();
const { episodeId } = await gym.create();

const json = { "content-type": "application/json" };
const create = { environment: "textcraft", task: { split: "all", index: 0 } };
const step = { index: 0, action: "inventory" };
const post = (url: string, payload: unknown): InjectOptions => ({ method: "POST", url, payload: payload as object });
const raw = (url: string, payload: string, headers: Record<string, string> = json): InjectOptions => ({
  method: "POST",
  url,
  payload,
  headers,
});
const createUrl = "/v1/episodes";
const stepUrl = `/v1/episodes/${episodeId}/step`;
const forkUrl = `/v1/episodes/${episodeId}/fork`;

async function answer(request: InjectOptions) {
  const response = await gym.app.inject(request);
  return { error: checkError(response.json(), response.statusCode), headers: response.headers };
}

type Case = [title: string, request: InjectOptions, code: ErrorCode];

const bodies: Case[] = [
  ["half an object", raw(createUrl, `{"environment":`), "REQUEST_MALFORMED"],
  ["no JSON", raw(createUrl, "environment=textcraft"), "REQUEST_MALFORMED"],
  ["two values", raw(createUrl, "{}{}"), "REQUEST_MALFORMED"],
  ["a single quote", raw(stepUrl, "'"), "REQUEST_MALFORMED"],
  ["a space", raw(stepUrl, " "), "REQUEST_MALFORMED"],
  ["a NUL", raw(stepUrl, "\u0000"), "REQUEST_MALFORMED"],
  ["NaN", raw(stepUrl, `{"index":NaN,"action":""}`), "REQUEST_MALFORMED"],
  ["a key __proto__", raw(createUrl, `{"__proto__":{"environment":"textcraft"}}`), "REQUEST_MALFORMED"],
  ["a key constructor", raw(createUrl, `{"constructor":{"prototype":{"a":1}}}`), "REQUEST_MALFORMED"],
  ["a hundred thousand brackets", raw(createUrl, "[".repeat(90_000)), "REQUEST_MALFORMED"],
  ["an array nested forty thousand deep", raw(createUrl, "[".repeat(40_000) + "]".repeat(40_000)), "REQUEST_INVALID"],
  ["nothing", raw(createUrl, ""), "REQUEST_INVALID"],
  ["nothing, and no media type", { method: "POST", url: createUrl }, "REQUEST_INVALID"],
  ["nothing, where the body is a step", { method: "POST", url: stepUrl }, "REQUEST_INVALID"],
  ["null", raw(createUrl, "null"), "REQUEST_INVALID"],
  ["an array", raw(createUrl, "[]"), "REQUEST_INVALID"],
  ["a number", raw(createUrl, "5"), "REQUEST_INVALID"],
  ["a text", raw(createUrl, `"textcraft"`), "REQUEST_INVALID"],
  ["text/plain", raw(createUrl, "{}", { "content-type": "text/plain" }), "REQUEST_MEDIA_TYPE"],
  ["a form", raw(createUrl, "a=1", { "content-type": "application/x-www-form-urlencoded" }), "REQUEST_MEDIA_TYPE"],
  ["a file", raw(createUrl, "--x--", { "content-type": "multipart/form-data; boundary=x" }), "REQUEST_MEDIA_TYPE"],
  ["XML", raw(createUrl, "<a/>", { "content-type": "application/xml" }), "REQUEST_MEDIA_TYPE"],
  ["no media type that is one", raw(createUrl, "{}", { "content-type": "json" }), "REQUEST_MEDIA_TYPE"],
  ["more bytes than the limit", raw(createUrl, `"${"x".repeat(100_000)}"`), "REQUEST_TOO_LARGE"],
];

const wrongValues: unknown[] = [-1, 1.5, 1e300, 2 ** 53, "0", null, true, [0], {}];
const wrongTexts: unknown[] = [5, null, true, ["a"], { a: 1 }];

const fields: Case[] = [
  ...wrongValues.flatMap((wrong): Case[] => [
    [`the step index ${JSON.stringify(wrong)}`, post(stepUrl, { ...step, index: wrong }), "REQUEST_INVALID"],
    [
      `the task index ${JSON.stringify(wrong)}`,
      post(createUrl, { ...create, task: { index: wrong } }),
      "REQUEST_INVALID",
    ],
    [`the seed ${JSON.stringify(wrong)}`, post(createUrl, { ...create, seed: wrong }), "REQUEST_INVALID"],
    [`maxSteps ${JSON.stringify(wrong)}`, post(createUrl, { ...create, maxSteps: wrong }), "REQUEST_INVALID"],
    [`leaseMs ${JSON.stringify(wrong)}`, post(createUrl, { ...create, leaseMs: wrong }), "REQUEST_INVALID"],
    [`the fork index ${JSON.stringify(wrong)}`, post(forkUrl, { index: wrong }), "REQUEST_INVALID"],
  ]),
  ...wrongTexts.flatMap((wrong): Case[] => [
    [`the action ${JSON.stringify(wrong)}`, post(stepUrl, { ...step, action: wrong }), "REQUEST_INVALID"],
    [`the environment ${JSON.stringify(wrong)}`, post(createUrl, { ...create, environment: wrong }), "REQUEST_INVALID"],
    [
      `the split ${JSON.stringify(wrong)}`,
      post(createUrl, { ...create, task: { split: wrong, index: 0 } }),
      "REQUEST_INVALID",
    ],
  ]),
  ["maxSteps 0", post(createUrl, { ...create, maxSteps: 0 }), "REQUEST_INVALID"],
  ["leaseMs 999", post(createUrl, { ...create, leaseMs: 999 }), "REQUEST_INVALID"],
  ["leaseMs of two days", post(createUrl, { ...create, leaseMs: 172_800_000 }), "REQUEST_INVALID"],
  ["an empty environment", post(createUrl, { ...create, environment: "" }), "REQUEST_INVALID"],
  ["a long environment", post(createUrl, { ...create, environment: "x".repeat(101) }), "REQUEST_INVALID"],
  ["no task", post(createUrl, { environment: "textcraft" }), "REQUEST_INVALID"],
  ["a task of a text", post(createUrl, { ...create, task: "all:0" }), "REQUEST_INVALID"],
  ["no step index", post(stepUrl, { action: "" }), "REQUEST_INVALID"],
  ["no action", post(stepUrl, { index: 0 }), "REQUEST_INVALID"],
  ["an unknown key", post(createUrl, { ...create, sede: 1 }), "REQUEST_INVALID"],
  ["an unknown key of a task", post(createUrl, { ...create, task: { index: 0, idx: 1 } }), "REQUEST_INVALID"],
  ["an unknown key of a step", post(stepUrl, { ...step, episodeId }), "REQUEST_INVALID"],
  ["an unknown key of a fork", post(forkUrl, { at: 0 }), "REQUEST_INVALID"],
  ["steps of an object", post("/v1/stepMany", { steps: {} }), "REQUEST_INVALID"],
  ["no steps", post("/v1/stepMany", {}), "REQUEST_INVALID"],
  ["episodes of nulls", post("/v1/createMany", { episodes: [null] }), "REQUEST_INVALID"],
  ["an empty idempotency key", { ...post(createUrl, create), headers: { "idempotency-key": "" } }, "REQUEST_INVALID"],
  [
    "a long idempotency key",
    { ...post(createUrl, create), headers: { "idempotency-key": "x".repeat(201) } },
    "REQUEST_INVALID",
  ],
  ["an unknown environment", post(createUrl, { ...create, environment: "nethack" }), "ENVIRONMENT_UNKNOWN"],
  ["an unknown split", post(createUrl, { ...create, task: { split: "dev", index: 0 } }), "SPLIT_UNKNOWN"],
  ["a task past the last", post(createUrl, { ...create, task: { split: "all", index: 544 } }), "TASK_OUT_OF_RANGE"],
];

const paths: Case[] = [
  ["an unknown path", { url: "/nothing" }, "ROUTE_UNKNOWN"],
  ["a doubled slash", { url: "//v1/episodes" }, "ROUTE_UNKNOWN"],
  ["another case", { url: "/V1/episodes" }, "ROUTE_UNKNOWN"],
  ["a part too many", { url: `/v1/episodes/${episodeId}/step/0` }, "ROUTE_UNKNOWN"],
  ["a way up", { url: "/v1/../etc/passwd" }, "ROUTE_UNKNOWN"],
  ["an unknown path under AgentGym's", { url: "/agentgym/webshop/create" }, "ROUTE_UNKNOWN"],
  ["a percent sign alone", { url: "/v1/episodes/%" }, "REQUEST_INVALID"],
  ["no hexadecimal digits", { url: "/v1/episodes/%zz" }, "REQUEST_INVALID"],
  ["no UTF-8", { url: "/v1/episodes/%ff%fe" }, "REQUEST_INVALID"],
  ["no UTF-8 in an unknown path", { url: "/nothing/%ff" }, "REQUEST_INVALID"],
  ["an id of 65 characters", { url: `/v1/episodes/${"x".repeat(65)}` }, "REQUEST_INVALID"],
  ["an id of 10,000 characters", { url: `/v1/episodes/${"x".repeat(10_000)}` }, "REQUEST_INVALID"],
  ["an empty id", { url: "/v1/episodes/" }, "REQUEST_INVALID"],
  ["an encoded slash in an id", { url: "/v1/episodes/a%2Fb" }, "EPISODE_UNKNOWN"],
  ["an unknown id", { url: "/v1/episodes/ep-1-00000000000000000000" }, "EPISODE_UNKNOWN"],
  ["an id with a huge key", { url: "/v1/episodes/ep-999999999999999-00000000000000000000" }, "EPISODE_UNKNOWN"],
  [
    "an id with a key past all keys",
    { url: "/v1/episodes/ep-9999999999999999-00000000000000000000" },
    "EPISODE_UNKNOWN",
  ],
  ["a quote in an id", { url: "/v1/episodes/ep-1';--" }, "EPISODE_UNKNOWN"],
  ["an unknown query key", { url: "/v1/episodes?limt=1" }, "REQUEST_INVALID"],
  ["a query key twice", { url: "/v1/episodes?limit=1&limit=2" }, "REQUEST_INVALID"],
  ["a limit of a text", { url: "/v1/episodes?limit=all" }, "REQUEST_INVALID"],
  ["a limit of nothing", { url: "/v1/episodes?limit=" }, "REQUEST_INVALID"],
  ["a limit of hexadecimal digits", { url: "/v1/episodes?limit=0x10" }, "REQUEST_INVALID"],
  ["a fractional limit", { url: "/v1/episodes?limit=1.5" }, "REQUEST_INVALID"],
  ["a limit that is true", { url: "/v1/episodes?limit=true" }, "REQUEST_INVALID"],
  ["a start past all numbers", { url: "/v1/environments/textcraft/tasks?from=9007199254740993" }, "REQUEST_INVALID"],
  ["an infinite limit", { url: "/v1/episodes?limit=Infinity" }, "REQUEST_INVALID"],
  ["a plain request for the socket", { url: "/v1/socket" }, "SOCKET_EXPECTED"],
];

describe.each([
  ["a body of", bodies],
  ["a field:", fields],
  ["a path with", paths],
])("%s", (_, cases) => {
  test.each(cases)("%s", async (_title, request, code) => {
    const { error } = await answer(request);
    expect(error.code, error.message).toBe(code);
    expect(error.message.length).toBeLessThan(1_500);
  });
});

test("an invalid field is named with its path", async () => {
  const { error } = await answer(post(createUrl, { ...create, task: { index: -1 }, seed: "x" }));
  expect(error.details).toMatchObject({ issues: [{ path: "task.index" }, { path: "seed" }] });
  expect(error.message).toMatch(/task\.index: .*; seed: /);
});

describe("input with many faults", () => {
  const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, 0]));

  test("is refused with its first ten faults and the number of the rest", async () => {
    const { error } = await answer(post("/v1/stepMany", { steps: Array.from({ length: 4_000 }, () => 0) }));
    const { issues } = error.details as { issues: { path: string; message: string }[] };
    expect(issues.map(({ path }) => path)).toEqual([...Array.from({ length: 10 }, (_, i) => `steps.${i}`), ""]);
    expect(issues.at(-1)?.message).toBe("3990 more");
    expect(error.message).toMatch(/steps\.9: [^;]+; 3990 more$/);
  });

  test.each([
    ["entries of a wrong type", post("/v1/stepMany", { steps: new Array(4_096).fill(0) })],
    ["entries past the limit", post("/v1/stepMany", { steps: new Array(40_000).fill(0) })],
    ["unknown keys", post(stepUrl, keys(5_000))],
    ["one long unknown key", post(stepUrl, { ["x".repeat(90_000)]: 0 })],
    [
      "unknown query keys",
      { url: `/v1/episodes?${new URLSearchParams(keys(500) as unknown as Record<string, string>)}` },
    ],
    ["AgentGym's fields", post("/agentgym/textcraft/step", { id: "9".repeat(10_000), action: keys(5_000) })],
  ])("has a bounded reply: %s", async (_, request) => {
    const { statusCode, payload } = await gym.app.inject(request);
    expect(statusCode).toBeOneOf([400, 422]);
    expect(payload.length).toBeLessThan(4_000);
  });
});

describe("the message about a refused body", () => {
  test.each<[string, InjectOptions, string | RegExp]>([
    [
      "its length and the limit",
      raw(createUrl, `"${"x".repeat(100_000)}"`),
      "expected a body of at most 100000 bytes, but received 100002 bytes",
    ],
    [
      "its media type",
      raw(createUrl, "{}", { "content-type": "text/plain" }),
      'expected the content type application/json, but received "text/plain"',
    ],
    [
      "its missing media type",
      raw(createUrl, "{}", {}),
      "expected the content type application/json, but received none",
    ],
    ["what is no JSON in it", raw(createUrl, `{"a":nil}`), /^expected a body of JSON, but received .*'i', .*nil/],
    [
      "a key that is not taken",
      raw(createUrl, `{"__proto__":{"seed":1}}`),
      "expected a body without the keys `__proto__` and `constructor.prototype`, but received a body with one of these keys",
    ],
  ])("%s", async (_, request, message) => {
    const { error } = await answer(request);
    if (typeof message === "string") expect(error.message).toBe(message);
    else expect(error.message).toMatch(message);
  });
});

describe("a known path with another method", () => {
  test.each([
    ["PUT", "/v1/episodes", "GET, HEAD, POST"],
    ["DELETE", "/v1/episodes", "GET, HEAD, POST"],
    ["GET", "/v1/stepMany", "POST"],
    ["PATCH", `/v1/episodes/${episodeId}`, "DELETE, GET, HEAD"],
    ["GET", `/v1/episodes/${episodeId}/step?a=1`, "POST"],
    ["POST", `/v1/episodes/${episodeId}/transcript`, "GET, HEAD"],
    ["POST", "/v1/environments/textcraft", "GET, HEAD"],
    ["OPTIONS", "/v1/stepMany", "POST"],
    ["POST", "/livez", "GET, HEAD"],
    ["POST", "/v1/socket", "GET, HEAD"],
    ["GET", "/agentgym/textcraft/create", "POST"],
  ] as const)("%s %s is refused with the reply %s", async (method, url, allowed) => {
    const { error, headers } = await answer({ method, url });
    expect(error.code).toBe("METHOD_NOT_ALLOWED");
    expect(error.message).toContain(`but received ${method}`);
    expect(String(headers.allow).split(", ").sort().join(", ")).toBe(allowed);
  });
});

describe("valid input that looks invalid", () => {
  test.each<[string, InjectOptions]>([
    [
      "a delete with a JSON media type and no body",
      { method: "DELETE", url: `/v1/episodes/${bystander.episodeId}x`, headers: json },
    ],
    ["a fork without a body", { method: "POST", url: forkUrl }],
    ["a fork with a body of null", raw(forkUrl, "null")],
    [
      "a media type with a character set",
      raw(createUrl, JSON.stringify(create), { "content-type": "application/json; charset=utf-8" }),
    ],
    ["a HEAD request", { method: "HEAD", url: "/v1/episodes" }],
    ["a query mark with nothing behind it", { url: "/v1/episodes?" }],
  ])("is accepted: %s", async (title, request) => {
    const { statusCode } = await gym.app.inject(request);
    expect(statusCode).toBe(title.startsWith("a delete") ? 404 : 200);
  });
});

test("a body with a lone surrogate is read as well-formed text and replays", async () => {
  const created = await gym.create({ environment: "faulty", task: { index: 0 } });
  const reply = await gym.app.inject(
    raw(`/v1/episodes/${created.episodeId}/step`, `{"index":0,"action":"\\ud800 \\u0000"}`),
  );
  expect(reply.json().observation).toBe("1: \ufffd \u0000");
});

afterAll(async () => {
  expect(await gym.call("step", { episodeId: bystander.episodeId, ...step })).toMatchObject({ index: 0 });
  expect(await gym.call("get", { episodeId })).toMatchObject({ index: 0, phase: "running" });
});
