/** The expert on every goal over HTTP: through `/v1` with a token that permits it, and through `/agentgym`. */

import { Pool } from "undici";
import { expect, onTestFinished, test } from "vitest";
import textcraft from "#palestra/envs/textcraft/index.js";
import { TokenStore } from "#palestra/server/tokens/token-file.js";
import { AgentgymClient, AgentgymWire } from "../support/agentgym-client.js";
import { scratch, serve } from "../support/serving.js";

const split = "all";
const goals = textcraft.splits[split]?.size as number;
const atATime = 32;

interface Step {
  reward: number;
  terminated: boolean;
}

test("the expert solves 544 of 544 goals over HTTP through /v1", async () => {
  const dataDir = scratch();
  const { secret } = new TokenStore(dataDir).create({ name: "evaluator", rights: ["expert"], maxEpisodes: goals });
  const { url } = await serve({ dataDir });
  const call = caller(url, secret);

  const results = await forEachGoal(async (index) => {
    const created = await call("POST", "/v1/episodes", { environment: "textcraft", task: { split, index } });
    const path = `/v1/episodes/${created.episodeId}`;
    let step: Step = { reward: 0, terminated: false };
    let steps = 0;
    for (; !step.terminated; steps++) {
      const { index, action } = await call("GET", `${path}/expert`);
      expect(index).toBe(steps);
      step = (await call("POST", `${path}/step`, { index, action })) as unknown as Step;
    }
    expect(await call("GET", path)).toMatchObject({ phase: "ended", expertUsed: true, index: steps });
    return { reward: step.reward, steps };
  });
  console.info(`/v1: ${solved(results)} of ${goals} solved in ${total(results)} steps`);
  expect(solved(results)).toBe(544);
});

test("the expert solves 544 of 544 goals over HTTP through /agentgym/textcraft", async () => {
  const { url } = await serve();
  const wire = new AgentgymWire(() => `${url}/agentgym/textcraft`);
  onTestFinished(() => wire.close());
  const free = await Promise.all(Array.from({ length: atATime }, () => AgentgymClient.create(wire)));

  const results = await forEachGoal(async (index) => {
    const client = free.pop() as AgentgymClient;
    await client.reset(index);
    const mirror = textcraft.create({ now: Date.now });
    mirror.reset({ task: { split, index }, seed: 42, options: {} });
    let steps = 0;
    for (let action = textcraft.expert?.(mirror); action; action = textcraft.expert?.(mirror)) {
      steps += 1;
      const { observation, reward, terminated } = mirror.step(action);
      expect(await client.step(action)).toEqual({ observation, reward, done: terminated });
    }
    free.push(client);
    return { reward: client.last.done ? client.last.reward : 0, steps };
  });
  console.info(`/agentgym/textcraft: ${solved(results)} of ${goals} solved in ${total(results)} steps`);
  expect(solved(results)).toBe(544);
});

interface Result {
  reward: number;
  steps: number;
}

/** Plays every goal once, several at a time. */
async function forEachGoal(play: (index: number) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const worker = async () => {
    while (next < goals) {
      const index = next++;
      results[index] = await play(index);
    }
  };
  await Promise.all(Array.from({ length: atATime }, worker));
  return results;
}

function solved(results: readonly Result[]): number {
  return results.filter(({ reward }) => reward === 1).length;
}

function total(results: readonly Result[]): number {
  return results.reduce((sum, { steps }) => sum + steps, 0);
}

function caller(url: string, token: string) {
  const pool = new Pool(url, { connections: atATime });
  onTestFinished(() => pool.destroy());
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  return async (method: "GET" | "POST", path: string, body?: object): Promise<Record<string, unknown>> => {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const reply = await pool.request({ method, path, headers, ...sent });
    const content = (await reply.body.json()) as Record<string, unknown>;
    expect(reply.statusCode, JSON.stringify(content)).toBe(200);
    return content;
  };
}
