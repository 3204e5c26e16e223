/** A policy learns behind OpenAI's Python SDK, in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { expect, onTestFinished, test } from "vitest";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { root } from "../../support/server-process.js";
import { type Dialogue, writeAgentModel } from "./agent-model.js";
import { type Agent, type Earned, learn } from "./learning.js";

const engine = await engineOfFile(1);
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
/** A Python with the package `openai`, which .ci/run installs. */
const python = process.env.OPENAI_PYTHON ?? join(cache, "palestra/openai-3.54.0/bin/python");

const colours = ["red", "green", "blue", "yellow"];
const dialogues: Dialogue[] = colours.flatMap((first) =>
  colours.map((second) => ({
    messages: [
      { role: "user", content: "say" },
      { role: "assistant", content: first },
      { role: "user", content: "again" },
      { role: "assistant", content: second },
    ],
  })),
);
const texts = ["say", " say", " again", ...colours];

test("the policy behind OpenAI's Python SDK learns the right answers", async (context) => {
  if (!existsSync(python)) context.skip(`no Python with OpenAI's SDK at ${python}, and no OPENAI_PYTHON`);
  const folder = await writeAgentModel(engine, temporaryFolder(), { texts, dialogues, epochs: 30 });
  const agent = startAgent();
  const settings = { turn_discount: 0, max_new_tokens: 6, batch_size: 4, max_concurrent_groups: 8 };
  const { before, after, steps } = await learn({ engine, model: folder, tasks: ["say"], settings, agent });
  console.info(`OpenAI's Python SDK: ${percent(before)} before, ${percent(after)} after ${steps.length} train steps`);
  expect(before).toBeLessThanOrEqual(0.4);
  expect(after).toBeGreaterThanOrEqual(0.9);
}, 300_000);

const percent = (share: number) => `${(100 * share).toFixed(0)} %`;

/** The process ends with the test. */
function startAgent(): Agent {
  const program = join(root, "test/trainer/endpoint/agent.py");
  const child: ChildProcess = spawn(python, [program], { stdio: ["pipe", "pipe", "inherit"] });
  onTestFinished(() => void child.kill());
  const waiting = new Map<string, { resolve(earned: Earned[]): void; reject(error: Error): void }>();
  child.on("exit", (code) => {
    for (const { reject } of waiting.values()) reject(new Error(`the agent ended with ${code}`));
  });
  createInterface({ input: child.stdout as NodeJS.ReadableStream }).on("line", (line) => {
    const { id, earned, error } = JSON.parse(line) as { id: string; earned?: Earned[]; error?: string };
    if (earned) waiting.get(id)?.resolve(earned);
    else waiting.get(id)?.reject(new Error(error));
    waiting.delete(id);
  });
  return ({ id, base_url }, task) =>
    new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      child.stdin?.write(`${JSON.stringify({ id, base_url, task })}\n`);
    });
}
