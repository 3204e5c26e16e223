/**
 * When a client disconnects, the places that it holds or waits for are free again within seconds, over every protocol.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { root, scratchDir, startGym } from "../support/server-process.js";
import { connect, serve } from "../support/serving.js";
import { eventually, metric } from "../support/watching.js";

const fixture = (name: string) => join(root, `test/fixtures/environments/${name}.mjs`);
const places = 4;
const task = { split: "play", index: 0 };

/** Settings of a gym with four places, in which the creation of an episode waits up to a minute for one. */
function fewPlaces(env: NodeJS.ProcessEnv = {}) {
  return {
    pace: 0.1,
    environmentModules: [fixture("placed"), fixture("placed-once")],
    env: { PALESTRA_SANDBOXES_MACHINES: `${places}`, PALESTRA_SANDBOXES_WAIT_MS: "55000", ...env },
  };
}

const serveFew = (env: NodeJS.ProcessEnv = {}) => serve(fewPlaces(env));

type Census = Record<"made" | "placed" | "closed", number>;

interface Opened {
  episodeId: string;
}

/** Creates an episode over /v1, and returns the number of instances so far. */
async function census(url: string, environment = "placed"): Promise<Census> {
  const socket = await connect(url);
  const { episodeId } = await socket.request<Opened>("create", { environment, task });
  const { answer } = await socket.request<{ answer: Census }>("query", { episodeId, query: "census" });
  await socket.request("close", { episodeId });
  return answer;
}

/** Starts a client program, which the test kills or stops. */
async function startClient(script: string, isReady = true): Promise<ChildProcess> {
  const client = spawn(process.execPath, ["--input-type=module", "-e", script], {
    cwd: root,
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void client.kill("SIGKILL"));
  if (isReady && client.stdout) await once(client.stdout, "data");
  return client;
}

/** Sends the same request many times at once over HTTP. */
const posts = (url: string, headers: object, bodies: readonly object[]) => `
  const bodies = ${JSON.stringify(bodies)};
  const headers = ${JSON.stringify({ "content-type": "application/json", ...headers })};
  for (const { headers: own, ...body } of bodies)
    fetch(${JSON.stringify(url)}, { method: "POST", headers: { ...headers, ...own }, body: JSON.stringify(body) }).catch(() => {});
  console.log("sent");`;

/** Opens sockets, sends the same frame over each, and resolves when each has the given number of replies. */
const sockets = (url: string, frame: object, count: number, replies: number) => `
  import { WebSocket } from "ws";
  let waiting = ${count};
  for (let i = 0; i < ${count}; i++) {
    const socket = new WebSocket(${JSON.stringify(url.replace("http", "ws"))});
    let got = 0;
    const note = () => { if (got++ === ${replies} && --waiting === 0) console.log("sent"); };
    socket.on("open", () => { socket.send(${JSON.stringify(JSON.stringify(frame))}); note(); });
    socket.on("message", note);
  }`;

const many = 40;
const bodies = (body: object) => Array.from({ length: many }, () => body);

/** Returns the program of a client that sends forty openings. */
type Opening = (url: string) => string | Promise<string>;

async function orsOpening(url: string): Promise<string> {
  const { OrsClient } = await import("../support/ors.js");
  const ors = new OrsClient(url, "placed");
  const sessions = await Promise.all(Array.from({ length: many }, () => ors.createSession()));
  const requests = sessions.map((session) => ({ ...task, headers: { "x-session-id": session } }));
  return posts(`${url}/create`, { "x-deployment": "placed" }, requests);
}

const mcpCall = {
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name: "start_episode", arguments: { environment: "placed" } },
};

const openings: Record<string, Opening> = {
  "/v1 over HTTP": (url) => posts(`${url}/v1/episodes`, {}, bodies({ environment: "placed", task })),
  "/v1 over HTTP in one request": (url) =>
    posts(`${url}/v1/createMany`, {}, [{ episodes: bodies({ environment: "placed", task }) }]),
  "/v1 over a socket": (url) =>
    sockets(`${url}/v1/socket`, { id: 1, op: "create", params: { environment: "placed", task } }, many, 0),
  "/v1 with idempotency keys": (url) =>
    posts(
      `${url}/v1/episodes`,
      {},
      bodies({ environment: "placed", task }).map((body, i) => ({ ...body, headers: { "idempotency-key": `k${i}` } })),
    ),
  "OpenEnv over sockets": (url) => sockets(`${url}/openenv/placed/ws`, { type: "reset", data: {} }, many, 0),
  "OpenEnv over HTTP": (url) => posts(`${url}/openenv/placed/reset`, {}, bodies({})),
  "NeMo Gym": (url) =>
    posts(
      `${url}/nemo-gym/placed/reset`,
      {},
      bodies({ responses_create_params: { input: [] }, agent_ref: { name: "agent" } }),
    ),
  "the Open Reward Standard": orsOpening,
  MCP: (url) => posts(`${url}/mcp`, { accept: "application/json, text/event-stream" }, bodies(mcpCall)),
};

describe("clients that are killed during openings", async () => {
  const folder = scratchDir();
  const { url, process: server } = await startGym({ dataDir: folder.path, showErrors: true, ...fewPlaces() });
  afterAll(async () => {
    await server.kill();
    folder.remove();
  });

  test.each(Object.entries(openings))("by %s free their places for the next openings", async (_name, opening) => {
    const before = await census(url);
    const holder = await connect(url);
    const create = () => holder.request<Opened>("create", { environment: "placed", task });
    const held = await Promise.all(Array.from({ length: places }, create));
    onTestFinished(() => holder.terminate());
    const client = await startClient(await opening(url));
    // The new episodes wait for the places.
    const { episodeId } = held[0] as Opened;
    const made = async () =>
      (await holder.request<{ answer: Census }>("query", { episodeId, query: "census" })).answer.made;
    const waiting = before.made + places + 2 * places;
    expect(await eventually(made, (count) => count >= waiting)).toBeGreaterThanOrEqual(waiting);
    client.kill("SIGKILL");
    const startedAt = performance.now();
    await eventually(
      () => metric(url, "palestra_live_episodes"),
      (live) => live === places,
    );
    for (const { episodeId } of held) await holder.request("close", { episodeId });
    const next = await Promise.all(Array.from({ length: places }, create));
    console.info(
      `${places} openings had places ${((performance.now() - startedAt) / 1_000).toFixed(2)} s after the kill`,
    );
    expect(new Set(next.map(({ episodeId }) => episodeId)).size).toBe(places);
    for (const { episodeId } of next) await holder.request("close", { episodeId });
    // No killed client has got a place.
    expect((await census(url)).placed).toBe(before.placed + 2 * places + 1);
  });
});

interface OpenenvReply {
  type: string;
  data: { observation: { text: string }; metadata: { episode_id: string } };
}

async function ask(socket: WebSocket, frame: object): Promise<OpenenvReply> {
  socket.send(JSON.stringify(frame));
  const [data] = await once(socket, "message");
  return JSON.parse(String(data)) as OpenenvReply;
}

async function openenvSocket(url: string, environment = "placed"): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace("http", "ws")}/openenv/${environment}/ws`);
  onTestFinished(() => socket.terminate());
  await once(socket, "open");
  return socket;
}

const quickPings = { PALESTRA_SOCKETS_PING_MS: "500" };

test("stopped clients of OpenEnv lose their places to new episodes that need them", async () => {
  const { url } = await serveFew(quickPings);
  const client = await startClient(sockets(`${url}/openenv/placed/ws`, { type: "reset", data: {} }, places, 1));
  expect(await metric(url, "palestra_live_episodes")).toBe(places);
  client.kill("SIGSTOP");
  const next = await Promise.all(
    Array.from({ length: places }, async () => ask(await openenvSocket(url), { type: "reset", data: {} })),
  );
  expect(next.map(({ type }) => type)).toEqual(Array(places).fill("observation"));
  expect(await metric(url, 'palestra_places_yielded_total\\{environment="placed@1"\\}')).toBe(places);
});

test("a disconnected socket of /v1 loses its places to new episodes that need them", async () => {
  const { url } = await serveFew();
  const params = { environment: "placed", task };
  const client = await startClient(sockets(`${url}/v1/socket`, { id: 1, op: "create", params }, places, 1));
  client.kill("SIGKILL");
  const socket = await connect(url);
  for (let i = 0; i < places; i++) await socket.request("create", params);
  expect(await metric(url, 'palestra_places_yielded_total\\{environment="placed@1"\\}')).toBe(places);
});

test("an episode of a disconnected client keeps its place while no other episode needs it, and another client continues it by its id", async () => {
  const { url } = await serveFew(quickPings);
  const first = await openenvSocket(url);
  const { data } = await ask(first, { type: "reset", data: {} });
  await ask(first, { type: "step", data: { type: "call_tool", tool_name: "act", arguments: { action: "one" } } });
  first.terminate();
  await eventually(
    () => metric(url, "palestra_sockets"),
    (count) => count === 0,
  );
  const second = await openenvSocket(url);
  const taken = await ask(second, { type: "reset", data: { episode_id: data.metadata.episode_id } });
  expect(taken.data.observation.text).toBe("1: one");
  expect(await metric(url, "palestra_live_episodes")).toBe(1);
  // The second client now uses the episode, so other episodes do not get its place.
  const others = await connect(url);
  for (let i = 1; i < places; i++) await others.request("create", { environment: "placed", task });
  await ask(second, { type: "step", data: { type: "call_tool", tool_name: "act", arguments: { action: "two" } } });
  expect(await metric(url, 'palestra_places_yielded_total\\{environment="placed@1"\\}')).toBe(0);
});

test("an episode that lost its place continues by replay", async () => {
  const { url } = await serveFew();
  const params = { environment: "placed", task };
  const gone = await connect(url);
  const { episodeId } = await gone.request<Opened>("create", params);
  await gone.request("step", { episodeId, index: 0, action: "one" });
  gone.terminate();
  const socket = await connect(url);
  const others: Opened[] = [];
  for (let i = 0; i < places; i++) others.push(await socket.request<Opened>("create", params));
  for (const other of others) await socket.request("close", { episodeId: other.episodeId });
  expect(await socket.request("step", { episodeId, index: 1, action: "two" })).toMatchObject({ observation: "2: two" });
});

test("episodes that cannot be restored lose their places last, and report why", async () => {
  const { url } = await serveFew();
  const gone = await connect(url);
  const lost = await gone.request<Opened>("create", { environment: "placed-once", task });
  gone.terminate();
  const socket = await connect(url);
  await eventually(
    () => metric(url, "palestra_sockets"),
    (count) => count === 1,
  );
  for (let i = 0; i < places; i++) await socket.request("create", { environment: "placed-once", task });
  const refused = socket.request("step", { episodeId: lost.episodeId, index: 0, action: "one" });
  await expect(refused).rejects.toThrow("its place was needed after its client had gone");
});

test("an instance without calls for a long time loses its place to a new episode that needs it", async () => {
  const { url } = await serveFew({ PALESTRA_LEASES_QUIET_MS: "1000", PALESTRA_LEASES_SWEEP_MS: "100" });
  const open = async () => {
    const body = JSON.stringify({ environment: "placed", task });
    const headers = { "content-type": "application/json" };
    return (await fetch(`${url}/v1/episodes`, { method: "POST", headers, body })).status;
  };
  for (let i = 0; i < 2 * places; i++) expect(await open()).toBe(200);
});

test("a create with an idempotency key continues for a while after its client disconnects", async () => {
  const { url } = await serveFew();
  const holder = await connect(url);
  const params = { environment: "placed", task };
  const held = await Promise.all(Array.from({ length: places }, () => holder.request<Opened>("create", params)));
  const { episodeId } = held[0] as Opened;
  const made = async () =>
    (await holder.request<{ answer: Census }>("query", { episodeId, query: "census" })).answer.made;
  const client = await startClient(
    posts(`${url}/v1/episodes`, {}, [{ ...params, headers: { "idempotency-key": "again" } }]),
  );
  expect(await eventually(made, (count) => count === places + 1)).toBe(places + 1);
  client.kill("SIGKILL");
  const again = holder.request<Opened>("create", { ...params, idempotencyKey: "again" });
  await holder.request("get", { episodeId });
  await holder.request("close", { episodeId: (held[1] as Opened).episodeId });
  await again;
  // The retry got the episode that the first request had begun.
  expect(await made()).toBe(places + 1);
});
