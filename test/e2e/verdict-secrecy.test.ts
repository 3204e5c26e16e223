/** A player without the right `expert` never receives the verdict on an episode, over any protocol. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { withTokens } from "#palestra/server/app/gym-state.js";
import { localTokenFile } from "#palestra/server/tokens/local-token.js";
import { EventClient } from "../support/events.js";
import { eventually } from "../support/gym.js";
import { message, NemoRollout } from "../support/nemo.js";
import { eventsIn, OrsClient } from "../support/ors.js";
import { type RunningServer, scratchDir, startGym } from "../support/server-process.js";
import { connect, scratch, serve } from "../support/serving.js";

const environment = "searchqa";
/** A task whose answer stands in no other text of the gym that the clients read. */
const task = { split: "bundled", index: 3 };
const wrong = "a guess without a search";
const action = `<answer>${wrong}</answer>`;
/** Limit on the steps of the environment. */
const steps = 10;

/** The last step of an episode, and a part of its verdict. */
interface Ending {
  steps: number;
  action: string;
  why: string;
}

const wrongAnswers: Ending = { steps, action, why: `Gave ${steps} wrong answers, the last ${wrong}, expected ` };
/** An episode over AgentGym's routes has no limit on steps, so it fails by a wrong action in ScienceWorld. */
const wrongFocus: Ending = { steps: 1, action: "focus on air", why: `Failed the task with the action "focus on air"` };

type Headers = Record<string, string>;

/** All that the clients of this file have received. */
const received: string[] = [];

beforeEach(() => {
  received.length = 0;
  const send = globalThis.fetch;
  vi.spyOn(globalThis, "fetch").mockImplementation(async (...request) => {
    const response = await send(...request);
    received.push(JSON.stringify([...response.headers]));
    void keep(response.clone());
    return response;
  });
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Keeps each piece as it arrives, since a stream of events has no end. */
async function keep({ body }: Response): Promise<void> {
  const decoder = new TextDecoder();
  try {
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>)
      received.push(decoder.decode(piece, { stream: true }));
  } catch {
    // The client has closed the stream.
  }
}

async function post(url: string, body: object, headers: Headers) {
  const sent = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
  const reply = await fetch(url, { method: "POST", headers: sent, body: JSON.stringify(body) });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${reply.status} of ${url}: ${text}`);
  return JSON.parse(/^[{[0-9]/.test(text) ? text : (eventsIn(text).at(-1)?.data ?? text));
}

async function get(url: string, headers: Headers) {
  const reply = await fetch(url, { headers });
  const text = await reply.text();
  if (reply.status !== 200) throw new Error(`${reply.status} of ${url}: ${text}`);
  return text;
}

/** Plays wrong answers until the limit on steps ends the episode. */
type Player = (url: string, headers: Headers) => Promise<void>;

const players: Record<string, Player> = {
  async "/v1 over HTTP"(url, headers) {
    const { episodeId } = await post(`${url}/v1/episodes`, { environment, task }, headers);
    const episode = `${url}/v1/episodes/${episodeId}`;
    for (let index = 0; index < steps; index++) await post(`${episode}/step`, { index, action }, headers);
    // A repeated step returns the stored reply.
    await post(`${episode}/step`, { index: steps - 1, action }, headers);
  },

  async "/v1/socket"(url, headers) {
    const socket = await connect(url, { headers });
    socket.raw.on("message", (data) => received.push(String(data)));
    const { episodeId } = await socket.request<{ episodeId: string }>("create", { environment, task });
    for (let index = 0; index < steps; index++) await socket.request("step", { episodeId, index, action });
    for (const name of ["get", "transcript", "opening"]) await socket.request(name, { episodeId });
    await socket.request("list", { detail: "state" });
  },

  async AgentGym(url, headers) {
    const base = `${url}/agentgym/sciworld`;
    const { id } = await post(`${base}/create`, {}, headers);
    await post(`${base}/reset`, { id, data_idx: 0 }, headers);
    expect(await post(`${base}/step`, { id, action: wrongFocus.action }, headers)).toMatchObject({ done: true });
    await get(`${base}/observation?id=${id}`, headers);
    await get(`${base}/detail?id=${id}`, headers);
  },

  async OpenEnv(url, headers) {
    const base = `${url}/openenv/${environment}`;
    const { metadata } = await post(`${base}/reset`, task, headers);
    const { episode_id } = metadata;
    for (let at = 0; at < steps; at++) await post(`${base}/step`, { episode_id, action: { message: action } }, headers);
  },

  async "Open Reward Standard"(url, headers) {
    const client = new OrsClient(url, environment, headers);
    const session = await client.begin(task);
    for (let at = 0; at < steps; at++) await client.call(session, { name: "answer", input: { answer: wrong } });
  },

  async "Model Context Protocol"(url, headers) {
    const ask = async (method: string, params: object) => {
      const version = { "mcp-protocol-version": "2025-06-18" };
      return (await post(`${url}/mcp`, { jsonrpc: "2.0", id: 1, method, params }, { ...headers, ...version })).result;
    };
    const call = async (name: string, given: object) => {
      const result = await ask("tools/call", { name, arguments: given });
      if (result.isError) throw new Error(JSON.stringify(result));
      return result.structuredContent;
    };
    const { episode } = await call("start_episode", { environment, ...task });
    for (let at = 0; at < steps; at++) await call("act", { episode, action });
    await ask("resources/read", { uri: `palestra://episodes/${episode}/transcript` });
  },

  async "NeMo Gym"(url, headers) {
    const rollout = new NemoRollout(`${url}/nemo-gym/${environment}`, headers);
    await rollout.reset(task);
    for (let at = 0; at < steps; at++) expect((await rollout.step([message(action)])).status).toBe(200);
  },
};

interface Read {
  episodeId: string;
  outcome: string;
  verdict: { why: string; expected: string[] } | null;
}

const formats = ["html", "eval", "atif", "json", "openai", "agentgym", "steps", "preferences"];

/** Reads an ended episode in all ways, and forks it before its last step to end it once more. Returns both ids. */
async function readAll(url: string, headers: Headers, { steps, action }: Ending): Promise<string[]> {
  const { episodes } = JSON.parse(await get(`${url}/v1/episodes?detail=state`, headers)) as { episodes: Read[] };
  const [{ episodeId }] = episodes as [Read];
  const episode = `${url}/v1/episodes/${episodeId}`;
  const fork = await post(`${episode}/fork`, { index: steps - 1 }, headers);
  await post(`${url}/v1/episodes/${fork.episodeId}/step`, { index: steps - 1, action }, headers);
  for (const order of ["newest", "highest", "lowest", "longest"])
    await get(`${url}/v1/episodes?detail=state&outcome=failed&order=${order}`, headers);
  for (const part of ["", "/opening", "/transcript", "/export?format=json", "/export?format=html"])
    await get(`${episode}${part}`, headers);
  for (const format of formats) await fetch(`${url}/v1/export`, jsonOf({ format }, headers)).then((it) => it.text());
  await fetch(`${episode}/replay`, { method: "POST", headers }).then((reply) => reply.text());
  await fetch(`${episode}/expert`, { headers }).then((reply) => reply.text());
  for (const stream of [`${episode}/events`, `${url}/v1/events?episode=${episodeId}`]) {
    const client = await EventClient.connect(stream, headers);
    await eventually(() => client.indexes.length === steps || client.indexes.includes(steps - 1));
    client.disconnect();
  }
  return [episodeId, fork.episodeId];
}

function jsonOf(body: object, headers: Headers): RequestInit {
  return { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/** Returns the parts of a sentence that every format writes in the same way. */
function piecesOf(why: string): string[] {
  return why.split('"').filter((piece, at) => at % 2 === 0 && piece.length > 1);
}

/** Returns the headers of the gym's own user, who owns the episodes of callers without a token and has all rights. */
function ownUser(dataDir: string): Headers {
  const { token } = JSON.parse(readFileSync(join(dataDir, localTokenFile), "utf8")) as { token: string };
  return { authorization: `Bearer ${token}` };
}

async function readEpisode(url: string, episodeId: string, headers: Headers): Promise<Read> {
  return JSON.parse(await get(`${url}/v1/episodes/${episodeId}`, headers)) as Read;
}

describe("a player without the right `expert` receives neither the expected answer nor the sentence", () => {
  const { path: dataDir, remove } = scratchDir();
  let gym: RunningServer;
  beforeAll(async () => {
    gym = await startGym({ dataDir, showErrors: true });
    return async () => {
      await gym.process.kill();
      remove();
    };
  });

  test.each(Object.entries(players))(
    "%s",
    async (name, play) => {
      const { url } = gym;
      await play(url, {});
      const ending = name === "AgentGym" ? wrongFocus : wrongAnswers;
      const ids = await readAll(url, {}, ending);
      const all = received.join("\n");
      const withRight = ownUser(dataDir);
      for (const episodeId of ids) {
        const { outcome, verdict } = await readEpisode(url, episodeId, withRight);
        expect(outcome).toBe("failed");
        expect(verdict?.why).toContain(ending.why);
        const secrets = [...piecesOf(verdict?.why as string), ...[verdict?.expected ?? []].flat()];
        expect(secrets.length).toBeGreaterThan(1);
        // The clients with the right have received them all, so that the search would find them.
        const told = received.join("\n");
        for (const secret of secrets)
          expect([all.includes(secret), told.includes(secret)], secret).toEqual([false, true]);
        expect(await readEpisode(url, episodeId, {})).toMatchObject({ outcome: "failed", verdict: null });
      }
      expect(all).toContain(name === "AgentGym" ? "You focus on the air." : "Please try again.");
    },
    120_000,
  );
});

test("a token without the right reads null, one with the right reads the verdict, also after a restart of the gym", async () => {
  const dataDir = scratch();
  const [plain, expert] = await withTokens(
    { dataDir, log: {} },
    () => {},
    async ({ tokens }) => {
      const headers = async (rights: "expert"[]) => {
        const { secret } = await tokens.create({ name: `ada ${rights.length}`, rights, maxEpisodes: 10 });
        return { authorization: `Bearer ${secret}` };
      };
      return [await headers([]), await headers(["expert"])] as const;
    },
  );
  const first = await serve({ dataDir });
  const before: { headers: Headers; episodes: Read[] }[] = [];
  for (const headers of [plain, expert]) {
    await players["/v1 over HTTP"]?.(first.url, headers);
    const ids = await readAll(first.url, headers, wrongAnswers);
    const episodes = await Promise.all(ids.map((id) => readEpisode(first.url, id, headers)));
    before.push({ headers, episodes });
  }
  expect(before[0]?.episodes.map(({ verdict }) => verdict)).toEqual([null, null]);
  const [original, fork] = before[1]?.episodes ?? [];
  expect(original?.verdict?.why).toContain("wrong answers");
  expect(fork?.verdict).toEqual(original?.verdict);

  await first.process.kill();
  const second = await serve({ dataDir });
  onTestFinished(() => void second.process.kill());
  for (const { headers, episodes } of before)
    for (const episode of episodes)
      expect(await readEpisode(second.url, episode.episodeId, headers)).toMatchObject({
        outcome: episode.outcome,
        verdict: episode.verdict,
      });
}, 120_000);

test("an episode that is restored in the middle ends with the same verdict", async () => {
  const dataDir = scratch();
  const play = async (url: string, episodeId: string, from: number, end: number) => {
    for (let index = from; index < end; index++)
      await post(`${url}/v1/episodes/${episodeId}/step`, { index, action }, ownUser(dataDir));
  };
  const first = await serve({ dataDir });
  const create = () => post(`${first.url}/v1/episodes`, { environment, task }, ownUser(dataDir));
  const [whole, halved] = [await create(), await create()];
  await play(first.url, whole.episodeId, 0, steps);
  await play(first.url, halved.episodeId, 0, steps / 2);
  const { verdict } = await readEpisode(first.url, whole.episodeId, ownUser(dataDir));
  await first.process.kill();
  const { url } = await serve({ dataDir });
  await play(url, halved.episodeId, steps / 2, steps);
  expect((await readEpisode(url, halved.episodeId, ownUser(dataDir))).verdict).toEqual(verdict);
  expect(verdict?.why).toContain("Gave 10 wrong answers");
}, 120_000);
