/** Stops of the server, and starts that it refuses. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { request } from "undici";
import { expect, onTestFinished, test } from "vitest";
import type { GymSocket } from "../support/gym-socket.js";
import { pace } from "../support/hurry.js";
import { RawConnection } from "../support/raw-connection.js";
import { spawnGym, startNode } from "../support/server-process.js";
import { connect, scratch, serve } from "../support/serving.js";
import { eventually, metric } from "../support/watching.js";

const faulty = fileURLToPath(new URL("../fixtures/environments/faulty.mjs", import.meta.url));
const environmentModules = [faulty];
const distant = fileURLToPath(new URL("../fixtures/environments/distant.mjs", import.meta.url));

test("SIGTERM answers steps in flight on HTTP and sockets, closes sockets with 1001 and exits with 0", async () => {
  const dataDir = scratch();
  const { url, process } = await serve({ dataDir, environmentModules });
  const socket = await connect(url);
  const idle = await connect(url);
  const [onSocket, onHttp] = await Promise.all([createFaulty(socket), createFaulty(socket)]);
  const answers = Promise.all([
    socket.request("step", { episodeId: onSocket, index: 0, action: "slow" }),
    postStep(url, onHttp, "slow"),
  ]);
  await eventually(
    () => metric(url, "palestra_steps_in_flight"),
    (steps) => steps === 2,
  );

  const stoppedAt = performance.now();
  process.signal("SIGTERM");
  const [socketReply, httpReply] = await answers;
  expect(socketReply).toMatchObject({ index: 0, observation: "1: slow" });
  expect(httpReply).toMatchObject({ status: 200, reply: { index: 0, observation: "1: slow" } });
  expect(await socket.closed).toEqual({ code: 1001, reason: "the server is shutting down" });
  expect((await idle.closed).code).toBe(1001);
  expect(await process.exited).toEqual({ code: 0, signal: null });
  console.info(`drained in ${((performance.now() - stoppedAt) / 1_000).toFixed(2)} s`);
  await expect(fetch(`${url}/livez`)).rejects.toThrow();

  const again = await connect((await serve({ dataDir, environmentModules })).url);
  for (const episodeId of [onSocket, onHttp]) {
    expect(await again.request("get", { episodeId })).toMatchObject({ index: 1, observation: "1: slow" });
  }
});

test.each([
  ["process", { code: 0, signal: null }],
  // A thread within a system call cannot be ended, so the server kills itself.
  ["thread", { code: null, signal: "SIGKILL" }],
])("a system call that hangs in a %s delays neither other calls nor the stop", async (isolation, exit) => {
  const env = {
    PALESTRA_HOSTS_COUNT: "1",
    PALESTRA_HOSTS_STEP_DEADLINE_MS: "500",
    PALESTRA_HOSTS_ISOLATION: isolation,
  };
  // The gym tries the call twice, since a busy machine may have delayed the first.
  const { url, process } = await serve({ environmentModules, env, pace: 1 / 4 });
  const socket = await connect(url);
  const [guilty, other] = await Promise.all([createFaulty(socket), createFaulty(socket)]);
  // The call blocks for longer than the timeout of this test.
  await expect(socket.request("step", { episodeId: guilty, index: 0, action: "block" })).rejects.toMatchObject({
    code: "ENVIRONMENT_HUNG",
  });
  expect(await socket.request("step", { episodeId: other, index: 0, action: "on" })).toMatchObject({ index: 0 });
  process.signal("SIGTERM");
  expect(await process.exited).toEqual(exit);
});

test("the stop waits a limited time for calls of external engines, and the exit code is 0", async () => {
  const dataDir = scratch();
  const env = { PALESTRA_HOSTS_STEP_DEADLINE_MS: "60000" };
  const { url, process } = await serve({ dataDir, environmentModules: [distant], env, pace: 1 / 2 });
  const socket = await connect(url);
  const [soon, deaf] = await Promise.all([createDistant(socket), createDistant(socket)]);
  const answer = postStep(url, soon, "wait 1000");
  const cut = expect(socket.request("step", { episodeId: deaf, index: 0, action: "deaf" })).rejects.toMatchObject({
    code: "SERVER_DRAINING",
    failureClass: "infrastructure",
  });
  await eventually(
    () => metric(url, "palestra_steps_in_flight"),
    (steps) => steps === 2,
  );
  process.signal("SIGTERM");
  expect(await answer).toMatchObject({ status: 200, reply: { index: 0, observation: "1: wait 1000" } });
  await cut;
  expect(await process.exited).toEqual({ code: 0, signal: null });
  expect(process.stderr).not.toContain("not drained");

  const again = await connect((await serve({ dataDir, environmentModules: [distant], env })).url);
  expect(await again.request("step", { episodeId: soon, index: 1, action: "on" })).toMatchObject({ index: 1 });
  expect(await again.request("step", { episodeId: deaf, index: 0, action: "on" })).toMatchObject({ index: 0 });
});

test("a draining server refuses new work with SERVER_DRAINING", async () => {
  const env = { PALESTRA_HOSTS_STEP_DEADLINE_MS: "1500" };
  const { url, process } = await serve({ environmentModules, env });
  const socket = await connect(url);
  const [hanging, other] = await Promise.all([createFaulty(socket), createFaulty(socket)]);
  const hung = expect(socket.request("step", { episodeId: hanging, index: 0, action: "hang" })).rejects.toMatchObject({
    code: "ENVIRONMENT_HUNG",
  });
  await eventually(
    () => metric(url, "palestra_steps_in_flight"),
    (steps) => steps === 1,
  );

  process.signal("SIGTERM");
  expect(
    await eventually(
      () => readiness(url),
      (status) => status === 503,
    ),
  ).toBe(503);
  await expect(socket.request("step", { episodeId: other, index: 0, action: "late" })).rejects.toMatchObject({
    code: "SERVER_DRAINING",
    failureClass: "infrastructure",
  });
  expect(await postStep(url, other, "late")).toMatchObject({
    status: 503,
    reply: { error: { code: "SERVER_DRAINING" } },
  });
  await expect(createFaulty(socket)).rejects.toMatchObject({ code: "SERVER_DRAINING" });
  await expect(connect(url)).rejects.toThrow("503");
  await hung;
  expect((await socket.closed).code).toBe(1001);
  expect(await process.exited).toEqual({ code: 0, signal: null });
});

test("a client that neither reads nor answers does not keep the server from stopping", async () => {
  const { url, process } = await serve({ pace });
  const deaf = await connect(url);
  await deaf.request("list");
  deaf.raw.pause();
  process.signal("SIGTERM");
  expect(await process.exited).toEqual({ code: 0, signal: null });
});

test("unused connections, idle ones and ones with half a request head do not keep the server from stopping", async () => {
  const { url, process } = await serve();
  const [, halfHead, idle] = [
    await RawConnection.open(url),
    await RawConnection.open(url),
    await RawConnection.open(url),
  ];
  halfHead.send("GET /livez HTTP/1.1\r\nhost: loc");
  idle.request("GET /livez");
  await idle.reply();
  process.signal("SIGTERM");
  expect(await process.exited).toEqual({ code: 0, signal: null });
  expect(process.stderr).toBe("");
});

test("a missing request body or a client that does not read does not keep the server from stopping", async () => {
  const { url, process } = await serve({ pace });
  const [halfBody, deaf] = [await RawConnection.open(url), await RawConnection.open(url)];
  halfBody.send(
    "POST /v1/episodes HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 9\r\n\r\n{",
  );
  deaf.socket.pause();
  for (let i = 0; i < 200; i++) deaf.request("GET /openapi.json");
  await eventually(
    () => deaf.socket.writableLength,
    (unsent) => unsent === 0,
  );
  process.signal("SIGTERM");
  expect(await process.exited).toEqual({ code: 0, signal: null });
});

test("a request in flight beside an unused connection is answered", async () => {
  const { url, process } = await serve({ environmentModules });
  const episodeId = await createFaulty(await connect(url));
  await RawConnection.open(url);
  const answer = postStep(url, episodeId, "slow");
  await eventually(
    () => metric(url, "palestra_steps_in_flight"),
    (steps) => steps === 1,
  );
  process.signal("SIGTERM");
  expect(await answer).toMatchObject({ status: 200, reply: { index: 0, observation: "1: slow" } });
  expect(await process.exited).toEqual({ code: 0, signal: null });
});

test("a stop answers or refuses each step in flight of 500 episodes", async () => {
  const dataDir = scratch();
  const { url, process } = await serve({ dataDir });
  const socket = await connect(url);
  const episodes = Array.from({ length: 500 }, (_, index) => ({
    environment: "textcraft",
    task: { index: index % 100 },
  }));
  const created = await socket.request<{ results: { episodeId: string }[] }>("createMany", { episodes });
  const ids = created.results.map(({ episodeId }) => episodeId);
  let stopping = false;
  const stopOnce = (index: number) => {
    if (index < 5 || stopping) return;
    stopping = true;
    process.signal("SIGTERM");
  };
  const taken = ids.map(async (episodeId) => {
    for (let index = 0; ; index++) {
      const reply = await socket.requestText("step", { episodeId, index, action: "inventory" }).catch(() => null);
      if (reply === null) return index;
      stopOnce(index);
    }
  });
  const counts = await Promise.all(taken);
  expect(await process.exited).toEqual({ code: 0, signal: null });
  const again = await connect((await serve({ dataDir })).url);
  const standings = await Promise.all(ids.map((episodeId) => again.request<{ index: number }>("get", { episodeId })));
  expect(standings.map(({ index }) => index)).toEqual(counts);
});

test("the end of the log's thread fails the waiting calls and ends the server with exit code 1", async () => {
  const dataDir = scratch();
  // An environment in a thread can reach the log's port.
  const env = { PALESTRA_HOSTS_ISOLATION: "thread" };
  const { url, process } = await serve({ dataDir, environmentModules, env });
  const socket = await connect(url);
  const [breaking, other] = await Promise.all([createFaulty(socket), createFaulty(socket)]);
  await socket.requestText("step", { episodeId: other, index: 0, action: "on" });
  const refused = socket.request("step", { episodeId: breaking, index: 0, action: "broken log" });
  await expect(refused).rejects.toMatchObject({ code: "LOG_FAILED", failureClass: "infrastructure" });
  expect(await process.exited).toEqual({ code: 1, signal: null });
  expect(process.stderr).not.toContain("    at ");

  const again = await connect((await serve({ dataDir, environmentModules })).url);
  expect(await again.request("step", { episodeId: other, index: 1, action: "on" })).toMatchObject({ index: 1 });
});

// The log in a database has another lock, and postgres.test.ts tests it.
const hasFile = process.env.TEST_POSTGRES === undefined;

test.skipIf(!hasFile)(
  "a second server on the same data directory refuses to start with a reason and exits with 1",
  async () => {
    const dataDir = scratch();
    const { url } = await serve({ dataDir });
    const second = spawnGym({ dataDir });
    expect(await second.exited).toEqual({ code: 1, signal: null });
    expect(second.stderr).toMatch(/^palestra: LOG_FAILED: .*episodes\.db.*locked/);
    expect(second.stderr).not.toContain("    at ");
    expect((await fetch(`${url}/livez`)).status).toBe(200);
  },
);

test("the error for a taken port names the port, and the exit code is 1", async () => {
  const occupant = createServer().listen(0, "127.0.0.1");
  await once(occupant, "listening");
  onTestFinished(() => void occupant.close());
  const { port } = occupant.address() as AddressInfo;
  const dataDir = scratch();
  const server = spawnGym({ dataDir, port });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  expect(server.stderr).toMatch(/^palestra: .*EADDRINUSE/);
  expect(server.stderr).toContain(`127.0.0.1:${port}`);
  expect(server.stderr).not.toContain("    at ");
  // The server has released the log.
  await serve({ dataDir });
});

async function createFaulty(socket: GymSocket): Promise<string> {
  const params = { environment: "faulty", task: { index: 0 } };
  return (await socket.request<{ episodeId: string }>("create", params)).episodeId;
}

async function createDistant(socket: GymSocket): Promise<string> {
  const params = { environment: "distant@elsewhere", task: { index: 0 } };
  return (await socket.request<{ episodeId: string }>("create", params)).episodeId;
}

async function postStep(url: string, episodeId: string, action: string) {
  const { statusCode, body } = await request(`${url}/v1/episodes/${episodeId}/step`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ index: 0, action }),
  });
  return { status: statusCode, reply: await body.json() };
}

async function readiness(url: string): Promise<number> {
  return (await fetch(`${url}/readyz`)).status;
}

test("a gym ends after npx, which started it through a shell, was killed", async () => {
  // `exit` keeps the shell from replacing itself by the gym, as the shell of npx does.
  const gym = `'${process.execPath}' dist/server/program/cli.js --data-dir '${scratch()}' serve --port 0 --log-level warn; exit`;
  const start = `require("node:child_process").spawn("sh", ["-c", process.argv[1]], { stdio: "inherit" })`;
  const npx = startNode(["-e", start, gym], { env: { npm_command: "exec" } });
  const url = await npx.listeningUrl();
  await npx.kill();
  await eventually(
    () =>
      fetch(`${url}/livez`).then(
        ({ status }) => status,
        () => "gone",
      ),
    (state) => state === "gone",
  );
});
