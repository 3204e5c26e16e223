/** Clients that send many requests on one connection before they read the replies. */
import { expect, test } from "vitest";
import { RawConnection } from "../support/raw-connection.js";
import { upgradeHeaders } from "../support/raw-frames.js";
import { connect, serve } from "../support/serving.js";
import { limitFromCalmWaits, MiB } from "../support/watching.js";

const clients = 50;
const requestsEach = 5_000;
/** Largest growth of the server's memory, in bytes. Without a limit per connection it grows by gigabytes. */
const heldBytes = 400 * MiB;
const json = { "content-type": "application/json" };

test.each(["/v1/environments", "/openapi.json"])(
  "50 clients that pipeline 5,000 requests for %s each cost little memory and delay nobody",
  async (path) => {
    const { url, process } = await serve();
    const other = await connect(url);
    const waitMs = async () => {
      const sentAt = performance.now();
      await other.request("list");
      await (await fetch(`${url}/livez`)).text();
      return performance.now() - sentAt;
    };
    const mostMs = await limitFromCalmWaits(waitMs);
    const before = process.residentBytes();
    const flood = `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`.repeat(requestsEach);
    const connections = await Promise.all(Array.from({ length: clients }, () => RawConnection.open(url)));
    for (const connection of connections) {
      connection.socket.pause();
      connection.send(flood);
    }
    let slowestMs = 0;
    const endsAt = performance.now() + 5_000;
    while (performance.now() < endsAt) slowestMs = Math.max(slowestMs, await waitMs());
    const held = process.peakResidentBytes() - before;
    console.info(`${path}: held ${(held / MiB).toFixed(0)} MiB; others waited ${slowestMs.toFixed(0)} ms`);
    expect(held).toBeLessThan(heldBytes);
    expect(slowestMs).toBeLessThan(mostMs);
  },
);

test("pipelined requests with and without bodies are all answered, in order", async () => {
  const { url } = await serve();
  for (const depth of [10, 2_000]) {
    const connection = await RawConnection.open(url);
    for (let i = 0; i < depth; i++) sendRequest(connection, i);
    for (let i = 0; i < depth; i++) {
      const { status, body } = await connection.reply();
      expect([status, JSON.parse(body).error.message]).toEqual([404, expect.stringContaining(`"ep-${i}"`)]);
    }
    connection.request("GET /livez");
    expect((await connection.reply()).status).toBe(200);
  }
});

test("a connection that pipelined many requests can still send a large body and become a WebSocket", async () => {
  const { url } = await serve();
  const connection = await RawConnection.open(url);
  for (let i = 0; i < 100; i++) sendRequest(connection, i);
  const answers = Array.from({ length: 4_000 }, () => ({ task: { index: 0 }, answer: "x".repeat(400) }));
  connection.request("POST /v1/rewards", json, JSON.stringify({ environment: "math", answers }));
  for (let i = 0; i < 100; i++) expect((await connection.reply()).status).toBe(404);
  const scored = await connection.reply();
  expect([scored.status, JSON.parse(scored.body).results.length]).toEqual([200, 4_000]);
  connection.request("GET /v1/socket", upgradeHeaders);
  expect((await connection.reply()).status).toBe(101);
});

/** Sends the request number `i` for an episode that does not exist, which its reply names. */
function sendRequest(connection: RawConnection, i: number): void {
  const body = JSON.stringify({ index: 0, action: "x".repeat(i % 3_000) });
  if (i % 3 === 0) return connection.request(`GET /v1/episodes/ep-${i}`);
  if (i % 3 === 1) return connection.request(`POST /v1/episodes/ep-${i}/step`, json, body);
  connection.request(`POST /v1/episodes/ep-${i}/step`, { ...json, "transfer-encoding": "chunked" });
  connection.send(`${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`);
}
