/** The balancer of .config/docker/compose.fleet.yaml: HAProxy with its configuration, in front of gyms of this machine. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { Fleet } from "../support/fleet.js";
import { freePort } from "../support/free-port.js";
import { eventually } from "../support/gym.js";
import { postgresFolder } from "../support/postgres.js";
import { root } from "../support/server-process.js";
import { connect, scratch } from "../support/serving.js";

const missing = spawnSync("haproxy", ["-v"]).error ? "HAProxy is not installed" : undefined;

interface Balancer {
  url: string;
  healthUrl: string;
}

/** Starts HAProxy with other addresses than those of the configuration. Resolves when a gym is ready. */
async function startBalancer(ports: readonly number[]): Promise<Balancer> {
  const [port, health] = [await freePort(), await freePort()];
  const text = readFileSync(join(root, ".config/docker/haproxy.cfg"), "utf8")
    .replace(/maxconn [0-9]+/, "maxconn 500")
    .replace("bind :8700", `bind 127.0.0.1:${port}`)
    .replace("bind 127.0.0.1:8701", `bind 127.0.0.1:${health}`)
    .replace(
      /server gym-([0-9]) \S+/g,
      (_, number: string) => `server gym-${number} 127.0.0.1:${ports[Number(number) - 1]}`,
    );
  const file = join(scratch(), "haproxy.cfg");
  writeFileSync(file, text);
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk) => (errors += chunk));
  onTestFinished(async () => {
    child.kill("SIGKILL");
    if (child.exitCode === null) await once(child, "exit");
  });
  const healthUrl = `http://127.0.0.1:${health}/ready`;
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error(`expected HAProxy to run, but received ${errors}`);
    return (await fetch(healthUrl).catch(() => undefined))?.status === 200;
  });
  return { url: `http://127.0.0.1:${port}`, healthUrl };
}

async function post(url: string, path: string, body: object, headers: Record<string, string> = {}) {
  const init = {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  };
  const reply = await fetch(`${url}${path}`, init);
  const text = await reply.text();
  return { status: reply.status, body: text.startsWith("{") ? (JSON.parse(text) as Reply) : ({} as Reply) };
}

interface Reply {
  episodeId: string;
  index: number;
  observation: string;
}

/** Starts a server that reports to be ready, and closes the connection after it has read any other request. */
async function startDying(): Promise<{ port: number; requests: string[] }> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    if (request.url === "/readyz") return void response.end("{}");
    for await (const _ of request);
    requests.push(`${request.method} ${request.url}`);
    request.socket.destroy();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, requests };
}

describe.skipIf(missing !== undefined)(`the balancer${missing ? ` (${missing})` : ""}`, () => {
  test("retries a request at a second gym only if the request is safe to repeat", async () => {
    const dying = await startDying();
    const { url } = await startBalancer([dying.port, dying.port, dying.port]);
    const sent = async (path: string, headers: Record<string, string> = {}) => {
      dying.requests.length = 0;
      // If the connection to the gym was used before, HAProxy closes the client's connection instead.
      const reply = await post(url, path, {}, headers).catch(() => ({ status: 502 }));
      expect(reply.status).toBe(502);
      return dying.requests.length;
    };
    const key = { "idempotency-key": "one" };
    expect(await sent("/v1/episodes/ep-1-a/step")).toBe(4);
    expect(await sent("/t/pal_a/v1/stepMany")).toBe(4);
    expect(await sent("/v1/episodes", key)).toBe(4);
    expect(await sent("/v1/createMany", key)).toBe(4);
    expect(await sent("/v1/episodes")).toBe(1);
    expect(await sent("/v1/createMany")).toBe(1);
    expect(await sent("/v1/episodes/ep-1-a/fork", key)).toBe(1);
    expect(await sent("/agentgym/textcraft/step")).toBe(1);
    expect(await sent("/mcp", key)).toBe(1);
  });

  test.skipIf(postgresFolder === null)(
    "passes requests, sockets, streams and large bodies on to any gym",
    { timeout: 240_000 },
    async () => {
      const fleet = await Fleet.start(3);
      const { url } = await startBalancer(fleet.nodes.map(({ port }) => port));
      const { body } = await post(url, "/v1/episodes", { environment: "textcraft", task: { index: 3 } });
      const { episodeId } = body;
      const events = await fetch(`${url}/v1/episodes/${episodeId}/events`);
      expect(events.headers.get("content-type")).toMatch("text/event-stream");
      const reader = (events.body as ReadableStream<Uint8Array>).getReader();

      const action = "x".repeat(2 ** 20 - 1);
      const large = await post(url, `/v1/episodes/${episodeId}/step`, { index: 0, action });
      expect(large).toMatchObject({ status: 200, body: { index: 0 } });
      let seen = "";
      while (!seen.includes(action)) seen += Buffer.from((await reader.read()).value ?? []).toString();
      await reader.cancel();

      const sockets = await Promise.all([1, 2, 3, 4].map(() => connect(url)));
      for (const [at, socket] of sockets.entries()) {
        const reply = await socket.requestText("step", { episodeId, index: at + 1, action: "inventory" });
        expect(reply).toContain(`"index":${at + 1}`);
      }
      const refused = await fetch(`${url}/fleet/operations/get`, { method: "POST", body: "{}" });
      expect(refused.status, "the path of the gyms").toBe(404);
    },
  );

  test.skipIf(postgresFolder === null)("hides the death of a gym from clients", async () => {
    const fleet = await Fleet.start(3);
    const { url, healthUrl } = await startBalancer(fleet.nodes.map(({ port }) => port));
    const create = (index: number) =>
      post(
        url,
        "/v1/episodes",
        { environment: "textcraft", task: { index } },
        { "idempotency-key": `create ${index}` },
      );
    const episodes = await Promise.all(Array.from({ length: 12 }, (_, index) => create(index)));
    const killed = sleep(300).then(() => fleet.nodes[1]?.process.kill());
    await Promise.all(
      episodes.map(async ({ body: { episodeId } }) => {
        for (let index = 0; index < 20; index++) {
          const step = await post(url, `/v1/episodes/${episodeId}/step`, { index, action: "inventory" });
          expect(step).toMatchObject({ status: 200, body: { index } });
          await sleep(20);
        }
      }),
    );
    await killed;
    const repeated = await Promise.all(Array.from({ length: 24 }, (_, index) => create(index)));
    for (const [index, { status, body }] of repeated.entries()) {
      expect(status).toBe(200);
      if (index < 12) expect(body.episodeId).toBe(episodes[index]?.body.episodeId);
    }
    await Promise.all([0, 2].map((at) => fleet.nodes[at]?.process.kill()));
    await eventually(async () => (await fetch(healthUrl)).status === 503);
  });
});
