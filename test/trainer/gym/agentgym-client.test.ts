import { createServer } from "node:http";
import { describe, expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import babyai from "#palestra/envs/babyai/index.js";
import { fillOptions } from "#palestra/envs/registry.js";
import sciworld from "#palestra/envs/sciworld/index.js";
import textcraft from "#palestra/envs/textcraft/index.js";
import { AgentgymClient } from "#palestra/trainer/gym/agentgym-client.js";
import { type AgentgymPrompts, agentgymDialects, agentgymPrompts } from "#palestra/trainer/gym/agentgym-dialects.js";
import { testDataFiles } from "../../support/data-shapes.js";
import { listen } from "../support/gym.js";

const lines = z.array(z.string()).min(1);

async function agentgym(environment: string): Promise<AgentgymClient> {
  const { url } = await listen();
  const client = new AgentgymClient(`${url}/agentgym/${environment}`);
  onTestFinished(() => client.close());
  return client;
}

/** A server that gives the same reply to every request. */
async function saying(status: number, body: string): Promise<AgentgymClient> {
  const server = createServer((_request, response) => response.writeHead(status).end(body));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return new AgentgymClient(`http://127.0.0.1:${(server.address() as { port: number }).port}`);
}

describe("an AgentGym server", () => {
  test("TextCraft is played by data_idx", async () => {
    const episode = await (await agentgym("textcraft")).begin({ environment: "textcraft", index: 21 });
    expect(episode.observation).toContain("Goal: craft cobblestone stairs.");
    await episode.step("get 6 cobblestone");
    const last = await episode.step("craft 4 cobblestone stairs using 6 cobblestone");
    expect(last).toMatchObject({ reward: 1, terminated: true, observation: "Crafted 4 minecraft:cobblestone_stairs" });
  });

  test("BabyAI's rewards add up to the score that its client reads", async () => {
    const episode = await (await agentgym("babyai")).begin({ environment: "babyai", index: 3 });
    expect(episode.info).toEqual({ dataIdx: 3, level: 4, seed: 0 });
    const { reward, terminated } = await episode.step("go to blue key 1");
    expect(terminated).toBe(true);
    expect(reward).toBeGreaterThan(0.5);
  });

  test("ScienceWorld's rewards add up to the score that its client reads, including points earned at the reset", async () => {
    const index = 4151;
    const game = sciworld.create({ now: () => 0 });
    const opening = game.reset({
      task: { split: "agentgym", index },
      seed: 0,
      options: fillOptions(sciworld, { api: "python" }),
    });
    expect(opening.info.score).toBeGreaterThan(0);
    const client = await agentgym("sciworld");
    const episode = await client.begin({ environment: "sciworld", index });
    expect(episode.observation).toBe(opening.observation);
    expect(episode.info).toEqual({ dataIdx: index, task: opening.info.task, variation: opening.info.variation });
    let [sum, isOver] = [0, false];
    while (!isOver) {
      const action = sciworld.expert?.(game) ?? "wait1";
      const { observation, terminated } = game.step(action);
      const step = await episode.step(action);
      expect(step).toMatchObject({ observation, terminated });
      sum += step.reward;
      isOver = terminated;
    }
    expect(sum).toBe((await client.environment("sciworld")).solvedReward);
  });

  testDataFiles("trainer/gym/data", {
    "agentgym-prompts.json": [
      agentgymPrompts,
      z.strictObject({ textcraft: lines, babyai: lines, sciworld: lines }) satisfies z.ZodType<AgentgymPrompts>,
    ],
  });

  test("the prompts equal those of the environments", () => {
    for (const { id, prompt } of [textcraft, babyai, sciworld]) expect(agentgymDialects.get(id)?.prompt).toBe(prompt);
  });

  test("an unknown environment id is an infrastructure failure", async () => {
    const client = await agentgym("textcraft");
    const episode = await client.begin({ environment: "textcraft", index: 0 });
    await episode.close();
    await expect(episode.step("inventory")).rejects.toMatchObject({ code: "GYM_REPLY", class: "infrastructure" });
  });

  test.each([
    [500, "Internal Server Error", { code: "GYM_REPLY", class: "infrastructure" }],
    [422, "{}", { code: "GYM_REPLY", class: "action" }],
    [200, "<html>", { code: "GYM_REPLY", class: "infrastructure" }],
    [200, '{"observation": 3}', { code: "GYM_REPLY", class: "infrastructure" }],
  ])("the error for a status %i with %s describes the reply", async (status, body, expected) => {
    const client = await saying(status, body);
    await expect(client.begin({ environment: "textcraft", index: 0 })).rejects.toMatchObject(expected);
  });

  test("a missing server, another environment, another split and options are refused", async () => {
    const client = new AgentgymClient("http://127.0.0.1:9");
    const begin = (change: object) => client.begin({ environment: "textcraft", index: 0, ...change });
    await expect(begin({})).rejects.toMatchObject({ code: "GYM_UNREACHABLE" });
    await expect(begin({ environment: "webarena" })).rejects.toThrow(
      `expected one of AgentGym's environments textcraft, babyai, sciworld, but received "webarena"`,
    );
    await expect(begin({ split: "test" })).rejects.toMatchObject({ code: "SPLIT_UNKNOWN" });
    await expect(begin({ options: { ends: "task" } })).rejects.toMatchObject({ code: "OPTION_UNKNOWN" });
  });
});
