/** Agents of unchanged Python frameworks play rollouts over OpenAI's Responses and Anthropic's Messages. */
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, describe, expect, test } from "vitest";
import type { Trajectory } from "#palestra/trainer/rollout/trajectory.js";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { root } from "../../support/server-process.js";
import { type Dialogue, writeAgentModel } from "./agent-model.js";
import { claim, type Invitation, post, serve } from "./serving.js";

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
/** A Python with the frameworks, which .ci/run installs. */
const python = process.env.AGENT_FRAMEWORKS_PYTHON ?? join(cache, "palestra/agent-frameworks-1/bin/python");
const isInstalled = existsSync(python);

const engine = isInstalled ? await engineOfFile(1) : undefined;
/** The tool `add(a, b)` as each framework describes it. */
const required = ["a", "b"];
const integer = { type: "integer" };
const schemas = {
  "openai-agents": {
    properties: { a: { title: "A", ...integer }, b: { title: "B", ...integer } },
    required,
    title: "add_args",
    type: "object",
    additionalProperties: false,
  },
  "pydantic-ai": { additionalProperties: false, properties: { a: integer, b: integer }, required, type: "object" },
  anthropic: { type: "object", properties: { a: integer, b: integer }, required },
  langgraph: { properties: { a: integer, b: integer }, required, type: "object" },
  autogen: {
    type: "object",
    properties: { a: { description: "a", title: "A", ...integer }, b: { description: "b", title: "B", ...integer } },
    required,
    additionalProperties: false,
  },
};
const instructions =
  "You are a helpful AI assistant. Solve tasks using your tools. Reply with TERMINATE when the task has been completed.";
const dialogues: Dialogue[] = Object.entries(schemas).flatMap(([framework, parameters]) => {
  const tools = [{ type: "function", function: { name: "add", description: "Adds.", parameters } }];
  const before = framework === "autogen" ? [{ role: "system", content: instructions }] : [];
  const messages = [
    ...before,
    { role: "user", content: "1+2?" },
    { role: "assistant", content: "", tool_calls: [{ function: { name: "add", arguments: { a: 1, b: 2 } } }] },
    { role: "tool", content: "3" },
    { role: "assistant", content: "The sum is 3." },
  ];
  return framework === "autogen" ? [{ tools, messages }, { messages }] : [{ tools, messages }];
});
const texts = dialogues.map((dialogue) => JSON.stringify(dialogue));
const folder =
  engine && (await writeAgentModel(engine, temporaryFolder(), { texts, dialogues, epochs: 150, context: 4096 }));
const model = engine && (await engine.loadModel(folder as string));

/** A process that plays one rollout after another. */
const player = isInstalled ? await startPlayer() : undefined;
afterAll(() => player?.stop());

async function startPlayer() {
  const program = join(root, "test/trainer/endpoint/frameworks.py");
  const child = spawn(python, ["-W", "ignore", program], { stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error("the player has ended");
    return JSON.parse(value) as unknown;
  };
  await next();
  const ask = (asked: { framework: string; streamed?: boolean; output?: true; rollout: Invitation }) => {
    child.stdin.write(`${JSON.stringify(asked)}\n`);
    return next();
  };
  const play = (framework: string, streamed: boolean, rollout: Invitation) => ask({ framework, streamed, rollout });
  const playForOutput = (framework: string, rollout: Invitation) => ask({ framework, output: true, rollout });
  return { play, playForOutput, stop: () => child.kill() };
}

describe.skipIf(!isInstalled)("an agent with a tool", () => {
  test.each(
    ["openai-agents", "openai-agents, previous_response_id", "pydantic-ai", "anthropic", "langgraph"].flatMap(
      (framework) => [
        { framework, streamed: false },
        { framework, streamed: true },
      ],
    ),
  )("of $framework plays a rollout of one row, streamed: $streamed", async ({ framework, streamed }) => {
    if (!model || !player) throw new Error("expected a model and a player");
    const { url, seat } = await serve(model, {}, { context: 512, maxNewTokens: 90, temperature: 0.2 });
    const group = seat();
    const rollout = await claim(url);
    expect(await player.play(framework, streamed, rollout)).toEqual({ answer: "The sum is 3." });
    await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1, end: true });
    const [row, ...others] = (await group).trajectories as [Trajectory];
    expect(others).toEqual([]);
    expect(row.steps.map(({ action }) => action)).toEqual([expect.stringContaining('"add"'), "The sum is 3."]);
    expect(row.steps.map(({ reward }) => reward)).toEqual([0, 1]);
    const sampled = row.steps.reduce((sum, { first, end }) => sum + end - first, 0);
    expect(row.mask.filter((one) => one === 1)).toHaveLength(sampled);
    expect([...row.logprobs].every((logprob, at) => row.mask[at] === 1 || logprob === 0)).toBe(true);
  });

  test.each([false, true])(
    "of autogen plays a rollout of a row for each set of tools, streamed: %s",
    async (streamed) => {
      if (!model || !player) throw new Error("expected a model and a player");
      const { url, seat } = await serve(model, {}, { context: 512, maxNewTokens: 90, temperature: 0.2 });
      const group = seat();
      const rollout = await claim(url);
      expect(await player.play("autogen", streamed, rollout)).toEqual({ answer: "The sum is 3." });
      await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1, end: true });
      const rows = (await group).trajectories;
      expect(rows.map(({ row, steps }) => [row, steps.map(({ action, reward }) => [action, reward])])).toEqual([
        [0, [[expect.stringContaining('"add"'), 0]]],
        [1, [["The sum is 3.", 1]]],
      ]);
    },
  );
});

/** The model was never trained to reply in JSON or to call a tool of that name: the form alone holds it to an integer. */
describe.skipIf(!isInstalled)("an agent whose output has a type", () => {
  test.each([
    "langgraph, json_schema",
    "langgraph, function_calling",
    "autogen",
    "openai-agents",
    "pydantic-ai, tool",
    "pydantic-ai, native",
  ])("of %s gets an integer, and its reply is one step", async (framework) => {
    if (!model || !player) throw new Error("expected a model and a player");
    const { url, seat } = await serve(model, {}, { context: 512, maxNewTokens: 90, temperature: 0.2 });
    const group = seat();
    const rollout = await claim(url);
    const answer = await player.playForOutput(framework, rollout);
    expect(answer).toEqual({ answer: expect.any(Number) });
    await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1, end: true });
    const rows = (await group).trajectories;
    expect(rows.map(({ steps }) => steps.length)).toEqual([1]);
  });

  // Its instructions have more than a thousand tokens. It forces a call in each step, and asks for an answer as text after the
  // last one.
  test("of smolagents' ToolCallingAgent gets a call of one of its tools", async () => {
    if (!model || !player) throw new Error("expected a model and a player");
    const { url, seat } = await serve(model, {}, { context: 4096, maxNewTokens: 300, temperature: 0.2 });
    const group = seat();
    const rollout = await claim(url);
    const { answer } = (await player.playForOutput("smolagents", rollout)) as { answer: string[] };
    expect(answer.length).toBeGreaterThan(0);
    expect(["add", "final_answer"]).toEqual(expect.arrayContaining(answer));
    await post(`${url}/rollouts/${rollout.id}/reward`, { reward: 1, end: true });
    const actions = (await group).trajectories.flatMap(({ steps }) => steps.map(({ action }) => action));
    expect(actions[0]).toContain("<tool_call>");
  });
});
