/** Formats of actions: what a model writes is read in the same way in every protocol, and is kept in the log. */
import { beforeAll, describe, expect, test } from "vitest";
import textcraft from "#palestra/envs/textcraft/index.js";
import type { EpisodeFormat } from "#palestra/server/formats/actions/action-formats.js";
import type { Tool } from "#palestra/trainer/gym/gym.js";
import { fixture } from "../support/gym.js";
import { message, NemoRollout } from "../support/nemo.js";
import { eventsIn } from "../support/ors.js";
import { replyForms } from "../support/reply-forms.js";
import { type RunningServer, scratchDir, startGym } from "../support/server-process.js";
import { connect, scratch, serve } from "../support/serving.js";
import { script } from "../support/textcraft-scripts.js";

const tools = textcraft.tools as unknown as readonly Tool[];
const { task, actions } = script(3, 6);
const nothing = "Thought: I do not know what to do.";

interface Step {
  index: number;
  action: string;
  read?: string | null;
  observation: string;
  reward: number;
}

/** Sends a request with JSON, and returns the reply's JSON, or the JSON of its first event. */
async function post(url: string, body: object, headers: Record<string, string> = {}) {
  const sent = { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers };
  const reply = await fetch(url, { method: "POST", headers: sent, body: JSON.stringify(body) });
  const text = await reply.text();
  const json = text.startsWith("{") ? text : (eventsIn(text).at(-1)?.data ?? text);
  if (reply.status !== 200 && reply.status !== 201) throw new Error(`${reply.status} of ${url}: ${text}`);
  return JSON.parse(json);
}

async function stepsOf(url: string, episodeId: string): Promise<Step[]> {
  const reply = await fetch(`${url}/v1/episodes/${episodeId}/transcript`);
  return ((await reply.json()) as { steps: Step[] }).steps;
}

/** Plays an episode again, and returns the verdict. */
async function proofOf(url: string, episodeId: string) {
  const reply = await fetch(`${url}/v1/episodes/${episodeId}/replay`, { method: "POST" });
  return JSON.parse((await reply.text()).trim().split("\n").at(-1) as string);
}

/** Plays texts over a protocol in a format, and returns the id of the episode. */
type Player = (url: string, format: EpisodeFormat | undefined, texts: readonly string[]) => Promise<string>;

const players: Record<string, Player> = {
  async "/v1 over HTTP"(url, format, texts) {
    const { episodeId } = await post(`${url}/v1/episodes`, { environment: "textcraft", task, format });
    for (const [index, action] of texts.entries())
      await post(`${url}/v1/episodes/${episodeId}/step`, { index, action });
    return episodeId;
  },

  async "the socket"(url, format, texts) {
    const socket = await connect(url);
    const { episodeId } = await socket.request<{ episodeId: string }>("create", {
      environment: "textcraft",
      task,
      format,
    });
    for (const [index, action] of texts.entries()) await socket.request("step", { episodeId, index, action });
    return episodeId;
  },

  async stepMany(url, format, texts) {
    const { results } = await post(`${url}/v1/createMany`, {
      episodes: [{ environment: "textcraft", task, format }],
    });
    const [{ episodeId }] = results;
    const steps = texts.map((action, index) => ({ episodeId, index, action }));
    await post(`${url}/v1/stepMany`, { steps });
    return episodeId;
  },

  async OpenEnv(url, format, texts) {
    const { metadata } = await post(`${url}/openenv/textcraft/reset`, { ...task, format });
    const { episode_id } = metadata;
    for (const text of texts) await post(`${url}/openenv/textcraft/step`, { episode_id, action: { message: text } });
    return episode_id;
  },

  async MCP(url, format, texts) {
    const headers = { "mcp-protocol-version": "2025-06-18" };
    const call = async (name: string, given: object) => {
      const params = { name, arguments: given };
      const { result } = await post(`${url}/mcp`, { jsonrpc: "2.0", id: 1, method: "tools/call", params }, headers);
      if (result.isError) throw new Error(JSON.stringify(result));
      return result.structuredContent;
    };
    const { episode } = await call("start_episode", { environment: "textcraft", ...task, format });
    for (const action of texts) await call("act", { episode, action });
    return episode;
  },

  async "NeMo Gym"(url, format, texts) {
    const rollout = new NemoRollout(`${url}/nemo-gym/textcraft`);
    const { body } = await rollout.reset({ ...task, format });
    for (const text of texts) await rollout.step([message(text)]);
    return body.info.episode_id;
  },
};

let gym: RunningServer;

beforeAll(async () => {
  const { path, remove } = scratchDir();
  gym = await startGym({ dataDir: path, environmentModules: [fixture("patient")] });
  return async () => {
    await gym.process.kill();
    remove();
  };
});

describe("the same texts are read alike over all protocols", () => {
  test.each(replyForms)("$name", async ({ format, write }) => {
    const { url } = gym;
    const texts = [...actions.map((action) => write(action, tools)), nothing];
    const plain = await stepsOf(url, await (players["/v1 over HTTP"] as Player)(url, "plain", actions));
    expect(plain.some(({ read }) => read !== undefined)).toBe(false);
    for (const [name, play] of Object.entries(players)) {
      const steps = await stepsOf(url, await play(url, format, texts));
      expect(
        steps.map(({ action }) => action),
        name,
      ).toEqual(texts);
      expect(
        steps.map(({ read }) => read),
        name,
      ).toEqual([...actions, null]);
      expect(steps.map(({ observation }) => observation).slice(0, -1), name).toEqual(
        plain.map(({ observation }) => observation),
      );
      expect(steps.at(-1)?.observation, name).toMatch(/^Error: expected /);
    }
  });
});

const aloud = `Thought:\nI look.\n\nAction:\n${actions[0]}`;

describe("an episode whose opening names no format", () => {
  test("takes the text as the action on /v1", async () => {
    const { episodeId, format } = await post(`${gym.url}/v1/episodes`, { environment: "textcraft", task });
    expect(format).toBe("plain");
    const step = await post(`${gym.url}/v1/episodes/${episodeId}/step`, { index: 0, action: aloud });
    expect(step).not.toHaveProperty("read");
    expect(step.observation).toMatch(/^Could not execute/);
  });

  test.each(["OpenEnv", "MCP", "NeMo Gym"])(
    "reads the form of the prompt over %s, and plain actions too",
    async (name) => {
      const texts = [aloud, actions[1] as string];
      const id = await (players[name] as Player)(gym.url, undefined, texts);
      expect((await stepsOf(gym.url, id)).map(({ read }) => read)).toEqual(actions.slice(0, 2));
    },
  );
});

describe("an episode with a format", () => {
  const open = async (url: string, body: object = {}) =>
    (await post(`${url}/v1/episodes`, { environment: "textcraft", task, format: "react", ...body }))
      .episodeId as string;
  const step = (url: string, id: string, index: number, action: string) =>
    post(`${url}/v1/episodes/${id}/step`, { index, action });

  test("goes on after the gym was killed, and is proved by a replay", { timeout: 60_000 }, async () => {
    const dataDir = scratch();
    const first = await serve({ dataDir });
    const id = await open(first.url);
    await step(first.url, id, 0, aloud);
    await step(first.url, id, 1, nothing);
    await first.process.kill();
    const { url } = await serve({ dataDir });
    const next = await step(url, id, 2, `Action: ${actions[1]}`);
    expect(next.read).toBe(actions[1]);
    expect(await proofOf(url, id)).toEqual({ steps: 3, proved: true });
  });

  test("keeps its format in a fork", async () => {
    const id = await open(gym.url);
    await step(gym.url, id, 0, aloud);
    for (const index of [0, 1]) {
      const fork = await post(`${gym.url}/v1/episodes/${id}/fork`, { index });
      expect(fork.format).toBe("react");
      const { read } = await step(gym.url, fork.episodeId, index, `Action: ${actions[1]}`);
      expect(read).toBe(actions[1]);
    }
  });

  test("takes a repeated text once, and refuses another text for the same step", async () => {
    const id = await open(gym.url);
    const reply = await step(gym.url, id, 0, aloud);
    expect(await step(gym.url, id, 0, aloud)).toEqual(reply);
    await expect(step(gym.url, id, 0, `Action: ${actions[0]}`)).rejects.toThrow("STEP_CONFLICT");
  });

  test("counts a text without an action as a step of its limit", async () => {
    const id = await open(gym.url, { maxSteps: 2 });
    await step(gym.url, id, 0, nothing);
    expect(await step(gym.url, id, 1, nothing)).toMatchObject({ read: null, terminated: false, truncated: true });
  });

  test("of an asynchronous environment is read, and replayed with recorded answers", async () => {
    const id = await open(gym.url, { environment: "patient@elsewhere", task: { index: 0 } });
    expect(await step(gym.url, id, 0, "Thought: what time?\nAction: clock")).toMatchObject({ read: "clock" });
    expect(await step(gym.url, id, 1, nothing)).toMatchObject({ read: null });
    expect(await proofOf(gym.url, id)).toEqual({ steps: 2, proved: true });
  });

  test.each(["plain", "react", "tool_call", "code"])(
    "takes calls that a client sends apart from the text: %s",
    async (format) => {
      const opened = await post(`${gym.url}/openenv/textcraft/reset`, { ...task, format });
      const { episode_id } = opened.metadata;
      const action = { type: "call_tool", tool_name: "get", arguments: { count: 2, item: "Action: dirt" } };
      await post(`${gym.url}/openenv/textcraft/step`, { episode_id, action });
      const [taken] = await stepsOf(gym.url, episode_id);
      expect(taken?.read ?? taken?.action).toBe("get 2 Action: dirt");
    },
  );

  test("of an environment without tools is played by the tool `act`", async () => {
    const id = await open(gym.url, { environment: "patient@elsewhere", task: { index: 0 }, format: "tool_call" });
    const call = '{"name": "act", "arguments": {"action": "wait 1"}}';
    expect(await step(gym.url, id, 0, `<tool_call>${call}</tool_call>`)).toMatchObject({ read: "wait 1" });
  });

  test("shows the format in the prompt, unless the prompt asks for it already", async () => {
    const promptIn = async (format: EpisodeFormat) =>
      (await post(`${gym.url}/v1/episodes`, { environment: "textcraft", task, format })).prompt as string;
    expect(await promptIn("react")).toBe(await promptIn("plain"));
    expect(await promptIn("tool_call")).toContain('<tool_call>\n{"name": "function name"');
    expect(await promptIn("code")).toContain("craft(count: int, item: str, ingredients: list[str])");
  });

  test("with an unknown format is refused", async () => {
    await expect(open(gym.url, { format: "json" })).rejects.toThrow(/400 .*expected one of/);
  });
});
