/**
 * A player for each protocol: it opens an episode of TextCraft and takes actions in it. After a broken connection it
 * continues as a client of the protocol can: `again` is true if the same action was sent before and had no reply.
 */
import { WebSocket } from "ws";
import { AgentgymClient, AgentgymWire } from "../support/agentgym-client.js";
import { ConnectionLost, GymSocket } from "../support/gym-socket.js";
import { message, NemoRollout } from "../support/nemo.js";
import { eventsIn, type OrsEvent, resultOf } from "../support/ors.js";

export interface Addresses {
  gym: string;
  /** Port of TextCraft for NeMo Gym. */
  nemo: string;
}

export interface Player {
  /** Opens the episode. Returns its id, or undefined if the protocol does not return one. */
  open(): Promise<string | undefined>;
  /** Gets items and returns the observation. @throws {ConnectionLost} */
  get(count: number, again: boolean): Promise<string>;
  close(): void;
}

const task = { split: "train", index: 0 };
const item = "dirt";
const action = (count: number) => `get ${count} ${item}`;

/**
 * Sends a request with JSON. Throws ConnectionLost for a broken connection, and an error for a status other than 200.
 */
async function send(url: string, body: object, headers: Record<string, string> = {}): Promise<string> {
  try {
    const reply = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    });
    const text = await reply.text();
    if (reply.status === 200) return text;
    throw new Error(`expected status 200 of ${url}, but received ${reply.status}: ${text}`);
  } catch (error) {
    throw lost(error);
  }
}

/** The errors of `fetch` for broken connections are TypeErrors. */
function lost(error: unknown): unknown {
  return error instanceof TypeError ? new ConnectionLost(String(error.cause ?? error)) : error;
}

function v1Http({ gym }: Addresses): Player {
  let id: string;
  let index = 0;
  return {
    async open() {
      id = JSON.parse(await send(`${gym}/v1/episodes`, { environment: "textcraft", task })).episodeId;
      return id;
    },
    async get(count) {
      const text = await send(`${gym}/v1/episodes/${id}/step`, { index, action: action(count) });
      index += 1;
      return JSON.parse(text).observation;
    },
    close() {},
  };
}

function v1Socket({ gym }: Addresses): Player {
  let socket: GymSocket;
  let id: string;
  let index = 0;
  const connect = async () => {
    socket = await GymSocket.connect(gym).catch((error) => {
      throw new ConnectionLost(String(error));
    });
  };
  return {
    async open() {
      await connect();
      id = (await socket.request<{ episodeId: string }>("create", { environment: "textcraft", task })).episodeId;
      return id;
    },
    async get(count, again) {
      if (again) await connect();
      const params = { episodeId: id, index, action: action(count) };
      const { observation } = await socket.request<{ observation: string }>("step", params);
      index += 1;
      return observation;
    },
    close: () => socket.terminate(),
  };
}

function agentgym({ gym }: Addresses): Player {
  const wire = new AgentgymWire(() => `${gym}/agentgym/textcraft`);
  let client: AgentgymClient;
  return {
    async open() {
      client = await AgentgymClient.create(wire);
      return undefined;
    },
    async get(count, again) {
      // The protocol has no step numbers, but the client can read the last observation.
      if (again && (await client.observation()) === `Got ${count} ${item}`) return `Got ${count} ${item}`;
      return (await client.step(action(count))).observation;
    },
    close: () => void wire.close(),
  };
}

function openenv({ gym }: Addresses): Player {
  let socket: WebSocket;
  let id: string;
  let index = 0;
  const ask = (type: string, data: object) =>
    // biome-ignore lint/suspicious/noExplicitAny: replies of several kinds
    new Promise<any>((resolve, reject) => {
      if (socket.readyState !== WebSocket.OPEN) return reject(new ConnectionLost("the socket is closed"));
      const onClose = () => reject(new ConnectionLost("the socket closed"));
      socket.once("close", onClose);
      socket.once("message", (text) => {
        socket.off("close", onClose);
        const reply = JSON.parse(String(text));
        if (reply.type === "error") reject(new Error(String(text)));
        else resolve(reply.data);
      });
      socket.send(JSON.stringify({ type, data }));
    });
  const connect = () =>
    new Promise<void>((resolve, reject) => {
      socket = new WebSocket(`${gym.replace("http", "ws")}/openenv/textcraft/ws`);
      socket.on("error", (error) => reject(new ConnectionLost(String(error))));
      socket.once("open", resolve);
    });
  return {
    async open() {
      await connect();
      id = (await ask("reset", task)).metadata.episode_id;
      return id;
    },
    async get(count, again) {
      if (again) {
        await connect();
        await ask("reset", { episode_id: id });
      }
      const { observation } = await ask("step", { message: action(count), index });
      index += 1;
      return observation.text;
    },
    close: () => socket.terminate(),
  };
}

function ors({ gym }: Addresses): Player {
  let session: string;
  let broken: string | undefined;
  const headers = () => ({ "x-deployment": "textcraft", "x-session-id": session });
  return {
    async open() {
      const events = eventsIn(await send(`${gym}/create_session`, {}));
      session = events[0]?.data as string;
      await send(`${gym}/create`, task, headers());
      return undefined;
    },
    async get(count) {
      const call = { name: "get", input: { count, item }, ...(broken !== undefined && { task_id: broken }) };
      const events: OrsEvent[] = [];
      try {
        await readEvents(`${gym}/call`, call, headers(), events);
      } finally {
        broken = events.find(({ event }) => event === "task_id")?.data ?? broken;
      }
      const end = events.at(-1)?.event;
      if (end !== "end") throw new ConnectionLost(`the stream ended with ${end}`);
      broken = undefined;
      const { ok, output, error } = resultOf(events);
      if (!ok) throw new Error(error);
      return output?.blocks[0]?.text as string;
    },
    close() {},
  };
}

/** Adds the events of a stream to `events` as they arrive. */
async function readEvents(url: string, call: object, headers: Record<string, string>, events: OrsEvent[]) {
  let text = "";
  try {
    const reply = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(call),
    });
    if (reply.status !== 200)
      throw new Error(`expected status 200, but received ${reply.status}: ${await reply.text()}`);
    for await (const piece of reply.body as unknown as AsyncIterable<Uint8Array>) text += Buffer.from(piece).toString();
  } catch (error) {
    throw lost(error);
  } finally {
    events.push(...eventsIn(text));
  }
}

function mcp({ gym }: Addresses): Player {
  let id: string;
  let taken = 0;
  const ask = async (method: string, params: object) => {
    const accept = { accept: "application/json, text/event-stream", "mcp-protocol-version": "2025-06-18" };
    const text = await send(`${gym}/mcp/textcraft/${id}`, { jsonrpc: "2.0", id: 1, method, params }, accept);
    const reply = JSON.parse(eventsIn(text)[0]?.data as string);
    if (reply.error || reply.result.isError) throw new Error(text);
    return reply.result;
  };
  return {
    async open() {
      id = JSON.parse(await send(`${gym}/v1/episodes`, { environment: "textcraft", task })).episodeId;
      return id;
    },
    async get(count, again) {
      if (again) {
        // The agent reads the transcript to find out whether its call was a step.
        const { contents } = await ask("resources/read", { uri: `palestra://episodes/${id}/transcript` });
        if (contents[0].text.includes(`## Step ${taken}\n`)) {
          taken += 1;
          return `Got ${count} ${item}`;
        }
      }
      const { structuredContent } = await ask("tools/call", { name: "get", arguments: { count, item } });
      taken += 1;
      return structuredContent.observation;
    },
    close() {},
  };
}

function nemo({ nemo: url }: Addresses): Player {
  const rollout = new NemoRollout(url);
  const checked = async (reply: ReturnType<NemoRollout["reset"]>) => {
    const { status, body } = await reply.catch((error) => {
      throw lost(error);
    });
    if (status !== 200) throw new Error(`expected status 200, but received ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  return {
    async open() {
      return (await checked(rollout.reset(task))).info.episode_id;
    },
    // The agent sends the same request again.
    get: async (count) => (await checked(rollout.step([message(action(count))], `request ${count}`))).observation,
    close() {},
  };
}

export const players: Record<string, (addresses: Addresses) => Player> = {
  "/v1 over HTTP": v1Http,
  "/v1/socket": v1Socket,
  AgentGym: agentgym,
  OpenEnv: openenv,
  "Open Reward Standard": ors,
  "Model Context Protocol": mcp,
  "NeMo Gym": nemo,
};
