/** Loops that take steps over each protocol, used for the gym and for the protocol's own server. */
import { eventsIn } from "../support/ors.js";
import { postJson } from "./agentgym-loops.js";
import type { HttpLoop, Loop } from "./load.js";

const call = { count: 1, item: "dirt" };
const text = "get 1 dirt";
const observation = "Got 1 dirt";
const max_steps = 1_000_000_000;

function expectIn(reply: string, part: string): void {
  if (!reply.includes(part)) throw new Error(`expected ${part} in the reply, but received ${reply}`);
}

/** Loops of OpenEnv's socket. Its first message is a reset. @param hasTasks whether the server has tasks to choose from */
export function openenvLoop(hasTasks: boolean): Loop {
  const start = JSON.stringify({ type: "reset", data: hasTasks ? { split: "train", index: 0, max_steps } : {} });
  const step = JSON.stringify({ type: "step", data: { message: text } });
  let isReset = false;
  return {
    next() {
      const message = isReset ? step : start;
      isReset = true;
      return message;
    },
    received: (reply) => expectIn(reply, '"type":"observation"'),
  };
}

/** Opens a session of the Open Reward Standard. */
export async function orsLoop(url: string, environment: string): Promise<HttpLoop> {
  const post = async (path: string, body: object, headers: Record<string, string>) => {
    const reply = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const answer = await reply.text();
    if (reply.status !== 200) throw new Error(`expected ${path} to answer, but received ${reply.status}: ${answer}`);
    return answer;
  };
  const events = eventsIn((await post("/create_session", {}, {})).replaceAll("\r", ""));
  const headers = { "x-session-id": events[0]?.data as string, "x-deployment": environment };
  await post("/create", { env_name: environment, task_spec: { split: "train", index: 0, max_steps } }, headers);
  const body = JSON.stringify({ name: "get", input: call });
  return {
    path: () => `/${environment}/call`,
    headers: () => headers,
    next: () => body,
    received: (reply) => expectIn(reply, observation),
  };
}

/** @param path path of an endpoint of the Model Context Protocol with the tool `get` */
export function mcpLoop(path: string): HttpLoop {
  const headers = {
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": "2026-07-28",
    "mcp-method": "tools/call",
    "mcp-name": "get",
  };
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
    "io.modelcontextprotocol/clientInfo": { name: "bench", version: "1" },
  };
  const params = { name: "get", arguments: call, _meta };
  let id = 0;
  return {
    path: () => path,
    headers: () => headers,
    next: () => JSON.stringify({ jsonrpc: "2.0", id: ++id, method: "tools/call", params }),
    received: (reply) => expectIn(reply, observation),
  };
}

/** Opens a rollout of NeMo Gym. @param prefix path of the environment */
export async function nemoLoop(url: string, prefix: string): Promise<HttpLoop> {
  const reply = await fetch(`${url}${prefix}/reset`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ split: "train", index: 0, max_steps }),
  });
  const cookie = reply.headers.getSetCookie()[0]?.split(";", 1)[0] as string;
  const [session] = cookie.split(".");
  await reply.text();
  const content = [{ type: "output_text", text }];
  let taken = 0;
  return {
    path: () => `${prefix}/step`,
    headers: () => ({ cookie: `${session}.${taken}` }),
    next: () =>
      JSON.stringify({ response: { output: [{ type: "message", content }] }, _ng_step_request_id: `request ${taken}` }),
    received(answer) {
      expectIn(answer, observation);
      taken += 1;
    },
  };
}

/** Plays AgentGym's TextCraft. @param base URL up to the environment's name */
export async function agentgymLoop(base: string): Promise<HttpLoop> {
  const { pathname } = new URL(base);
  const { id } = (await postJson(`${base}/create`, {})) as { id: number };
  const body = JSON.stringify({ id, action: text });
  return { path: () => `${pathname}/step`, next: () => body, received: (reply) => expectIn(reply, observation) };
}
