/**
 * Claude Code plays TextCraft by the gym's MCP server, and a model that is being trained is its model.
 *
 *     npm install --prefix /tmp/claude @anthropic-ai/claude-code@2.1.197
 *     node .config/build.mjs && node .config/build.mjs --modules
 *     node --import tsx test/peers/claude-code-textcraft.ts /tmp/claude/node_modules/.bin/claude
 *
 * 1. Scripted: a server answers with the tool calls of the gym's expert, and records what Claude Code sends.
 * 2. A very small model is cloned on these conversations, so that it makes the expert's calls, but not always those of its
 *    task.
 * 3. Live: the model is trained at the rollout endpoint. Each rollout is a run of Claude Code in an episode of its own, with
 *    the gym's reward. The program prints the tokens and rewards.
 */
import { execFile } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { type ChatMessage, Engine } from "#palestra/native/api/index.js";
import { templateMessage } from "#palestra/trainer/endpoint/protocol/message.js";
import { messages as protocol } from "#palestra/trainer/endpoint/protocol/messages/protocol.js";
import { checkSettings } from "#palestra/trainer/settings/settings.js";
import { train } from "#palestra/trainer/train.js";
import { startGym } from "../support/server-process.js";
import { type Dialogue, writeAgentModel } from "../trainer/endpoint/agent-model.js";
import { post } from "../trainer/endpoint/serving.js";
import { Notes } from "../trainer/support/training.js";

const [program = "claude"] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "claude-code-"));
const gym = await startGym({ dataDir: join(folder, "gym"), env: { PALESTRA_LOCAL_EXPERT: "true" } });
const tasks = [0, 1, 3];

interface ToolCall {
  name: string;
  input: Record<string, unknown>;
}

async function get(path: string) {
  // biome-ignore lint/suspicious/noExplicitAny: whatever the gym says
  return (await (await fetch(`${gym.url}/v1${path}`)).json()) as any;
}

async function open(index: number) {
  const { body } = await post(`${gym.url}/v1/episodes`, { environment: "textcraft", task: { split: "train", index } });
  return body as { episodeId: string; observation: string };
}

/** Runs Claude Code in an episode. */
async function play(
  { episodeId, observation }: { episodeId: string; observation: string },
  model: string,
): Promise<void> {
  const servers = { mcpServers: { gym: { type: "http", url: `${gym.url}/mcp/textcraft/${episodeId}` } } };
  const own = ["--bare", "--tools", "", "--system-prompt", "You play a text game by its tools.", "--model", "any"];
  const mcp = ["--strict-mcp-config", "--mcp-config", JSON.stringify(servers), "--allowedTools", "mcp__gym"];
  const env = {
    ...{ PATH: process.env.PATH, HOME: folder, ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: "any" },
    ...{ CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1", IS_SANDBOX: "1" },
  };
  const running = promisify(execFile)(program, ["-p", observation, ...own, ...mcp], { env, cwd: folder });
  running.child.stdin?.end();
  await running;
}

/** Reads the expert's actions of a task as tool calls. */
async function planOf(index: number): Promise<ToolCall[]> {
  const { episodeId } = await open(index);
  const calls: ToolCall[] = [];
  for (;;) {
    const { action } = await get(`/episodes/${episodeId}/expert`);
    calls.push(callOf(action));
    const { body } = await post(`${gym.url}/v1/episodes/${episodeId}/step`, { index: calls.length - 1, action });
    if (body.terminated || body.truncated) return calls;
  }
}

function callOf(action: string): ToolCall {
  const [, verb, count, item, ingredients] = /^(get|craft) (\d+) (.*?)(?: using (.*))?$/.exec(action) ?? [];
  const more = ingredients === undefined ? {} : { ingredients: ingredients.split(", ") };
  return { name: `mcp__gym__${verb}`, input: { count: Number(count), item, ...more } };
}

/** Lets Claude Code play with a scripted model. @returns the bodies of its requests */
async function playScripted(index: number, plan: readonly ToolCall[]): Promise<object[]> {
  const bodies: object[] = [];
  const server = createServer(async (request, response) => {
    let text = "";
    for await (const chunk of request) text += chunk;
    if (request.method !== "POST") return void response.end();
    bodies.push(JSON.parse(text));
    const call = plan[text.split('"tool_result"').length - 1];
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const event of eventsOf(call)) response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  await play(await open(index), `http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  server.close();
  return bodies;
}

const done = "Done.";

function eventsOf(call: ToolCall | undefined) {
  const block = call
    ? { type: "tool_use", id: `toolu_${call.name}`, name: call.name, input: {} }
    : { type: "text", text: "" };
  const delta = call
    ? { type: "input_json_delta", partial_json: JSON.stringify(call.input) }
    : { type: "text_delta", text: done };
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: "msg",
    type: "message",
    role: "assistant",
    model: "any",
    content: [],
    stop_reason: null,
    usage,
  };
  return [
    { type: "message_start", message },
    { type: "content_block_start", index: 0, content_block: block },
    { type: "content_block_delta", index: 0, delta },
    { type: "content_block_stop", index: 0 },
    { type: "message_delta", delta: { stop_reason: call ? "tool_use" : "end_turn", stop_sequence: null }, usage },
    { type: "message_stop" },
  ];
}

/** Makes the dialogue that the endpoint reads from the last request of a run, with the model's last reply. */
function dialogueOf(body: object): Dialogue {
  const { messages, tools } = protocol.read(body, { messagesOf: () => undefined });
  const replied: ChatMessage[] = [...messages.map(templateMessage), { role: "assistant", content: done }];
  return { messages: replied, tools: [...tools] };
}

const dialogues: Dialogue[] = [];
for (const index of tasks) {
  const bodies = await playScripted(index, await planOf(index));
  console.log(
    `scripted: task ${index}, ${bodies.length} calls, ${JSON.stringify(bodies.at(-1)).length} characters in the last`,
  );
  dialogues.push(dialogueOf(bodies.at(-1) as object));
}
// A reply of another task now and then, so that there is something to learn.
const mixed = dialogues.flatMap((dialogue, at) => {
  const other = dialogues[(at + 1) % dialogues.length] as Dialogue;
  const before = dialogue.messages.findIndex(({ role }) => role === "assistant");
  const wrong = { ...dialogue, messages: [...dialogue.messages.slice(0, before), ...other.messages.slice(before)] };
  return [dialogue, wrong];
});
const engine = await Engine.create({ threads: 2 });
const texts = dialogues.map((dialogue) => JSON.stringify(dialogue));
const model = await writeAgentModel(engine, join(folder, "model"), {
  texts,
  dialogues: mixed,
  epochs: 120,
  context: 2048,
});

const notes = new Notes();
const url = new Promise<string>((resolve) => {
  notes.onStage = (stage) => {
    const [, found] = /rollout endpoint at (http:\S+)/.exec(stage) ?? [];
    if (found) resolve(found);
  };
});
const settings = checkSettings({
  rollout: "endpoint",
  ...{ endpoint_port: 0, model, output: join(folder, "run"), context_length: 2048, max_tokens_per_mb: 4096 },
  ...{ max_new_tokens: 96, n_samples: 4, batch_size: 3, max_concurrent_groups: 3, ppo_n_minibatches: 1, lr: 3e-4 },
  ...{ total_train_steps: 6, max_head_offpolicyness: 0, threads: 2 },
});
const run = train(settings, undefined, notes, new AbortController().signal);
let isOver = false;
run.finally(() => (isOver = true)).catch(() => {});
notes.onTrainStepHook = ({ trainStep, groups }) => {
  const rows = groups.flatMap(({ trajectories }) => trajectories);
  const sampled = rows.reduce((sum, { mask }) => sum + mask.reduce((one, bit) => one + bit, 0), 0);
  const tokens = rows.reduce((sum, row) => sum + row.tokens.length, 0);
  const rewards = rows.map((row) => row.return).join(" ");
  const failed = groups.reduce((sum, group) => sum + group.failed.length, 0);
  console.log(
    `live: train step ${trainStep}, ${rows.length} rows, ${tokens} tokens, ${sampled} sampled, rewards ${rewards}, ${failed} failed`,
  );
};

async function rollout(base: string, index: number): Promise<void> {
  const { status, body: claimed } = await post(`${base}/rollouts`, { task: `task ${index}` });
  // Training has enough episodes of this train step.
  if (status === 429) return;
  const episode = await open(index);
  try {
    await play(episode, claimed.anthropic_base_url);
    // TextCraft's only reward is that of the last step.
    const { reward } = await get(`/episodes/${episode.episodeId}`);
    await post(`${base}/rollouts/${claimed.id}/reward`, { reward, end: true });
  } catch (error) {
    // Claude Code ends with an error if a reply was cut off.
    const { stdout, message } = error as Error & { stdout?: string };
    await post(`${base}/rollouts/${claimed.id}/fail`, { reason: stdout ?? message });
  }
}

const base = await url;
const worker = async (index: number) => {
  // The end of the run closes the endpoint in the middle of a rollout.
  while (!isOver) await rollout(base, index).catch(() => {});
};
await Promise.all([run, ...tasks.map(worker)]);
await gym.process.stop();
await engine.close();
rmSync(folder, { recursive: true, force: true });
