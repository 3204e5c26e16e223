/** An episode has the same bytes over every protocol that serves the environment, with text actions and with calls of tools. */
import { expect, test } from "vitest";
import service from "#palestra/envs/service/index.js";
import { callOf } from "#palestra/server/formats/actions/tool-call.js";
import { openGym } from "../../support/gym.js";
import { InjectedSocket } from "../../support/injected-socket.js";
import { OrsClient } from "../../support/ors.js";
import { expert, type Player, play } from "./players.js";

const gym = await openGym({});
const environment = "service";

interface Results {
  observations: string[];
  /** Sum of all rewards. */
  reward: number;
}

interface Task {
  task: { split: string; index: number };
  seed: number;
  actions: readonly string[];
}

async function inProcess({ task, seed, actions }: Task): Promise<Results> {
  const instance = service.create({ now: () => 0 });
  const { observation } = instance.reset({ task, seed, options: {} });
  const steps = actions.map((action) => instance.step(action));
  return { observations: [observation, ...steps.map((step) => step.observation)], reward: sum(steps) };
}

async function http({ task, seed, actions }: Task): Promise<Results> {
  const { episodeId, observation } = await gym.create({ environment, task, seed });
  const steps = [];
  for (const [index, action] of actions.entries()) steps.push(JSON.parse(await gym.step(episodeId, index, action)));
  return { observations: [observation, ...steps.map((step) => step.observation)], reward: sum(steps) };
}

async function socket({ task, seed, actions }: Task): Promise<Results> {
  const client = await InjectedSocket.open(gym);
  const { episodeId, observation } = JSON.parse(await client.text("create", { environment, task, seed }));
  const steps = [];
  for (const [index, action] of actions.entries())
    steps.push(JSON.parse(await client.text("step", { episodeId, index, action })));
  return { observations: [observation, ...steps.map((step) => step.observation)], reward: sum(steps) };
}

/** The agent calls tools, whose calls the gym writes as actions. */
async function toolCalls({ task, seed, actions }: Task): Promise<Results> {
  const { episodeId, observation } = await gym.create({ environment, task, seed, format: "tool_call" });
  const steps = [];
  for (const [index, action] of actions.entries()) {
    const call = callOf(action, service.tools ?? []);
    const written = `<tool_call>\n${JSON.stringify(call)}\n</tool_call>`;
    steps.push(JSON.parse(await gym.step(episodeId, index, written)));
  }
  return { observations: [observation, ...steps.map((step) => step.observation)], reward: sum(steps) };
}

async function openEnv({ task, seed, actions }: Task): Promise<Results> {
  const client = await InjectedSocket.open(gym, {}, `/openenv/${environment}/ws`);
  // biome-ignore lint/suspicious/noExplicitAny: replies of another protocol
  const ask = async (frame: object) => (await client.exchange(frame)) as any;
  const start = await ask({ type: "reset", data: { ...task, seed } });
  const observations = [start.data.observation.text];
  let reward = 0;
  for (const message of actions) {
    const { data } = await ask({ type: "step", data: { message } });
    observations.push(data.observation.text);
    reward += data.reward ?? 0;
  }
  return { observations, reward };
}

async function ors({ task, seed, actions }: Task): Promise<Results> {
  const url = gym.app.server.listening ? address() : await gym.app.listen({ port: 0, host: "127.0.0.1" });
  const client = new OrsClient(url, environment);
  const session = await client.begin({ task_spec: { ...task, seed } });
  const prompt = await client.json("GET", "/prompt", undefined, session);
  const observations = [prompt.at(-1).text];
  let reward = 0;
  for (const action of actions) {
    const { name = "", arguments: input = {} } = callOf(action, service.tools ?? []) ?? {};
    const { output } = await client.call(session, { name, input });
    observations.push(output?.blocks[0]?.text ?? "");
    reward += output?.reward ?? 0;
  }
  return { observations, reward };
}

function address(): string {
  const { port } = gym.app.server.address() as { port: number };
  return `http://127.0.0.1:${port}`;
}

function sum(steps: readonly { reward: number }[]): number {
  return steps.reduce((total, { reward }) => total + reward, 0);
}

/** An agent that asks needlessly, writes nonsense, and calls wrongly, and then plays as the expert would have. */
const clumsy: Player = (instance, step) => {
  const mistakes = [
    "say What is the reason?",
    "say Aisle or window?",
    "say fhqwhgads",
    "cancel_order A1",
    "say Is there anything else?",
  ];
  return mistakes[step] ?? (step < 12 ? (expert(instance, step) ?? "end_conversation") : "end_conversation");
};

const tasks = ["orders", "refunds", "bookings"].flatMap((split) =>
  [expert, clumsy].map((player, index) => ({ split, index: 4 + index, player, seed: index })),
);

test.each(tasks)("$split:$index", async ({ split, index, player, seed }) => {
  const actions: string[] = [];
  const noted: Player = (instance, step) => {
    const action = player(instance, step);
    if (action !== null) actions.push(action);
    return action;
  };
  play(split, index, noted, seed);
  const task = { task: { split, index }, seed, actions };
  const results = await inProcess(task);
  expect(results.observations.at(-1)).toMatch(/conversation has ended/);
  if (player === expert) expect(results.reward).toBe(1);
  else expect(results.reward).toBeLessThan(1);
  for (const other of [inProcess, http, socket, toolCalls, openEnv, ors])
    expect(await other(task), other.name).toEqual(results);
});
