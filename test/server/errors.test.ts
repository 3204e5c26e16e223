/** Provokes every code of the error table. */
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { InjectOptions } from "fastify";
import { describe, expect, test } from "vitest";
import { openDatabase } from "#palestra/native/sqlite/index.js";
import { SandboxError } from "#palestra/sandboxes/sandbox.js";
import { callerGone } from "#palestra/server/episodes/episode/refusals.js";
import { type ErrorBody, type ErrorCode, errorCodes, errorTable, GymError, shown } from "#palestra/server/errors.js";
import { mostNotes } from "#palestra/server/log/records/notes.js";
import { Runs } from "#palestra/server/runs/runs.js";
import { gymDatabase } from "../support/databases.js";
import {
  checkError,
  eventually,
  fixture,
  openGym,
  type Params,
  type Sent,
  scratchDir,
  type TestGym,
} from "../support/gym.js";
import { hurriedTimes } from "../support/hurry.js";
import { InjectedSocket } from "../support/injected-socket.js";
import { postgresFolder, sql } from "../support/postgres.js";
import { RawConnection, type RawReply } from "../support/raw-connection.js";

const gym = await openGym({
  environments: ["faulty", "plain", "needy", "unrestorable", "bulky", "duo"].map(fixture),
  hosts: { count: 1, stepDeadlineMs: 20_000, memoryMb: 96 },
  limits: { maxBodyBytes: 10_000, maxActionLength: 1_000, maxPendingSteps: 2, maxSeatWaits: 3 },
  localExpert: true,
});
const distant = await openGym({ environments: [fixture("distant")], hosts: { count: 1, stepDeadlineMs: 100 } });
const textcraft = { environment: "textcraft", task: { index: 0 } };
const play = (environment: string, on = gym) => on.create({ environment, task: { index: 0 } });

async function request(options: InjectOptions, on = gym): Promise<ErrorBody> {
  const response = await on.app.inject(options);
  return checkError(response.json(), response.statusCode);
}

const creating = (params: Params, sent?: Sent) => gym.refusal("create", { ...textcraft, ...params }, sent);
const posting = (payload: string, contentType = "application/json") =>
  request({ method: "POST", url: "/v1/episodes", payload, headers: { "content-type": contentType } });

const listening = (on: TestGym) => on.app.listen({ host: "127.0.0.1", port: 0 });
const errorOf = ({ body, status }: RawReply) => checkError(JSON.parse(body), status);

/** Opens an episode of the environment `faulty`, and returns the error of a step. */
async function faultyStep(action: string, on = gym): Promise<ErrorBody> {
  const { episodeId } = await play("faulty", on);
  return on.refusal("step", { episodeId, index: 0, action });
}

function writeRun(folder: string, metrics: string): void {
  mkdirSync(join(folder, "a"));
  writeFileSync(join(folder, "a", "metrics.jsonl"), metrics);
}

async function gymWithRun(metrics: string): Promise<TestGym> {
  const folder = scratchDir();
  writeRun(folder, metrics);
  return openGym({ runs: [folder] });
}

async function distantStep(action: string): Promise<ErrorBody> {
  const { episodeId } = await play("distant@elsewhere", distant);
  return distant.refusal("step", { episodeId, index: 0, action });
}

const provoked: Record<ErrorCode, () => Promise<ErrorBody>> = {
  REQUEST_MALFORMED: () => posting("{"),
  REQUEST_INVALID: () => creating({ seed: -1 }),
  REQUEST_TOO_LARGE: () => posting(`"${"x".repeat(10_000)}"`),
  REQUEST_MEDIA_TYPE: () => posting("{}", "text/plain"),
  async REQUEST_HEAD_TOO_LARGE() {
    const connection = await RawConnection.open(await listening(await openGym()));
    connection.request(`GET /${"x".repeat(20_000)}`);
    return errorOf(await connection.reply());
  },
  async REQUEST_TIMEOUT() {
    const late = await openGym();
    const accepted = once(late.app.server, "connection");
    const connection = await RawConnection.open(await listening(late));
    connection.send("GET /livez HTTP/1.1\r\n");
    // Node emits this event at the timeout, but checks only every 30 seconds. So the test emits the event.
    const timeout = Object.assign(new Error("Request timeout"), { code: "ERR_HTTP_REQUEST_TIMEOUT" });
    late.app.server.emit("clientError", timeout, (await accepted)[0]);
    return errorOf(await connection.reply());
  },
  ROUTE_UNKNOWN: () => request({ url: "/v2/episodes" }),
  METHOD_NOT_ALLOWED: () => request({ method: "PUT", url: "/v1/episodes" }),
  async SOCKET_FRAME_BINARY() {
    const socket = await InjectedSocket.open(gym);
    const { error } = await socket.exchange(Buffer.from([1, 2, 3]));
    return checkError({ error });
  },
  SOCKET_EXPECTED: () => request({ url: "/v1/socket" }),
  TOKEN_MISSING: async () => (await openGym({ auth: "required" })).refusal("list"),
  TOKEN_INVALID: () => gym.refusal("list", {}, { token: "pal_x" }),
  async TOKEN_EXPIRED() {
    const plain = await openGym();
    const expiresAt = "2020-01-31T00:00:00.000Z";
    return plain.refusal("list", {}, { token: await plain.createToken([], 1, { expiresAt }) });
  },
  async RIGHT_MISSING() {
    const plain = await openGym();
    const { episodeId } = await plain.create();
    return plain.refusal("expert", { episodeId });
  },
  ORIGIN_REFUSED: () => gym.refusal("list", {}, { headers: { origin: "https://evil.example" } }),
  RUN_UNKNOWN: () => gym.refusal("getRun", { run: "../elsewhere" }),
  RUN_PART_UNKNOWN: async () => (await gymWithRun("")).refusal("runGroups", { run: "a" }),
  RUN_DAMAGED: async () => (await gymWithRun("not a record\n")).refusal("runMetrics", { run: "a" }),
  async RUNS_FAILED() {
    const folder = scratchDir();
    writeRun(folder, "");
    writeFileSync(join(folder, "a", "run.json"), `{"settings": [${"[],".repeat(500_000)}0]}`);
    const error = await new Runs([folder], 16).call("run", { run: "a" }).catch((cause: GymError) => cause);
    if (!(error instanceof GymError)) throw new Error("expected an error");
    return error.toBody();
  },
  ENVIRONMENT_UNKNOWN: () => creating({ environment: "textcraft@9" }),
  ENVIRONMENT_UNAVAILABLE: () => creating({ environment: "needy" }),
  SPLIT_UNKNOWN: () => creating({ task: { split: "dev", index: 0 } }),
  OPTION_UNKNOWN: () => creating({ options: { voice: "loud" } }),
  TASK_OUT_OF_RANGE: () => creating({ task: { index: 544 } }),
  EPISODE_UNKNOWN: () => gym.refusal("get", { episodeId: "ep-1" }),
  async EPISODE_CLOSED() {
    const { episodeId } = await gym.create();
    await gym.call("close", { episodeId });
    return gym.refusal("step", { episodeId, index: 0, action: "inventory" });
  },
  async EPISODE_ENDED() {
    const { episodeId } = await gym.create({ maxSteps: 1 });
    await gym.step(episodeId, 0, "inventory");
    return gym.refusal("step", { episodeId, index: 1, action: "inventory" });
  },
  async EPISODE_FAILED() {
    const { episodeId } = await play("faulty");
    await gym.refusal("step", { episodeId, index: 0, action: "throw" });
    return gym.refusal("step", { episodeId, index: 0, action: "on" });
  },
  async EPISODE_LOST() {
    const { episodeId } = await play("unrestorable");
    return gym.refusal("fork", { episodeId });
  },
  async STEP_INDEX() {
    const { episodeId } = await gym.create();
    return gym.refusal("step", { episodeId, index: 1, action: "inventory" });
  },
  async STEP_CONFLICT() {
    const { episodeId } = await gym.create();
    await gym.step(episodeId, 0, "inventory");
    return gym.refusal("step", { episodeId, index: 0, action: "dance" });
  },
  async SEAT_UNKNOWN() {
    const { episodeId } = await gym.create();
    return gym.refusal("seat", { episodeId, seat: "left" });
  },
  async SEAT_TURN() {
    const { episodeId } = await play("duo");
    return gym.refusal("seatStep", { episodeId, seat: "right", index: 0, action: "hello" });
  },
  async LIMIT_TOKEN_WAITS() {
    const { episodeId } = await play("duo");
    const wait = () => gym.text("seat", { episodeId, seat: "right", waitMs: 30_000 });
    const waiting = [wait(), wait()];
    await eventually(async () => (await gym.metric("palestra_seat_waits")) === 2);
    const refused = await gym.refusal("seat", { episodeId, seat: "right", waitMs: 30_000 });
    await gym.step(episodeId, 0, "hello");
    await Promise.all(waiting);
    return refused;
  },
  ACTION_TOO_LARGE: () => faultyStep("x".repeat(1_001)),
  async IDEMPOTENCY_CONFLICT() {
    await gym.create({ idempotencyKey: "k" });
    return creating({ idempotencyKey: "k", seed: 1 });
  },
  async BATCH_TOO_LARGE() {
    const [one, other] = [await play("bulky"), await play("bulky")];
    const steps = [one, other].map(({ episodeId }) => ({ episodeId, index: 0, action: "9000000" }));
    return checkError((await gym.call("stepMany", { steps })).results.at(-1));
  },
  async CALLER_GONE() {
    const leaving = await openGym({ environments: [fixture("distant")], hosts: { count: 1, stepDeadlineMs: 60_000 } });
    const connection = await RawConnection.open(await listening(leaving));
    const body = JSON.stringify({ environment: "distant@elsewhere", task: { split: "reset", index: 0 } });
    connection.request("POST /v1/episodes", { "content-type": "application/json" }, body);
    await eventually(async () => (await leaving.metric("palestra_live_episodes")) === 1);
    connection.socket.destroy();
    const counted = 'palestra_errors_total{class="action",code="CALLER_GONE"}';
    await eventually(async () => (await leaving.metric(counted).catch(() => 0)) === 1);
    return callerGone().toBody();
  },
  async EXPERT_MISSING() {
    const { episodeId } = await play("plain");
    return gym.refusal("expert", { episodeId });
  },
  VERIFIER_MISSING: () => gym.refusal("score", { environment: "plain", answers: [] }),
  async RENDER_MISSING() {
    const { episodeId } = await play("plain");
    return gym.refusal("render", { episodeId });
  },
  async QUERY_UNKNOWN() {
    const { episodeId } = await play("plain");
    return gym.refusal("query", { episodeId, query: "inventory" });
  },
  ENVIRONMENT_THREW: () => faultyStep("throw"),
  async ENVIRONMENT_HUNG() {
    const strict = await openGym({ environments: [fixture("faulty")], hosts: { count: 1, stepDeadlineMs: 200 } });
    return faultyStep("hang", strict);
  },
  ENVIRONMENT_OUT_OF_MEMORY: () => faultyStep("heap"),
  ENVIRONMENT_RESULT: () => faultyStep("no text"),
  async ENVIRONMENT_DIVERGED() {
    const before = await openGym({ environments: [fixture("faulty")] });
    const { episodeId } = await play("faulty", before);
    await before.step(episodeId, 0, "diverge");
    const after = await before.restart();
    return after.refusal("step", { episodeId, index: 1, action: "on" });
  },
  ENVIRONMENT_TIMEOUT: () => distantStep("hang"),
  async REPLAY_TIMEOUT() {
    const hasty = await openGym({ environments: [fixture("distant")], limits: { maxReplayMs: 50 } });
    const { episodeId } = await play("distant@elsewhere", hasty);
    await hasty.step(episodeId, 0, "wait 400");
    const { payload } = await hasty.app.inject({ method: "POST", url: `/v1/episodes/${episodeId}/replay` });
    return checkError(JSON.parse(payload.trim().split("\n").at(-1) as string));
  },
  SANDBOX_MISSING: () => distantStep("lose missing 9 MISSING"),
  SANDBOX_REFUSED: () => distantStep("lose refused 9 REFUSED"),
  SANDBOX_START: () => distantStep("lose start 9 START"),
  SANDBOX_TIMEOUT: () => distantStep("lose timeout 9 TIMEOUT"),
  SANDBOX_LOST: () => distantStep("lose lost 9 LOST"),
  SANDBOX_NO_FILE: () => distantStep("lose file 9 NO_FILE"),
  SANDBOX_TOO_LARGE: () => distantStep("lose large 9 TOO_LARGE"),
  SANDBOX_FULL: () => distantStep("lose full 9 FULL"),
  SERVICE_FAILED: () => distantStep("unserved"),
  HOST_FAILED: async () =>
    (await openGym({ environments: [fixture("hostless")], hosts: { isolation: "thread" } })).refusal(
      "create",
      textcraft,
    ),
  async LOG_FAILED() {
    const error = await openGym({}, gym.dataDir).catch((reason: unknown) => reason);
    return checkError({ error: (error as GymError).toBody() });
  },
  async EPISODE_ELSEWHERE() {
    const url = await gymDatabase();
    const gym = await openGym({ log: { url }, fleet: { address: "http://127.0.0.1:1" } }, scratchDir(), hurriedTimes);
    await sql(url, "UPDATE palestra.shards SET incarnation = -1");
    await sql(url, "SELECT nextval('palestra.map_version')");
    await eventually(() =>
      gym.app
        .inject({ method: "POST", url: "/v1/episodes", payload: textcraft })
        .then(({ statusCode }) => statusCode !== 200),
    );
    return gym.refusal("create", textcraft);
  },
  async LOG_CORRUPT() {
    const before = await openGym();
    const { episodeId } = await before.create();
    await before.close();
    const database = openDatabase(join(before.dataDir, "episodes.db"));
    database.exec("UPDATE openings SET opening = opening || ' '");
    database.close();
    return (await openGym({}, before.dataDir)).refusal("get", { episodeId });
  },
  async SERVER_DRAINING() {
    const closing = await openGym({ environments: [fixture("faulty")] });
    const socket = await InjectedSocket.open(closing);
    const { episodeId } = await play("faulty", closing);
    const slow = socket.text("step", { episodeId, index: 0, action: "very slow" });
    await eventually(async () => (await closing.metric("palestra_steps_in_flight")) === 1);
    const closed = closing.close();
    await eventually(async () => (await socket.refusal("fork", { episodeId: "ep-0" })).code === "SERVER_DRAINING");
    const error = await socket.refusal("create", textcraft);
    await Promise.all([slow, closed]);
    return error;
  },
  async SERVER_FAULT() {
    const broken = await openGym();
    writeFileSync(join(broken.dataDir, "tokens.json"), "no JSON");
    return broken.refusal("list", {}, { token: "pal_x" });
  },
  async LIMIT_TOKEN_EPISODES() {
    const limited = await openGym({ limits: { maxEpisodesPerCaller: 1 } });
    await limited.create();
    return limited.refusal("create", textcraft);
  },
  async LIMIT_TOKEN_SANDBOXES() {
    const limited = await openGym({ environments: [fixture("sheltered")] });
    const token = await limited.createToken([], 9, { maxSandboxEpisodes: 1 });
    const sheltered = { environment: "sheltered", task: { index: 0 } };
    await limited.create(sheltered, { token });
    return limited.refusal("create", sheltered, { token });
  },
  async LIMIT_TOKEN_STEPS() {
    const limited = await openGym();
    const token = await limited.createToken([], 9, { maxStepsPerDay: 1 });
    const { episodeId } = await limited.create({}, { token });
    await limited.step(episodeId, 0, "inventory", { token });
    return limited.refusal("step", { episodeId, index: 1, action: "inventory" }, { token });
  },
  async LIMIT_NOTES() {
    const { episodeId } = await gym.create();
    for (let i = 0; i < mostNotes; i++) await gym.call("note", { episodeId, text: `${i}` });
    return gym.refusal("note", { episodeId, text: "one more" });
  },
  async LIMIT_EPISODES() {
    const limited = await openGym({ limits: { maxEpisodes: 1 } });
    await limited.create();
    return limited.refusal("create", textcraft);
  },
  async LIMIT_TOKEN_LOG() {
    const limited = await openGym({ environments: [fixture("faulty")], limits: { maxActionLength: 2 ** 21 } });
    const token = await limited.createToken([], 100, { maxLogMb: 1 });
    const { episodeId } = await limited.create({ environment: "faulty", task: { index: 0 } }, { token });
    await limited.step(episodeId, 0, "x".repeat(2 ** 20), { token });
    await eventually(async () => (await limited.call("usage", {}, { token })).logBytes > 2 ** 20);
    return limited.refusal("create", textcraft, { token });
  },
  async LIMIT_LOG() {
    const limited = await openGym({ log: { maxMb: 0.01 } });
    return limited.refusal("create", textcraft);
  },
  async DISK_LOW() {
    const low = await openGym({ log: { minFreeMb: Number.MAX_SAFE_INTEGER } });
    return low.refusal("create", textcraft);
  },
  async LIMIT_IN_FLIGHT() {
    const { episodeId } = await play("faulty");
    const steps = [0, 1, 2].map((index) => ({ episodeId, index, action: "on" }));
    const { results } = await gym.call("stepMany", { steps });
    return checkError(results.at(-1));
  },
  async LIMIT_PARTIAL() {
    const full = await openGym({ limits: { maxPartialBytes: 1_000 } });
    const connection = await RawConnection.open(await listening(full));
    connection.request("POST /v1/episodes", { "content-type": "application/json", "content-length": "10000" });
    connection.send("x".repeat(5_000));
    return errorOf(await connection.reply());
  },
  async PAIR_INVALID() {
    const { episodeId } = await gym.create();
    return gym.refusal("judge", { left: episodeId, right: episodeId, choice: "tie", rater: "ada" });
  },
  async JUDGMENTS_FAILED() {
    const plain = await openGym();
    writeFileSync(join(plain.dataDir, "judgments.jsonl"), "no judgment\n");
    return plain.refusal("listJudgments");
  },
  async LIMIT_TOKEN_JUDGMENTS() {
    const plain = await openGym();
    const [left, right] = [(await plain.create()).episodeId, (await plain.create()).episodeId];
    const judgment = { owner: "local", left, right, choice: "tie", rater: "ada", note: "", environment: "textcraft@1" };
    const line = JSON.stringify({ ...judgment, task: { split: "all", index: 0 }, seed: 0, createdAt: "" });
    writeFileSync(join(plain.dataDir, "judgments.jsonl"), `${line}\n`.repeat(20_000));
    return plain.refusal("judge", { left, right, choice: "tie", rater: "ada" });
  },
  async LIMIT_EXPORTS() {
    const { episodeId } = await gym.create();
    const exports = Array.from({ length: 5 }, () => gym.app.inject(`/v1/episodes/${episodeId}/export?format=eval`));
    const refused = (await Promise.all(exports)).find(({ statusCode }) => statusCode === 503);
    return checkError(refused?.json(), refused?.statusCode);
  },
  async LIMIT_UNSENT() {
    const full = await openGym({ environments: [fixture("bulky")], limits: { maxUnsentBytes: 1_000_000 } });
    // The socket buffers of the system hold a few MB of it.
    const unread = await full.create({ environment: "bulky", task: { index: 15_000_000 } });
    const { episodeId } = await full.create({ environment: "bulky", task: { index: 50_000 } });
    const connection = await RawConnection.open(await listening(full));
    connection.socket.pause();
    connection.request(`GET /v1/episodes/${unread.episodeId}`);
    await eventually(async () => (await full.send("get", { episodeId })).statusCode !== 200);
    return full.refusal("get", { episodeId });
  },
};

test("every code of the table has a test", () => {
  expect(Object.keys(provoked).sort()).toEqual([...errorCodes].sort());
});

/** Errors that a test provokes with a file of the gym. A gym with a database has no such file. */
const ofFiles: readonly string[] =
  process.env.TEST_POSTGRES === undefined
    ? []
    : ["DISK_LOW", "JUDGMENTS_FAILED", "LIMIT_TOKEN_JUDGMENTS", "LOG_CORRUPT", "SERVER_FAULT"];

describe.each(Object.entries(provoked))("%s", (code, provoke) => {
  const isSkipped = (code === "EPISODE_ELSEWHERE" && postgresFolder === null) || ofFiles.includes(code);
  test.skipIf(isSkipped)("is answered with its class, the expected and the received value", async () => {
    const error = await provoke();
    expect(error).toMatchObject({ code, class: errorTable[code as ErrorCode].class });
    expect(error.message).not.toMatch(/undefined|\[object/);
  });
});

describe("the table", () => {
  test("gives a status below 500 only to mistakes of the caller and to the limits of a token", () => {
    for (const [code, { status, class: failureClass }] of Object.entries(errorTable)) {
      const callers = failureClass === "action" || code.startsWith("LIMIT_TOKEN_") || code === "EPISODE_LOST";
      expect(status < 500, code).toBe(callers);
    }
  });

  test("describes each code in sentences", () => {
    for (const { when } of Object.values(errorTable)) expect(when).toMatch(/^[A-Z][^|\n]+\.$/);
  });
});

describe("a caller's value in a message", () => {
  test.each([
    ["text", '"text"'],
    ['a "quote"', '"a \\"quote\\""'],
    ["a\nb\u0000", '"a\\nb\\u0000"'],
    [5, "5"],
    [undefined, "undefined"],
    [{ a: 1 }, '{"a":1}'],
  ])("%j is quoted as %s", (value, expected) => {
    expect(shown(value)).toBe(expected);
  });

  test("is cut to a length that fits, and never within a character", () => {
    const text = shown(`${"x".repeat(119)}😀${"y".repeat(1_000_000)}`);
    expect(text).toBe(`"${"x".repeat(119)}\ufffd" and 1000001 characters more`);
    expect(shown({ long: "x".repeat(1_000) }).length).toBeLessThan(200);
  });
});

test("an error without details has no `details` in its body", () => {
  const error = new GymError("STEP_INDEX", "one thing", "another");
  expect(error.toBody()).toEqual({
    code: "STEP_INDEX",
    class: "action",
    message: "expected one thing, but received another",
  });
  expect([error.status, error.failureClass]).toEqual([409, "action"]);
});

test("an error about a state consists of a statement and the remedy", () => {
  expect(GymError.ofState("SERVER_DRAINING", "The server is shutting down.").message).toBe(
    "The server is shutting down.",
  );
  expect(GymError.ofState("TOKEN_MISSING", "The call has no token.", { at: 1 }).toBody()).toEqual({
    code: "TOKEN_MISSING",
    class: "action",
    message: `The call has no token. ${errorTable.TOKEN_MISSING.remedy}`,
    details: { at: 1 },
  });
  const closed = SandboxError.ofState("REFUSED", "The provider is closed.", "Open a new provider");
  expect([closed.code, closed.message]).toEqual(["REFUSED", "The provider is closed. Open a new provider"]);
});
