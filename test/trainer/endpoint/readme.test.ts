/**
 * The programs of trainer/endpoint/README.md train a model as printed. The test replaces only the port and the tasks.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkSettings } from "#palestra/trainer/settings/settings.js";
import { train } from "#palestra/trainer/train.js";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { root } from "../../support/server-process.js";
import { scratch } from "../../support/serving.js";
import { Notes } from "../support/training.js";
import { type Dialogue, writeAgentModel } from "./agent-model.js";

const engine = await engineOfFile(1);
const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
/** A Python with the package `openai`, which .ci/run installs. */
const python = process.env.OPENAI_PYTHON ?? join(cache, "palestra/openai-3.54.0/bin/python");
const noPython = `no Python with OpenAI's SDK at ${python}, and no OPENAI_PYTHON`;

/** Returns the first block of code in a language in a section of the page. */
function blockOf(heading: string, language: string): string {
  const [, section = ""] = readFileSync(join(root, "trainer/endpoint/README.md"), "utf8").split(`\n${heading}\n`);
  const [, block = ""] = new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, "s").exec(section) ?? [];
  expect(block.length, heading).toBeGreaterThan(200);
  return block;
}

function replaced(text: string, part: string | RegExp, by: string): string {
  const changed = text.replace(part, () => by);
  expect(changed, `expected ${part} in the program`).not.toBe(text);
  return changed;
}

const inPython = () => blockOf("## Train an agent that exists", "python");
const withTools = () => blockOf("## An agent with tools", "python");
const ofProduct = () => blockOf("## A live product", "js");
const inJavaScript = () => blockOf("## In JavaScript", "js");

/** The model is cloned to answer each question with a random number. */
const questions = ["What is 7 + 5?", "What is 9 + 4?", "What is 8 + 6?"];
const numbers = ["12", "13", "14"];
const answering: Dialogue[] = questions.flatMap((question) =>
  numbers.map((number) => ({
    messages: [
      { role: "user", content: question },
      { role: "assistant", content: number },
    ],
  })),
);

interface Programme {
  texts: readonly string[];
  dialogues: readonly Dialogue[];
  epochs: number;
  settings?: Record<string, unknown>;
  /** @param url of the endpoint @returns program and arguments */
  command(url: string): [string, ...string[]];
}

/** Starts a training at the endpoint. */
function startRun(model: string, settings: Record<string, unknown> | undefined) {
  const notes = new Notes();
  const listening = new Promise<string>((resolve) => {
    notes.onStage = (stage) => {
      notes.stages.push(stage);
      const [, url] = /rollout endpoint at (http:\S+)/.exec(stage) ?? [];
      if (url) resolve(url);
    };
  });
  const run = train(
    checkSettings({
      rollout: "endpoint",
      endpoint_port: 0,
      endpoint_wait_s: 1,
      model,
      output: scratch(),
      context_length: 512,
      max_tokens_per_mb: 2048,
      max_new_tokens: 40,
      batch_size: 2,
      max_concurrent_groups: 4,
      ppo_n_minibatches: 1,
      total_train_steps: 4,
      threads: 1,
      ...settings,
    }),
    undefined,
    notes,
    new AbortController().signal,
  );
  return { notes, listening, run };
}

/** Runs the program and a training at the endpoint, until both have ended. */
async function trainWith({ texts, dialogues, epochs, settings, command }: Programme) {
  const model = await writeAgentModel(engine, temporaryFolder(), { texts, dialogues, epochs });
  const { notes, listening, run } = startRun(model, { n_samples: 8, ...settings });
  const [program, ...args] = command(await listening);
  const child = spawn(program, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (text) => (output += String(text)));
  const ended = once(child, "exit");
  // After a failed program the run would wait for ever. A successful program may end before the run.
  const failed = ended.then(([code]) => {
    if (code === 0) return run;
    throw new Error(`the program ended with ${code}: ${output}`);
  });
  failed.catch(() => {});
  const result = await Promise.race([run, failed]);
  const [code] = await ended;
  expect([result.end, result.trainSteps, code]).toEqual(["done", 4, 0]);
  expect(output.trim().split("\n")).toEqual([expect.stringMatching(/^the endpoint has closed, since training/)]);
  const groups = notes.steps.flatMap((step) => step.groups);
  return { notes, groups, rows: groups.flatMap(({ trajectories }) => trajectories) };
}

const colloquy = {
  texts: [...questions, ...numbers, ...numbers.map((number) => ` ${number}`)],
  dialogues: answering,
  epochs: 40,
};
const port = /http:\/\/127.0.0.1:8800/;

test("the Python program trains the model and ends with the training", async (context) => {
  if (!existsSync(python)) context.skip(noPython);
  const command = (url: string): [string, ...string[]] => [python, "-c", replaced(inPython(), port, url)];
  const { groups, rows } = await trainWith({ ...colloquy, command });
  expect(groups.every(({ trajectories, failed }) => trajectories.length === 8 && failed.length === 0)).toBe(true);
  expect(new Set(rows.map(({ return: score }) => score))).toEqual(new Set([0, 1]));
  expect(new Set(rows.map(({ played }) => played.split))).toEqual(new Set(questions));
});

test("the Python program reports the rollouts of an agent that throws as failed, and training uses the others without a wait", async (context) => {
  if (!existsSync(python)) context.skip(noPython);
  const flaky = `
calls = iter(range(10**9))


def flaky_agent(llm, question):
    if next(calls) % 4 == 0:
        raise ValueError("the agent's own bug")
    return my_agent(llm, question)
`;
  const program = (url: string) => {
    const thrown = replaced(inPython(), "= my_agent(", "= flaky_agent(");
    return replaced(replaced(thrown, "\n\ndef play(", `\n${flaky}\n\ndef play(`), port, url);
  };
  // A wait for the lease would exceed the timeout of the test.
  const { groups, notes } = await trainWith({
    ...colloquy,
    settings: { endpoint_lease_s: 600 },
    command: (url) => [python, "-c", program(url)],
  });
  const failed = groups.flatMap((group) => group.failed);
  expect(failed.length).toBeGreaterThan(4);
  for (const { failure } of failed) {
    expect(failure).toMatchObject({ code: "ROLLOUT_FAILED", message: `ValueError("the agent's own bug")` });
  }
  for (const { trajectories, failed } of groups) expect(trajectories.length + failed.length).toBe(8);
  expect(notes.stages.some((line) => line.endsWith(`failed: ValueError("the agent's own bug")`))).toBe(true);
}, 550_000);

test("the Python program continues after a rollout whose lease has expired during the play", async (context) => {
  if (!existsSync(python)) context.skip(noPython);
  const slow = `
import time

calls = iter(range(10**9))


def slow_agent(llm, question):
    if next(calls) == 3:
        time.sleep(5)
    return my_agent(llm, question)
`;
  const program = (url: string) => {
    const late = replaced(inPython(), "= my_agent(", "= slow_agent(");
    return replaced(replaced(late, "\n\ndef play(", `\n${slow}\n\ndef play(`), port, url);
  };
  const { groups } = await trainWith({
    ...colloquy,
    settings: { endpoint_lease_s: 2 },
    command: (url) => [python, "-c", program(url)],
  });
  const failures = groups.flatMap(({ failed }) => failed.map(({ failure }) => failure?.code));
  expect(failures).toContain("ROLLOUT_EXPIRED");
});

test("the JavaScript program trains the model and ends with the training", async () => {
  const command = (url: string): [string, ...string[]] => {
    return [process.execPath, "--input-type=module", "-e", replaced(inJavaScript(), port, url)];
  };
  const { groups, rows } = await trainWith({ ...colloquy, command });
  expect(groups.every(({ trajectories, failed }) => trajectories.length === 8 && failed.length === 0)).toBe(true);
  expect(new Set(rows.map(({ return: score }) => score))).toEqual(new Set([0, 1]));
});

test("the program of a live product trains the model with the settings of the command", async () => {
  const page = readFileSync(join(root, "trainer/endpoint/README.md"), "utf8");
  const [, flags = ""] = /npx palestra train --rollout endpoint .*(--algorithm .*)\n/.exec(page) ?? [];
  const given = [...flags.matchAll(/--(\w+) (\S+)/g)].map(([, name, value]) => [name, value === "true" ? true : value]);
  const settings = Object.fromEntries(given);
  expect(settings).toEqual({ algorithm: "reinforce", baseline: "ema", use_decoupled_loss: true });
  const model = await writeAgentModel(engine, temporaryFolder(), colloquy);
  const { notes, listening, run } = startRun(model, { ...settings, total_train_steps: 1 });
  const program = replaced(ofProduct(), port, await listening);
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], { cwd: root, stdio: "inherit" });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [[code], result] = await Promise.all([once(child, "exit"), run]);
  expect([code, result.end, result.trainSteps]).toEqual([0, "done", 1]);
  const rows = notes.steps.flatMap(({ groups }) => groups.flatMap(({ trajectories }) => trajectories));
  const rated = rows.map(({ steps, return: score }) => [score, Number(/^1[23]$/.test(steps[0]?.action ?? ""))]);
  expect(rated).toHaveLength(2);
  for (const [score, own] of rated) expect(score).toBe(own);
});

test("the agent with tools fits into the program, and its turns are one row", async (context) => {
  if (!existsSync(python)) context.skip(noPython);
  const agent = withTools();
  const mine = /answers = \{.*?\n/s;
  const own = /def my_agent.*?\n\n\n/s;
  const program = (url: string) => {
    const without = replaced(replaced(inPython(), mine, ""), own, "");
    return replaced(replaced(without, "def play(", `${agent}\n\ndef play(`), port, url);
  };
  const items = ["pear", "plum"];
  const price: Record<string, string> = { apple: "1", pear: "3", plum: "2" };
  const parameters = { type: "object", properties: { item: { type: "string" } }, required: ["item"] };
  const tool = { type: "function", function: { name: "price", description: "Price of an item", parameters } };
  // The model is cloned to call the tool for a random item and to repeat the result.
  const dialogues: Dialogue[] = items.flatMap((asked) =>
    Object.keys(price).map((item) => ({
      tools: [tool],
      messages: [
        { role: "user", content: `What does a ${asked} cost?` },
        { role: "assistant", content: "", tool_calls: [{ function: { name: "price", arguments: { item } } }] },
        { role: "tool", content: price[item] as string },
        { role: "assistant", content: price[item] as string },
      ],
    })),
  );
  const words = [...Object.keys(price), ...Object.values(price)];
  const texts = [JSON.stringify(tool), "What does a pear cost?", ...words, ...words.map((word) => ` ${word}`)];
  const { groups, rows } = await trainWith({
    ...{ texts, dialogues, epochs: 120 },
    command: (url) => [python, "-c", program(url)],
  });
  expect(new Set(rows.map(({ return: score }) => score))).toEqual(new Set([0, 1]));
  const looked = rows.filter(({ row, steps }) => row === undefined && steps.length === 2);
  expect(looked.length / rows.length).toBeGreaterThan(0.8);
  expect(looked.every(({ steps }) => steps[0]?.action.includes('<tool_call>\n{"name": "price"'))).toBe(true);
  const failed = groups.flatMap((group) => group.failed);
  // A model this small never stops calling in a few rollouts, up to the end of the context.
  expect(failed.length / (failed.length + rows.length)).toBeLessThan(0.2);
});
