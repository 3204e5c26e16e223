/**
 * A gym with several callers, and one object of each kind that belongs to the first caller, for
 * test/server/owners.test.ts.
 */
import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { fixture, openGym, type TestGym } from "../support/gym.js";

export interface Ask {
  method?: "GET" | "POST" | "DELETE";
  path: string;
  body?: unknown;
  headers?: Record<string, string>;
}

/** An object that belongs to the first caller. */
interface Target {
  id: string;
  /** Id of the same form that does not exist. */
  absent: string;
  /** Reads the object as its owner, without a change. */
  look: readonly Ask[];
}

export type Kind = () => Promise<Target>;

export let gym: TestGym;
export let url: string;
export let ada: string;
/**
 * Callers who must not see Ada's objects: a token of her group without rights, a token with all rights, and no token.
 */
export let others: Record<string, string | undefined>;
/** A token that has never been used. */
export let fresh: string;
/** Texts that only replies to Ada may contain. */
export const marks: string[] = [];

/** Opens the gym and makes its callers. It is closed after the file. */
export async function openCallers(): Promise<void> {
  gym = await openGym({ environments: [fixture("faulty"), fixture("painter")], hosts: { count: 2 } });
  await gym.changeTokens((tokens) => tokens.setGroup({ name: "lab" }));
  ada = await gym.createToken(["expert"], 1_000, { group: "lab" });
  fresh = await gym.createToken([], 1_000, { group: "lab" });
  others = {
    "a token of the same group": await gym.createToken([], 1_000, { group: "lab" }),
    "a token with all rights": await gym.createToken(["expert", "runs"], 1_000),
    "a caller without a token": undefined,
  };
  url = await gym.app.listen({ host: "127.0.0.1", port: 0 });
}

/** Longest wait in milliseconds for the first chunk of an endless stream, and for the chunks after it. */
const [firstMs, moreMs] = [10_000, 300];

export async function send({ method = "GET", path, body, headers }: Ask, token: string | undefined) {
  const stop = new AbortController();
  const response = await fetch(`${url}${path}`, {
    method,
    headers: {
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    signal: stop.signal,
  });
  const isEndless = /\/events\b/.test(path) && response.ok;
  const text = isEndless ? await begun(response) : await response.text();
  stop.abort();
  return { status: response.status, text, headers: response.headers };
}

/** Returns the beginning of a stream. */
async function begun({ body }: Response): Promise<string> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  let text = "";
  for (;;) {
    const late = sleep(text === "" ? firstMs : moreMs, undefined);
    const part = await Promise.race([reader.read(), late]);
    if (!part?.value) return text;
    text += Buffer.from(part.value).toString();
  }
}

export async function json<T>(ask: Ask, token = ada): Promise<T> {
  const { status, text } = await send(ask, token);
  expect(status, `${ask.path}: ${text}`).toBe(200);
  return JSON.parse(text) as T;
}

const withZeros = (episodeId: string) => episodeId.replace(/[0-9a-f]{20}$/, "0".repeat(20));
const lookAt = (id: string): Ask[] => [{ path: `/v1/episodes/${id}` }, { path: `/v1/episodes/${id}/transcript` }];

async function play(environment: string, actions: readonly string[]): Promise<string> {
  const body = { environment, task: { index: 0 } };
  const { episodeId } = await json<{ episodeId: string }>({ method: "POST", path: "/v1/episodes", body });
  marks.push(episodeId);
  for (const [index, action] of actions.entries())
    await json({ method: "POST", path: `/v1/episodes/${episodeId}/step`, body: { index, action } });
  return episodeId;
}

export function episode(environment = "faulty"): Kind {
  return async () => {
    const mark = `mark-${randomUUID()}`;
    marks.push(mark);
    const id = await play(environment, [mark]);
    return { id, absent: withZeros(id), look: lookAt(id) };
  };
}

/** Two ended episodes of one task, with their ids joined by a comma. */
export const pair: Kind = async () => {
  const ids = [await play("painter", ["red", "blue"]), await play("painter", ["blue", "red"])];
  return {
    id: ids.join(),
    absent: ids.map(withZeros).join(),
    look: [...ids.flatMap(lookAt), { path: "/v1/judgments" }],
  };
};

/** Returns Ada's newest episode, which a session has just opened. */
async function newest(): Promise<string> {
  const { episodes } = await json<{ episodes: { episodeId: string }[] }>({ path: "/v1/episodes?limit=1" });
  const [{ episodeId }] = episodes as [{ episodeId: string }];
  marks.push(episodeId);
  return episodeId;
}

export function agentgym(environment: string, field: "id" | "env_idx", body: object = {}): Kind {
  return async () => {
    const made = await json<Record<string, number> | number>({
      method: "POST",
      path: `/agentgym/${environment}/create`,
      body,
    });
    const id = typeof made === "number" ? made : made[field];
    expect(id).toEqual(expect.any(Number));
    const observed = { path: `/agentgym/${environment}/observation?${field}=${id}` };
    const hasEpisode = environment !== "webarena" && environment !== "webarena-lab";
    return { id: `${id}`, absent: "987654321", look: [observed, ...(hasEpisode ? lookAt(await newest()) : [])] };
  };
}

export const ors: Kind = async () => {
  const { text } = await send({ method: "POST", path: "/create_session", body: {} }, ada);
  const id = /^data: (s\w+)$/m.exec(text)?.[1] as string;
  const body = { split: "all", index: 3 };
  const headers = { "x-deployment": "textcraft", "x-session-id": id };
  await json({ method: "POST", path: "/create", body, headers });
  marks.push(id);
  return { id, absent: nextTo(id), look: [...lookAt(await newest()), { path: "/prompt", headers }] };
};

/** Returns a session id that does not exist. */
function nextTo(id: string): string {
  return `s${(Number.parseInt(id.slice(1), 36) - 1).toString(36)}`;
}

export const nemo: Kind = async () => {
  const body = { responses_create_params: { input: [] }, split: "all", index: 3 };
  const { status, headers } = await send({ method: "POST", path: "/nemo-gym/textcraft/reset", body }, ada);
  expect(status).toBe(200);
  const [, id = ""] = /=(s\w+)\.0;/.exec(headers.getSetCookie()[0] ?? "") ?? [];
  marks.push(id);
  return { id, absent: nextTo(id), look: lookAt(await newest()) };
};

export const openenv: Kind = async () => {
  const made = await json<{ metadata: { episode_id: string } }>({
    method: "POST",
    path: "/openenv/textcraft/reset",
    body: {},
  });
  const id = made.metadata.episode_id;
  marks.push(id);
  return { id, absent: withZeros(id), look: lookAt(id) };
};

export const openenvSession: Kind = async () => {
  const made = await json<{ result: { session_id: string } }>(rpc("openenv/session/create", {}));
  const id = made.result.session_id;
  marks.push(id);
  return { id, absent: nextTo(id), look: [rpc("tools/list", { session_id: id })] };
};

export function rpc(method: string, params: object): Ask {
  return { method: "POST", path: "/openenv/textcraft/mcp", body: { jsonrpc: "2.0", id: 1, method, params } };
}

export const post = (path: string, body: unknown = {}, headers?: Record<string, string>): Ask => {
  return { method: "POST", path, body, ...(headers && { headers }) };
};

/** Follows the gym's events. */
export async function watch(token: string | undefined) {
  const ending = new AbortController();
  const headers = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const { body } = await fetch(`${url}/v1/events`, { headers, signal: ending.signal });
  let text = "";
  const reading = async () => {
    for await (const part of body as ReadableStream<Uint8Array>) text += Buffer.from(part).toString();
  };
  reading().catch(() => {});
  return { told: () => text, stop: () => ending.abort() };
}
