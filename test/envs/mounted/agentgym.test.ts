/** The dialects of AgentGym's servers, tested with fake servers that follow the sources of the real ones. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import type { AsyncEnvironment } from "#palestra/envs/env.js";
import { mountedEnvironment } from "#palestra/envs/mounted/index.js";

type Replies = Record<string, unknown>;

interface Imitation {
  url: string;
  /** Requests as `METHOD path body`. */
  requests: string[];
}

async function imitate(replies: Replies): Promise<Imitation> {
  const requests: string[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    const path = (request.url ?? "").replace(/^\//, "");
    requests.push(`${request.method} ${path}${body && ` ${body}`}`);
    const reply = replies[path.replace(/\?.*/, "")];
    if (reply === undefined) response.writeHead(404).end("{}");
    else response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(reply));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const signal = new AbortController().signal;

async function play(name: string, replies: Replies, action = "go") {
  const { url, requests } = await imitate({ "": "ok", ...replies });
  const { spec } = await mountedEnvironment(JSON.stringify({ mount: `remote=agentgym/${name}:${url}` }));
  requests.length = 0;
  const environment: AsyncEnvironment = spec.create({} as never);
  const task = { split: "agentgym", index: 7 };
  const start = await environment.reset({ task, seed: 0, options: {} }, signal);
  const step = await environment.step(action, signal);
  await environment.close();
  return { start: start.observation, step, requests };
}

const state = { observation: "seen", reward: 0.5, done: true };
const outcome = { observation: "seen", reward: 0.5, terminated: true, truncated: false };

interface Case {
  replies: Replies;
  requests: string[];
  start?: string;
}

const tool: Case = {
  replies: { create: 3, reset: "start", step: state },
  requests: ['POST create {"id":0}', 'POST reset {"id":7,"env_idx":3}', 'POST step {"action":"go","env_idx":3}'],
};

const cases: Record<string, Case> = {
  textcraft: {
    replies: {
      create: { id: 3, observation: "other", done: false, reward: 0 },
      reset: { observation: "start" },
      step: state,
      close: true,
    },
    requests: [
      'POST create {"commands":null,"goal":null}',
      'POST reset {"data_idx":7,"id":3}',
      'POST step {"action":"go","id":3}',
      'POST close {"id":3}',
    ],
  },
  babyai: {
    replies: {
      create: { id: 3 },
      reset: { observation: "start", reward: 0, score: 0, done: false },
      step: { observation: "seen", reward: 0.1, score: 0.5, done: true },
      close: true,
    },
    requests: [
      "POST create",
      'POST reset {"data_idx":7,"id":3}',
      'POST step {"action":"go","id":3}',
      'POST close {"id":3}',
    ],
  },
  sciworld: {
    replies: {
      create: { id: 3 },
      reset: {
        task_name: "boil",
        var_num: 1,
        task_description: "Boil.",
        observation: "Hall",
        reward: 0,
        score: 3,
        done: false,
      },
      step: { observation: "seen", reward: 0, score: 0.5, done: true },
      close: true,
    },
    requests: [
      "POST create",
      'POST reset {"data_idx":7,"id":3}',
      'POST step {"action":"go","id":3}',
      'POST close {"id":3}',
    ],
    start: "Boil.\nHall",
  },
  alfworld: {
    replies: {
      create: { id: 3 },
      reset: { id: 3, observation: "start", available_actions: ["look", "go"], task_type: "x" },
      step: { ...state, available_actions: ["look"] },
    },
    requests: ["POST create", 'POST reset {"game":7,"world_type":"Text","id":3}', 'POST step {"action":"go","id":3}'],
    start: "start\nAVAILABLE ACTIONS: look,go",
  },
  webshop: {
    replies: {
      create: 3,
      reset: ["old", null],
      observation: "start",
      step: { state: "seen", reward: 0.5, done: true, info: null },
    },
    requests: [
      "POST create",
      'POST reset {"session_id":7,"env_idx":3}',
      "GET observation?env_idx=3",
      'POST step {"action":"go","env_idx":3}',
    ],
  },
  sqlgym: {
    replies: {
      create: 3,
      reset: ["start", null],
      observation: "start",
      step: { state: "seen", reward: 0.5, done: true, info: null },
    },
    requests: [
      "POST create",
      'POST reset {"item_id":7,"env_idx":3}',
      "GET observation?env_idx=3",
      'POST step {"action":"go","env_idx":3}',
    ],
  },
  maze: {
    replies: { create: { id: 3 }, reset: { observation: "start" }, step: state },
    requests: ["POST create", 'POST reset {"game":7,"id":3}', 'POST step {"action":"go","id":3}'],
  },
  wordle: {
    replies: {
      create: { id: 3 },
      reset: { id: 3, observation: "start" },
      filtered_vocab: ["crane", "slate"],
      step: state,
    },
    requests: [
      "POST create",
      'POST reset {"seed":7,"id":3}',
      "GET filtered_vocab?id=3",
      'POST step {"action":"go","id":3}',
    ],
    start: "start\n\ncrane\nslate",
  },
  searchqa: {
    replies: { ...tool.replies, step: { ...state, info: null }, close: true },
    requests: [...tool.requests, 'POST close {"env_idx":3}'],
  },
  webarena: {
    replies: {
      create: { env_idx: 3 },
      reset: { observation: "tree", sites: [], object: "Buy." },
      observation: "start",
      step: { observation: "seen", reward: 0.5, terminated: true, truncated: false, info: null },
      close: { closed: "closed" },
    },
    requests: [
      "POST create",
      'POST reset {"seed":0,"idx":7,"env_idx":3}',
      "GET observation?env_idx=3",
      'POST step {"action":"go","env_idx":3}',
      'POST close {"env_idx":3}',
    ],
  },
  weather: tool,
  movie: tool,
  academia: tool,
  todo: tool,
  sheet: tool,
};

test.each(Object.entries(cases))("%s", async (name, { replies, requests, start = "start" }) => {
  const played = await play(name, replies);
  expect(played.requests).toEqual(requests);
  expect(played.start).toBe(start);
  expect(played.step).toMatchObject(outcome);
});

test("the ids of a server that cannot close episodes are reused", async () => {
  const { url, requests } = await imitate({ "": "ok", ...(cases.maze as Case).replies });
  const { spec } = await mountedEnvironment(JSON.stringify({ mount: `again=agentgym/maze:${url}` }));
  for (let index = 0; index < 3; index++) {
    const environment = spec.create({} as never);
    await environment.reset({ task: { split: "agentgym", index }, seed: 0, options: {} }, signal);
    await environment.close();
  }
  expect(requests.filter((request) => request === "POST create")).toHaveLength(1);
});

test("a restarted server gives no episode the steps of another", async () => {
  const { url, requests } = await imitate({ "": "ok", ...(cases.textcraft as Case).replies });
  const { spec } = await mountedEnvironment(JSON.stringify({ mount: `restarted=agentgym/textcraft:${url}` }));
  const begin = async (index: number): Promise<AsyncEnvironment> => {
    const environment = spec.create({} as never);
    await environment.reset({ task: { split: "agentgym", index }, seed: 0, options: {} }, signal);
    return environment;
  };
  const before = await begin(0);
  // The fake server gives out the same id again, like a restarted server.
  const after = await begin(1);
  requests.length = 0;
  await expect(before.step("go", signal)).rejects.toMatchObject({ name: "ServiceFailed" });
  await before.close();
  expect(requests).toEqual([]);
  expect(await after.step("go", signal)).toMatchObject(outcome);
  await after.close();
  expect(requests).toEqual(['POST step {"action":"go","id":3}', 'POST close {"id":3}']);
});

test.each([
  ["an error with status 200", "textcraft", { step: { error: "The task has finished." } }, /The task has finished/],
  ["a reward that is text", "textcraft", { step: { ...state, reward: "1" } }, /the reward "1"/],
  ["an end that is no boolean", "textcraft", { step: { ...state, done: "yes" } }, /"done":"yes"/],
  ["an observation that is no text", "textcraft", { step: { ...state, observation: { a: 1 } } }, /of the type object/],
  ["a list", "textcraft", { step: [1] }, /\[1\]/],
  ["no id", "babyai", { create: {} }, /to create, but received \{\}/],
  ["a failed reset of WebArena", "webarena", { observation: "TimeoutError" }, /TimeoutError/],
  ["a missing task description", "sciworld", { reset: { observation: "Hall" } }, /of the type undefined/],
])("%s is a failure of the server", async (_, name, replies, message) => {
  const failed = play(name, { ...(cases[name] as Case).replies, ...replies });
  await expect(failed).rejects.toThrow(message);
  await expect(failed).rejects.toMatchObject({ name: "ServiceFailed" });
});

test.each([
  ["This is environment TextCraft.", "TextCraft"],
  ["This is environment BabyAI.", "BabyAI"],
])("the greeting %s names the dialect", async (greeting, title) => {
  const { url } = await imitate({ "": greeting });
  const { spec } = await mountedEnvironment(JSON.stringify({ mount: `remote=${url}` }));
  expect(spec.summary).toMatch(title);
});

test("a server that does not name its environment requires an explicit dialect", async () => {
  const { url } = await imitate({ "": "ok" });
  const mounted = mountedEnvironment(JSON.stringify({ mount: `remote=${url}` }));
  await expect(mounted).rejects.toThrow(/remote=agentgym\/webshop:URL.*The dialects are textcraft/);
});

test("a server of another kind is refused", async () => {
  const { url } = await imitate({ "": { hello: "world" } });
  const mounted = mountedEnvironment(JSON.stringify({ mount: `remote=${url}` }));
  await expect(mounted).rejects.toThrow(/a server of another kind\. A mount is NAME=agentgym:URL/);
});
