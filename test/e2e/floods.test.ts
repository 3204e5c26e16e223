/** Clients that send incomplete requests, pings or nothing, to use up the server's memory, time or connections. */
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { checkError, fixture } from "../support/gym.js";
import { RawConnection } from "../support/raw-connection.js";
import { pingFrame, rawFrame, textFrame, upgradeHeaders } from "../support/raw-frames.js";
import { connect, serve } from "../support/serving.js";
import { eventually, MiB, metric, openDescriptors } from "../support/watching.js";

const stalledMs = 1_000;
const json = { "content-type": "application/json" };
const frameBytes = 4 * MiB - 1_000;

test("half-sent frames and bodies are refused above the limit on their bytes, and complete ones are answered", async () => {
  const limit = 24 * MiB;
  const { url, process } = await serve({ env: { PALESTRA_LIMITS_MAX_PARTIAL_BYTES: `${limit}` } });
  const before = process.residentBytes();
  const half = Buffer.alloc(frameBytes, " ");
  const sockets = await Promise.all(Array.from({ length: 30 }, () => openSocket(url)));
  for (const { socket } of sockets) socket.write(rawFrame(textFrame, half, 1));
  const bodies = await Promise.all(Array.from({ length: 30 }, () => RawConnection.open(url)));
  for (const body of bodies) {
    body.request("POST /v1/episodes", { ...json, "content-length": `${frameBytes + 1}` });
    body.socket.write(half);
  }
  const openCount = () =>
    [...sockets, ...bodies].filter(({ socket }) => !socket.readableEnded && !socket.closed).length;
  const left = await eventually(openCount, (open) => open * frameBytes <= limit);
  const held = process.residentBytes() - before;
  console.info(`${left} of 60 are open, held ${(held / MiB).toFixed(0)} MiB`);
  expect(left * frameBytes).toBeLessThanOrEqual(limit);
  expect(left).toBeGreaterThan(0);
  const refused = bodies.filter(({ socket }) => socket.readableEnded);
  for (const body of refused) {
    const { status, body: text } = await body.reply();
    expect(checkError(JSON.parse(text), status).code).toBe("LIMIT_PARTIAL");
  }
  const honest = await connect(url);
  await expect(honest.request("get", { episodeId: "ep-1", filling: "x".repeat(3 * MiB) })).rejects.toThrow(
    "REQUEST_INVALID",
  );
});

test("bodies in chunks of one byte take little memory, and are read", async () => {
  const { url, process } = await serve();
  const before = process.residentBytes();
  const chunked = { ...json, "transfer-encoding": "chunked" };
  const bodies = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(url)));
  for (const body of bodies) {
    body.request("POST /v1/episodes", chunked);
    body.send("1\r\n \r\n".repeat(100_000));
  }
  const creation = JSON.stringify({ environment: "textcraft", task: { index: 0 } });
  for (const body of bodies) body.send(`${[...creation].map((byte) => `1\r\n${byte}\r\n`).join("")}0\r\n\r\n`);
  for (const body of bodies) expect((await body.reply()).status).toBe(200);
  const held = process.peakResidentBytes() - before;
  console.info(`two million chunks: held ${(held / MiB).toFixed(0)} MiB`);
  expect(held).toBeLessThan(150 * MiB);
});

test("a chunked body above the limit is refused, and the loss of its connection has no effect", async () => {
  const { url } = await serve();
  const chunk = `10000\r\n${" ".repeat(65_536)}\r\n`;
  for (const isLost of [false, true]) {
    const body = await RawConnection.open(url);
    body.request("POST /v1/episodes", { ...json, "transfer-encoding": "chunked" });
    for (let sent = 0; sent < 320; sent++) body.socket.write(chunk);
    if (!isLost) {
      const { status, body: text } = await body.reply();
      expect(checkError(JSON.parse(text), status).code).toBe("REQUEST_TOO_LARGE");
    }
    body.socket.destroy();
  }
  await sleep(100);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
});

test("a frame or body that stops half-way closes its connection, and one that continues slowly does not", async () => {
  const { url } = await serve({ env: { PALESTRA_SOCKETS_STALLED_MS: `${stalledMs}` } });
  const slowSocket = await openSocket(url);
  const slowBody = await RawConnection.open(url);
  const stopped = await openSocket(url);
  const stoppedBody = await RawConnection.open(url);
  const message = JSON.stringify({ id: 1, op: "list", params: {} });
  const frame = rawFrame(textFrame, Buffer.from(message));
  const creation = JSON.stringify({ environment: "textcraft", task: { index: 0 } });
  for (const body of [slowBody, stoppedBody]) {
    body.request("POST /v1/episodes", { ...json, "content-length": `${creation.length}` });
  }
  stopped.socket.write(frame.subarray(0, 20));
  stoppedBody.send(creation.slice(0, 20));
  const startedAt = performance.now();
  // The total time exceeds the limit, and the time between two parts does not.
  for (let i = 0; i < 10; i++) {
    slowSocket.socket.write(frame.subarray(i * 4, i < 9 ? i * 4 + 4 : undefined));
    slowBody.send(creation.slice(i * 5, i < 9 ? i * 5 + 5 : undefined));
    await sleep(stalledMs / 4);
  }
  expect(performance.now() - startedAt).toBeGreaterThan(2 * stalledMs);
  expect((await slowBody.reply()).status).toBe(200);
  await eventually(() => slowSocket.received().includes('"id":1'), Boolean);
  expect(slowSocket.received()).toContain('{"id":1,"result":');
  const { status, body } = await stoppedBody.reply();
  expect(checkError(JSON.parse(body), status).code).toBe("REQUEST_TIMEOUT");
  await Promise.all([stoppedBody.closed, stopped.closed]);
  expect(slowSocket.socket.closed).toBe(false);
});

test("sockets that read nothing are closed above the limit on all unread bytes, and other clients are served", async () => {
  const limit = 8 * MiB;
  const env = { PALESTRA_LIMITS_MAX_UNSENT_BYTES: `${limit}` };
  const { url, process } = await serve({ env, environmentModules: [fixture("bulky")] });
  const calm = await connect(url);
  const silent = await Promise.all(Array.from({ length: 12 }, () => connect(url)));
  const before = process.residentBytes();
  for (const socket of silent) {
    const task = { index: 0 };
    const { episodeId } = await socket.request<{ episodeId: string }>("create", { environment: "bulky", task });
    socket.raw.pause();
    // Sockets of the system take a few MiB of each reply.
    for (let index = 0; index < 4; index++)
      void socket.request("step", { episodeId, index, action: `${8 * MiB}` }).catch(() => {});
  }
  const left = await eventually(
    () => metric(url, "palestra_sockets"),
    (sockets) => sockets < silent.length + 1,
  );
  expect(left).toBeLessThan(silent.length + 1);
  expect(await metric(url, 'palestra_errors_total\\{class="capacity",code="LIMIT_UNSENT"\\}')).toBeGreaterThan(0);
  expect(JSON.parse(await calm.requestText("list"))).toMatchObject({ episodes: expect.any(Array) });
  console.info(`${left} of 13 sockets are open, held ${((process.residentBytes() - before) / MiB).toFixed(0)} MiB`);
});

test("a socket that sends thousands of pings is closed, and one that pings now and then gets its pongs", async () => {
  const { url, process } = await serve();
  const calm = await connect(url);
  const before = process.residentBytes();
  const flooding = await Promise.all(Array.from({ length: 20 }, () => openSocket(url)));
  const pings = Buffer.concat(new Array(50_000).fill(rawFrame(pingFrame, Buffer.alloc(0))));
  for (const { socket } of flooding) {
    socket.pause();
    socket.write(pings);
  }
  for (let i = 0; i < 5; i++) {
    calm.raw.ping(`${i}`);
    expect((await once(calm.raw, "pong")).toString()).toBe(`${i}`);
  }
  for (const { socket } of flooding) socket.resume();
  await Promise.all(flooding.map(({ closed }) => closed));
  for (const { received } of flooding) expect(received()).toContain("too many pings");
  const held = process.peakResidentBytes() - before;
  console.info(`a million pings: held ${(held / MiB).toFixed(0)} MiB`);
  expect(held).toBeLessThan(200 * MiB);
  expect(await calm.request("list")).toEqual({ episodes: [], next: null });
});

test("idle connections give way to new ones, and connections in use stay open", async () => {
  const most = 64;
  const { url, process } = await serve({ env: { PALESTRA_LIMITS_MAX_CONNECTIONS: `${most}` } });
  const user = await RawConnection.open(url);
  user.request("GET /livez");
  expect((await user.reply()).status).toBe(200);
  const socket = await connect(url);
  const before = openDescriptors(process.pid);
  for (let round = 0; round < 5; round++) {
    await Promise.all(Array.from({ length: 100 }, () => RawConnection.open(url)));
    // A new client, and clients that connected before.
    expect((await fetch(`${url}/readyz`, { headers: { connection: "close" } })).status).toBe(200);
    user.request("GET /livez");
    expect((await user.reply()).status).toBe(200);
    expect(await socket.request("list")).toEqual({ episodes: [], next: null });
  }
  expect(openDescriptors(process.pid) - before).toBeLessThanOrEqual(most);
});

interface RawSocket {
  socket: RawConnection["socket"];
  closed: Promise<void>;
  /** Returns the received bytes as Latin-1. */
  received(): string;
}

/** Opens a WebSocket, for frames that no client library sends. */
async function openSocket(url: string): Promise<RawSocket> {
  const connection = await RawConnection.open(url);
  let received = "";
  connection.socket.on("data", (data) => {
    received += data.toString("latin1");
  });
  connection.request("GET /v1/socket", upgradeHeaders);
  expect((await connection.reply()).status).toBe(101);
  return { socket: connection.socket, closed: connection.closed, received: () => received };
}
