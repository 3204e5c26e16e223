/**
 * Requests of the outside protocols whose gym ends before its reply. A step without a number must not be taken twice.
 */
import { Readable } from "node:stream";
import Fastify from "fastify";
import { afterAll, describe, expect, test } from "vitest";
import { nameOf } from "#palestra/server/adapter/session-ids.js";
import { relayRequests } from "#palestra/server/app/fleet/relayed-routes.js";
import { registerAgentgym } from "#palestra/server/app/routes/agentgym.js";
import { registerMcp } from "#palestra/server/app/routes/mcp.js";
import { registerNemoGym } from "#palestra/server/app/routes/nemo-gym.js";
import { mayRepeat as mayRepeatFrame } from "#palestra/server/app/routes/openenv/frames.js";
import { registerOpenenv } from "#palestra/server/app/routes/openenv.js";
import { registerOrs } from "#palestra/server/app/routes/ors.js";
import { compilersFactory } from "#palestra/server/app/validation.js";
import { usualTimes } from "#palestra/server/config/times.js";
import { elsewhere } from "#palestra/server/episodes/episode/refusals.js";
import type { Caller } from "#palestra/server/episodes/gym.js";
import type { FleetOwnership } from "#palestra/server/fleet/fleet-ownership.js";
import { Owners } from "#palestra/server/fleet/owners.js";
import { PeerLost } from "#palestra/server/fleet/peer-errors.js";
import type { PeerRequest, Peers } from "#palestra/server/fleet/peers.js";
import { Relay } from "#palestra/server/fleet/relay.js";
import { createEpisodeId, keyOf } from "#palestra/server/log/records/episode-id.js";
import { openFaultyGym } from "../../faulty-gym.js";

const key = 7;
const episode = createEpisodeId(key);
const session = nameOf(key);
const caseHeader = "test-case";

/** Numbers of attempts that reached the other gym, by case. */
const attempts = new Map<string, number>();

/** The gym that owns the episode. It ends during its first request of each case, and answers the next. */
const peers = {
  async send(_gym: unknown, { headers }: PeerRequest) {
    const name = String(headers[caseHeader]);
    attempts.set(name, (attempts.get(name) ?? 0) + 1);
    if (attempts.get(name) === 1) throw new PeerLost("the connection ended", true);
    return { statusCode: 200, headers: {}, body: Readable.from("{}") };
  },
} as unknown as Peers;

const [self, other] = [1, 2].map((incarnation) => ({ incarnation, address: `http://127.0.0.1:${incarnation}` }));
const ownership = {
  expectLog() {},
  members: { self, others: [other] },
  shards: [0],
  has: (asked: number) => asked !== key,
  ownerOf: (asked: number) => (asked === key ? other : "here"),
} as unknown as FleetOwnership;

/** Serves the protocols of a gym that passes every request for the other gym's episode on. */
async function serveRelayed() {
  const gym = await openFaultyGym(1);
  const find = gym.find.bind(gym);
  gym.find = async (owner, id) => {
    if (keyOf(id) === key) throw elsewhere(id);
    return find(owner, id);
  };
  const app = Fastify({ schemaController: { compilersFactory } });
  app.addHook("onRequest", async (request) => {
    request.caller = { owner: "ada" } as Caller;
  });
  const owners = new Owners(ownership, usualTimes.fleet.giveUpMs);
  const relay = new Relay(ownership, owners, peers, () => "secret");
  const onError = () => {};
  relayRequests(app, relay);
  await registerAgentgym(app, gym, onError);
  await registerOrs(app, gym, onError);
  registerMcp(app, gym, onError);
  await registerNemoGym(app, gym, onError);
  await registerOpenenv(app, { gym, relay, refusalOf: () => null, onError });
  afterAll(() => app.close());
  return { app, gym };
}

interface Asked {
  method?: "GET" | "POST";
  headers?: Record<string, string>;
}

type Case = [url: string, body: object | undefined, asked?: Asked];

const ors = { headers: { "x-session-id": session, "x-deployment": "textcraft" } };
const nemo = { headers: { cookie: `palestra-textcraft=${session}.0` } };
const openenv = "/openenv/textcraft";
const rpc = (method: string, params: object) => ({ jsonrpc: "2.0", id: 1, method, params });
const mcpPath = `/mcp/textcraft/${episode}`;
const inventory = { name: "inventory", arguments: {} };

/** Requests that are steps, without a number or an id that identifies a repetition. */
const steps: Record<string, Case> = {
  "OpenEnv: a step with text": [`${openenv}/step`, { episode_id: episode, action: { message: "inventory" } }],
  "OpenEnv: a call of a tool as a step": [
    `${openenv}/step`,
    { episode_id: episode, action: { type: "call_tool", tool_name: "inventory" } },
  ],
  "OpenEnv: a step with no index": [`${openenv}/step`, { episode_id: episode, action: { message: "a", index: null } }],
  "OpenEnv: a call over JSON-RPC": [`${openenv}/mcp`, rpc("tools/call", { ...inventory, session_id: session })],
  "ORS: a call": ["/call", { name: "inventory" }, ors],
  "ORS: a call with the environment in the path": ["/textcraft/call", { name: "inventory", task_id: null }, ors],
  "MCP: a call of a tool of an episode": [mcpPath, rpc("tools/call", inventory)],
  "MCP: a call in a batch": [mcpPath, [rpc("tools/list", {}), rpc("tools/call", inventory)]],
  "MCP: a call that names its episode": ["/mcp", rpc("tools/call", { name: "act", arguments: { episode } })],
  "NeMo Gym: a step": ["/nemo-gym/textcraft/step", { response: { output: [] } }, nemo],
  "AgentGym: a step in textcraft": ["/agentgym/textcraft/step", { id: key, action: "inventory" }],
  "AgentGym: a step in babyai": ["/agentgym/babyai/step", { id: key, action: "[]" }],
  "AgentGym: a step in sciworld": ["/agentgym/sciworld/step", { id: key, action: "look" }],
  "AgentGym: a step with a picture": ["/agentgym/sciworld/step_visual", { id: key, action: "look" }],
  "AgentGym: a step in searchqa": ["/agentgym/searchqa/step", { env_idx: key, action: "" }],
  "AgentGym: a step in webarena": ["/agentgym/webarena/step", { env_idx: key, action: "" }],
};

const repeatable: Record<string, Case> = {
  "OpenEnv: a step with its index": [`${openenv}/step`, { episode_id: episode, action: { message: "a", index: 0 } }],
  "OpenEnv: a reset of a named episode": [`${openenv}/reset`, { episode_id: episode }],
  "OpenEnv: the state": [`${openenv}/state?episode_id=${episode}`, undefined, { method: "GET" }],
  "OpenEnv: a list of tools over JSON-RPC": [`${openenv}/mcp`, rpc("tools/list", { session_id: session })],
  "ORS: a call with the id of an earlier one": ["/call", { name: "inventory", task_id: `${session}:0` }, ors],
  "ORS: the prompt": ["/prompt", undefined, { ...ors, method: "GET" }],
  "MCP: a list of tools": [mcpPath, rpc("tools/list", {})],
  "MCP: the end of an episode": ["/mcp", rpc("tools/call", { name: "end_episode", arguments: { episode } })],
  "NeMo Gym: a step with its id": [
    "/nemo-gym/textcraft/step",
    { response: { output: [] }, _ng_step_request_id: "a" },
    nemo,
  ],
  "AgentGym: a reset": ["/agentgym/textcraft/reset", { id: key, data_idx: 0 }],
  "AgentGym: an observation": [`/agentgym/textcraft/observation?id=${key}`, undefined, { method: "GET" }],
};

describe("a request whose gym ends before its reply", async () => {
  const { app, gym } = await serveRelayed();

  const send = (name: string, [url, body, { method = "POST", headers = {} } = {}]: Case) =>
    app.inject({ method, url, headers: { ...headers, [caseHeader]: name }, ...(body && { payload: body }) });

  test.concurrent.each(Object.entries(steps))(
    "is not sent again if it is a step without a number: %s",
    async (name, asked) => {
      const { payload } = await send(name, asked);
      expect(payload).toContain("The request may have been carried out: look at the episode before you repeat it.");
      expect(attempts.get(name)).toBe(1);
    },
  );

  test.concurrent.each(Object.entries(repeatable))(
    "is sent again if a repetition has no effect: %s",
    async (name, asked) => {
      const { statusCode, payload } = await send(name, asked);
      expect([statusCode, payload]).toEqual([200, "{}"]);
      expect(attempts.get(name)).toBe(2);
    },
  );

  test("a batch of MCP takes the steps of this gym once, and fails the others with EPISODE_ELSEWHERE", async () => {
    const request = { environment: "faulty", task: { index: 0 }, seed: 0, leaseMs: 60_000 };
    const own = (await gym.create("ada", request)).episode;
    const acts = [own.row.id, episode].map((id, i) => ({
      ...rpc("tools/call", { name: "act", arguments: { episode: id, action: "on" } }),
      id: i,
    }));
    const { payload } = await send("several gyms", [
      "/mcp",
      acts,
      { headers: { accept: "application/json, text/event-stream" } },
    ]);
    expect(payload).toContain("1: on");
    expect(payload).toContain("EPISODE_ELSEWHERE");
    expect([own.steps, attempts.get("several gyms")]).toEqual([1, undefined]);
  });
});

test.each([
  [{ type: "step", data: { message: "inventory" } }, false],
  [{ type: "step", data: { message: "inventory", index: null } }, false],
  [{ type: "step", data: { message: "inventory", index: 0 } }, true],
  [{ type: "mcp", data: rpc("tools/call", inventory) }, false],
  [{ type: "mcp", data: rpc("tools/list", {}) }, true],
  [{ type: "state" }, true],
  [{ type: "reset", data: {} }, true],
] as const)(
  "a frame of OpenEnv's socket is sent again only if a repetition has no effect: %j, %s",
  (frame, expected) => {
    expect(mayRepeatFrame(frame as Parameters<typeof mayRepeatFrame>[0])).toBe(expected);
  },
);
