/** Steps per second, against the bare frameworks and, with `--peer`, another AgentGym server. */
import { fileURLToPath } from "node:url";
import { createWrapped } from "#palestra/envs/shared/wrappers/wrap.js";
import textcraft from "#palestra/envs/textcraft/index.js";
import { agentgymLoops, postJson } from "./agentgym-loops.js";
import { type HttpLoop, httpLoad, type Load, type Loop, socketLoad } from "./load.js";
import { type BenchResult, median } from "./report.js";
import { measure, type Scenario } from "./scenarios.js";
import { startBare, startPalestra } from "./servers.js";

export interface StepsOptions {
  /** URL of an AgentGym server of TextCraft to compare with. */
  peer?: string | undefined;
  rounds: number;
  seconds: number;
}

const addedModule = fileURLToPath(new URL("../fixtures/environments/added-textcraft.mjs", import.meta.url));
const connections = 64;
const batch = 64;
const batchSockets = 8;
/** Actions that never craft the goal of task 0, so that no episode ends. */
const actions = ["get 4 oak log", "inventory", "craft 3 oak wood using 4 oak log", "get 2 nothing of the kind", "look"];
const unlimited = 1_000_000_000;

export async function steps({ peer, rounds, seconds }: StepsOptions): Promise<BenchResult[]> {
  const servers = await Promise.all([
    startPalestra({}, [addedModule]),
    startBare("bare-fastify"),
    startBare("bare-ws"),
  ]);
  const [palestra, fastify, ws] = servers;
  try {
    const scenarios = [
      await bareHttp(fastify.url),
      await v1Http(palestra.url),
      bareSocket(ws.url),
      await v1Socket(palestra.url),
      await v1StepMany(palestra.url, "socket stepMany", "textcraft"),
      await v1StepMany(palestra.url, "socket stepMany in a process", "added-textcraft"),
      await agentgymHttp("agentgym http", `${palestra.url}/agentgym/textcraft`),
      ...(peer === undefined ? [] : [await agentgymHttp("peer", peer)]),
    ];
    const loads = await measure(scenarios, rounds, seconds);
    return [...results(loads), { name: "engine only", value: engineRate(seconds), unit: "steps/s" }];
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

function results(loads: Map<string, Load[]>): BenchResult[] {
  const middle = (name: string, figure: keyof Load) => median((loads.get(name) ?? []).map((load) => load[figure]));
  const against = (name: string, baseline: string, target: string): BenchResult => ({
    name: `${name} / ${baseline}`,
    value: middle(name, "rate"),
    unit: "steps/s",
    baseline: middle(baseline, "rate"),
    target,
  });
  const latency = (name: string): BenchResult[] => [
    { name: `${name} p50`, value: middle(name, "p50Ms"), unit: "ms" },
    { name: `${name} p99`, value: middle(name, "p99Ms"), unit: "ms" },
  ];
  return [
    against("http step", "bare fastify", ">= 0.6"),
    against("socket step", "bare ws", ">= 0.6"),
    against("socket stepMany", "socket step", ">= 5"),
    against("socket stepMany in a process", "socket stepMany", ">= 0.6"),
    ...(loads.has("peer")
      ? [
          against("agentgym http", "peer", ">= 6"),
          against("http step", "peer", ">= 6"),
          against("socket stepMany", "peer", ">= 40"),
        ]
      : [{ name: "agentgym http", value: middle("agentgym http", "rate"), unit: "steps/s" }]),
    ...[...loads.keys()].flatMap(latency),
  ];
}

async function bareHttp(url: string): Promise<Scenario> {
  const loops = times(connections, (i) => httpStepLoop(`ep-${i}`));
  return { name: "bare fastify", run: (seconds) => httpLoad(url, loops, seconds) };
}

async function v1Http(url: string): Promise<Scenario> {
  const loops = (await createEpisodes(url, connections)).map(httpStepLoop);
  return { name: "http step", run: (seconds) => httpLoad(url, loops, seconds) };
}

export function httpStepLoop(episodeId: string): HttpLoop {
  let index = 0;
  return {
    path: () => `/v1/episodes/${episodeId}/step`,
    next: () => JSON.stringify({ index, action: actionOf(index) }),
    received: (reply) => {
      index = (JSON.parse(reply) as { index: number }).index + 1;
    },
  };
}

function bareSocket(url: string): Scenario {
  const loops = times(connections, (i) => socketStepLoop(`ep-${i}`));
  return { name: "bare ws", run: (seconds) => socketLoad(socketUrl(url, ""), loops, seconds) };
}

async function v1Socket(url: string): Promise<Scenario> {
  const loops = (await createEpisodes(url, connections)).map(socketStepLoop);
  return { name: "socket step", run: (seconds) => socketLoad(socketUrl(url, "/v1/socket"), loops, seconds) };
}

export function socketStepLoop(episodeId: string): Loop {
  let index = 0;
  return {
    next: () => JSON.stringify({ id: index, op: "step", params: { episodeId, index, action: actionOf(index) } }),
    received: (reply) => {
      const { id, error } = JSON.parse(reply) as { id: number; error?: unknown };
      if (error) throw new Error(`expected a step reply, but received ${reply}`);
      index = id + 1;
    },
  };
}

async function v1StepMany(url: string, name: string, environment: string): Promise<Scenario> {
  const episodes = await createEpisodes(url, batchSockets * batch, { environment, task: { index: 0 } });
  const loops = times(batchSockets, (i) => stepManyLoop(episodes.slice(i * batch, (i + 1) * batch)));
  const endpoint = socketUrl(url, "/v1/socket");
  return { name, run: (seconds) => socketLoad(endpoint, loops, seconds, batch) };
}

export function stepManyLoop(episodes: string[]): Loop {
  let index = 0;
  return {
    next: () => {
      const steps = episodes.map((episodeId) => ({ episodeId, index, action: actionOf(index) }));
      return JSON.stringify({ id: index, op: "stepMany", params: { steps } });
    },
    received: (reply) => {
      const { result } = JSON.parse(reply) as { result: { results: { index?: number }[] } };
      if (result.results.some((step) => step.index !== index))
        throw new Error(`expected step ${index}, but received ${reply}`);
      index += 1;
    },
  };
}

async function agentgymHttp(name: string, base: string): Promise<Scenario> {
  const loops = await agentgymLoops(base, { connections, dataIndex: 0, actions });
  return { name, run: (seconds) => httpLoad(new URL(base).origin, loops, seconds) };
}

/** Measures the environment and its wrappers in this process, without a server. */
function engineRate(seconds: number): number {
  const environment = createWrapped(textcraft, { now: Date.now }, unlimited);
  environment.reset({ task: { split: "all", index: 0 }, seed: 0, options: {} });
  const startedAt = performance.now();
  let taken = 0;
  while (performance.now() - startedAt < seconds * 1_000) {
    for (let i = 0; i < 1_000; i++) environment.step(actionOf(taken++));
  }
  return (taken * 1_000) / (performance.now() - startedAt);
}

export async function createEpisodes(
  url: string,
  count: number,
  request: object = { environment: "textcraft", task: { index: 0 } },
): Promise<string[]> {
  const episodes = times(count, () => ({ ...request, maxSteps: unlimited }));
  const { results } = (await postJson(`${url}/v1/createMany`, { episodes })) as { results: { episodeId: string }[] };
  return results.map(({ episodeId }) => episodeId);
}

export function socketUrl(url: string, path: string): string {
  return url.replace(/^http/, "ws") + path;
}

function actionOf(index: number): string {
  return actions[index % actions.length] as string;
}

function times<T>(count: number, make: (i: number) => T): T[] {
  return Array.from({ length: count }, (_, i) => make(i));
}
