/** Plays recorded episodes of tau2-bench in the environment. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { JsonValue } from "#palestra/envs/env.js";
import { Tau2 } from "#palestra/envs/tau2/env.js";
import type { Message } from "#palestra/envs/tau2/episode/message.js";
import { splitIds, tasksOf } from "#palestra/envs/tau2/folder.js";
import { jsonText } from "#palestra/envs/tau2/python/text.js";
import { scoreRecorded } from "#palestra/envs/tau2/recorded.js";
import { specOf } from "#palestra/envs/tau2/spec.js";
import { episodesIn, fixtureData, fixtureEpisodes, type RecordedEpisode, rowsOf } from "./recorded.js";

const rows = rowsOf(fixtureEpisodes);
const folder = mkdtempSync(join(tmpdir(), "tau2-"));
const signal = new AbortController().signal;
const live = { record: <T extends JsonValue>(ask: () => Promise<T>) => ask() };

beforeAll(() => {
  vi.stubEnv("TAU2_DATA_DIR", fixtureData);
  vi.stubEnv("PALESTRA_TAU2_SCRIPTS", join(folder, "scripts.json"));
});
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

function indexOf({ domain, episode }: RecordedEpisode): number {
  const base = new Set(splitIds(fixtureData, domain).base);
  return tasksOf(fixtureData, domain)
    .filter(({ id }) => base.has(id))
    .findIndex(({ id }) => id === episode.task.id);
}

/** Returns the actions of a recorded agent, or undefined if it calls several tools at once. */
function actionsOf(messages: readonly Message[]): string[] | undefined {
  const actions: string[] = [];
  for (const message of messages) {
    if (message.role !== "assistant") continue;
    const [call, another] = message.calls ?? [];
    if (another) return undefined;
    actions.push(call ? `${call.name} ${jsonText(call.arguments)}` : `say ${message.content}`);
  }
  return actions;
}

function writeScript({ domain, episode }: RecordedEpisode): void {
  const known = episode.task.initial.messages.length;
  const turns = episode.messages.slice(known).flatMap((message) => {
    if (message.role !== "user") return [];
    const [call] = message.calls ?? [];
    return [call ? { name: call.name, arguments: JSON.parse(jsonText(call.arguments)) } : message.content];
  });
  writeFileSync(join(folder, "scripts.json"), JSON.stringify({ [domain]: { [episode.task.id]: turns } }));
}

describe("the environments of tau2-bench", () => {
  test("end recorded episodes as tau2-bench does, with the same reward", async () => {
    let played = 0;
    for (const one of episodesIn(rows, fixtureData)) {
      const { domain, episode, info } = one;
      const actions = actionsOf(episode.messages.slice(episode.task.initial.messages.length));
      // The judge's verdicts are recorded ones, which the environment would ask a judge for.
      const isJudged = episode.task.criteria?.basis.includes("NL_ASSERTION") && episode.task.criteria.judged.length > 0;
      if (!info || !actions || isJudged) continue;
      writeScript(one);
      const environment = new Tau2(live, domain);
      const task = { split: "base", index: indexOf(one) };
      await environment.reset({ task, seed: 0, options: { user: "script" } }, signal);
      const first = episode.task.initial.messages.length === 0 ? 1 : 0;
      let last = { reward: 0, terminated: false };
      for (const action of actions.slice(first)) if (!last.terminated) last = await environment.step(action, signal);
      expect([environment.ending, last.reward], one.name).toEqual([episode.ending, Number(info.get("reward"))]);
      played += 1;
    }
    expect(played).toBeGreaterThan(150);
  });

  test("score a recorded episode that a user brings along, and state what is wrong with any other text", () => {
    const row = rows.find((each) => each.get("domain") === "retail" && each.get("variant") === "golden");
    const [one] = episodesIn(row ? [row] : [], fixtureData);
    if (!row || !one) throw new Error("expected a golden episode of the shop");
    const task = { split: "base", index: indexOf(one) };
    const answer = jsonText(row.get("simulation") as never);
    expect(scoreRecorded("retail", { task, answer })).toMatchObject({ reward: Number(one.info?.get("reward")) });
    expect(scoreRecorded("retail", { task, answer: "{}" })).toEqual({
      reward: 0,
      info: { error: "expected the field termination_reason in the episode, but received {}" },
    });
    const other = { split: "base", index: task.index === 0 ? 1 : 0 };
    expect(scoreRecorded("retail", { task: other, answer }).info.error).toMatch(/^expected an episode of the task/);
  });

  test("say which part of the reward nobody has judged", async () => {
    const tasks = tasksOf(fixtureData, "retail");
    const index = tasks.findIndex(
      ({ criteria }) => criteria?.basis.includes("NL_ASSERTION") && criteria.judged.length > 0,
    );
    vi.stubEnv("PALESTRA_JUDGE_URL", "");
    const spec = specOf("retail");
    const environment = new Tau2(live, "retail");
    await environment.reset({ task: { split: "base", index }, seed: 0, options: { user: "letter" } }, signal);
    let last: Awaited<ReturnType<Tau2["step"]>> | undefined;
    while (!last?.terminated)
      last = await environment.step((await spec.expert?.(environment, signal)) as string, signal);
    expect(last.info).toMatchObject({
      unjudged: tasks[index]?.criteria?.judged,
      warning: expect.stringMatching(/NL_ASSERTION/),
    });
  });

  test("give 0 if tau2-bench cannot evaluate the episode, and say why", async () => {
    const index = tasksOf(fixtureData, "mock").findIndex(({ id }) => id === "plan-and-check");
    const environment = new Tau2(live, "mock");
    await environment.reset({ task: { split: "base", index }, seed: 0, options: { user: "letter" } }, signal);
    expect(await environment.step("say Goodbye.", signal)).toMatchObject({
      reward: 0,
      terminated: true,
      info: { note: "The evaluation failed: assert_task_status failed: Task task_3 not found." },
    });
  });

  test("take ordinary forms of a call, and say what is wrong with another one", async () => {
    const environment = new Tau2(live, "mock");
    await environment.reset({ task: { split: "base", index: 0 }, seed: 0, options: { user: "letter" } }, signal);
    const users =
      '[{"user_id": "user_1", "name": "User One", "tasks": ["task_1"]}, {"user_id": "user_2", "name": "User Two", "tasks": ["task_2"]}]';
    for (const text of [
      "get_users",
      "get_users {}",
      "get_users()",
      "Action: get_users {}",
      "I look first.\nget_users {}",
      '{"name": "get_users", "arguments": {}}',
      '<tool_call>{"name": "get_users", "arguments": {}}</tool_call>',
    ])
      expect((await environment.step(text, signal)).observation, text).toBe(users);
    expect((await environment.step('create_task {"title": }', signal)).observation).toBe(
      'Error: expected the arguments of create_task as a JSON object, but received {"title": }.',
    );
  });
});

describe("a user played by a model", () => {
  test("gets the guidelines and the scenario, and is not asked again in a replay", async () => {
    const asked: { model: string; temperature: number; messages: { role: string; content: string }[] }[] = [];
    const replies = ["I need a task.", "Thanks. ###STOP###"];
    const server = createServer((request, response) => {
      let body = "";
      request.on("data", (part) => (body += part));
      request.on("end", () => {
        const content = replies[asked.push(JSON.parse(body)) - 1];
        response.end(JSON.stringify({ choices: [{ message: { content } }] }));
      });
    });
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    vi.stubEnv("PALESTRA_USER_URL", `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    vi.stubEnv("PALESTRA_USER_MODEL", "a-model");
    const answers: JsonValue[] = [];
    const recording = {
      record: async <T extends JsonValue>(ask: () => Promise<T>) => {
        const answer = await ask();
        answers.push(answer);
        return answer;
      },
    };
    const first = await talk(recording);
    const replaying = { record: async <T extends JsonValue>() => answers.shift() as T };
    expect(await talk(replaying)).toEqual(first);
    await new Promise((done) => server.close(done));
    expect(first.slice(0, 2)).toEqual(["The user has not written yet. Greet the user.", "User: I need a task."]);
    expect(first.at(-1)).toBe("The conversation has ended.");
    expect(asked).toHaveLength(2);
    expect(asked[0]).toMatchObject({ model: "a-model", temperature: 0 });
    expect(asked[0]?.messages.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(asked[1]?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "user"]);
    expect(asked[0]?.messages[0]?.content).toMatch(/<scenario>[\s\S]*Quarterly Review[\s\S]*<\/scenario>/);
  });

  async function talk(context: ConstructorParameters<typeof Tau2>[0]): Promise<string[]> {
    const environment = new Tau2(context, "mock");
    const request = { task: { split: "base", index: 0 }, seed: 0, options: { user: "model" } };
    const { observation } = await environment.reset(request, signal);
    const create = 'create_task {"user_id": "user_1", "title": "Quarterly Review"}';
    const seen = [observation];
    for (const action of ["say Hello.", create, "say I have made it."])
      seen.push((await environment.step(action, signal)).observation);
    return seen;
  }
});
