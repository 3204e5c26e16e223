/** Steps of the first hour that evaluate, train and export. */
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { expect, type TestContext } from "vitest";
import { environmentsOf } from "#palestra/trainer/evaluation/benchmarks.js";
import type { SuiteReport } from "#palestra/trainer/evaluation/suite.js";
import { engineOfFile, temporaryFolder } from "../native/tiny-models.js";
import { writeAgentModel } from "../trainer/endpoint/agent-model.js";
import type { Walk } from "./first-hour-clone.js";

export async function evaluateServer(walk: Walk, command: string): Promise<void> {
  walk.clone.write("textcraft_test.json", JSON.stringify([{ item_id: "textcraft_3" }, { item_id: "textcraft_7" }]));
  const there = command
    .replace(/openai:\S+#/, `openai:${walk.model.url}#`)
    .replace(/--agentgym \S+/, `--agentgym http://127.0.0.1:${walk.clone.port}/agentgym/babyai`)
    .replace(/--k \d+/, "--k 2");
  const whole = there.includes("--agentgym") ? there : walk.clone.inGym(there);
  const before = walk.model.asked();
  const limited = `${whole} --limit 2 --rounds 2 --out ${join(walk.clone.folder, `report-${before}`)}`;
  expectEpisodes(await walk.clone.succeeds(limited), there.includes("--k 2") ? 4 : 2);
  expect(walk.model.asked() - before).toBeGreaterThanOrEqual(4);
}

export async function evaluateBenchmark(walk: Walk, command: string): Promise<void> {
  for (const name of benchmarkNames) {
    walk.clone.write(`AgentEval/${name}/${name}_test.json`, JSON.stringify([{ item_id: `${name}_3` }]));
  }
  const there = walk.clone.inGym(command).replace(/openai:\S+#/, `openai:${walk.model.url}#`);
  expectBenchmark(await walk.clone.succeeds(`${there} --json`));
}

export const benchmarkNames = environmentsOf("agentgym-rl");

/** @param json report of a run over all environments of AgentGym-RL, with a reason for each unplayed one */
export function expectBenchmark(json: string): void {
  const { rows, complete } = JSON.parse(json) as SuiteReport;
  expect([rows.map(({ environment }) => environment), complete]).toEqual([benchmarkNames, true]);
  for (const { environment, report, notPlayed } of rows) {
    if (/textcraft|babyai|sciworld/.test(environment))
      expect(report?.summary).toMatchObject({ episodes: 1, failed: 0 });
    else expect(report?.summary.episodes === 1 || notPlayed?.remedy !== undefined).toBe(true);
  }
}

export async function evaluateExpert(walk: Walk, command: string): Promise<void> {
  const output = await walk.clone.succeeds(`${walk.clone.inGym(command)} --limit 5 --json`);
  expect(JSON.parse(output)).toMatchObject({ summary: { episodes: 5 }, complete: true });
}

/** @param text report on the terminal */
export function expectEpisodes(text: string, count: number): void {
  expect(text).toMatch(new RegExp(`^episodes +${count} of ${count} planned$`, "m"));
}

const shortTraining =
  " --clone_episodes 60 --clone_epochs 1 --total_train_steps 1 --eval_episodes 2 --hidden_size 64 --layers 1" +
  " --batch_size 2 --n_samples 2 --train_tasks babyai:GoToLocal:0-99 --eval_tasks babyai:GoToLocal:100-199";

/** Trains into runs/default, which the pages' `native:` policy names. */
export async function trainShortly(walk: Walk, command: string): Promise<void> {
  const flags = `${shortTraining} --gym http://127.0.0.1:${walk.clone.port} --output runs/default`;
  await walk.clone.succeeds("rm -rf runs/default");
  const { code, stdout, stderr } = await walk.clone.run(
    `${command}${command.startsWith("npm run") ? " --" : ""}${flags}`,
  );
  expect([code, stderr]).toEqual([0, expect.stringContaining("after 1 train step (done)")]);
  expect(stdout + stderr).not.toContain("RIGHT_MISSING");
  expect(existsSync(join(walk.clone.folder, "runs/default/final/config.json"))).toBe(true);
}

export async function readTrainHelp(walk: Walk, command: string): Promise<void> {
  const output = await walk.clone.succeeds(command);
  expect(output).toMatch(/^Basic settings:\n {2}--preset .*\(choices: cpu, .*; default: cpu\)$/m);
}

export async function startEndpointTraining(walk: Walk, command: string): Promise<void> {
  const texts = ["What is", " 7 + 5", " 9 + 4", " 8 + 6", "12", "13", "14", "?"];
  const folder = await writeAgentModel(await engineOfFile(1), temporaryFolder(), { texts, context: 256 });
  const tiny = " --total_train_steps 1 --batch_size 1 --context_length 128 --max_new_tokens 8 --max_tokens_per_mb 1024";
  const port = ` --endpoint_port ${walk.clone.endpointPort} --output runs/agent --ppo_n_minibatches 1 --dtype f32`;
  walk.endpointTraining = walk.clone.start(command.replace(/--model \S+/, `--model ${folder}`) + tiny + port);
  await walk.endpointTraining.prints(new RegExp(`http://127.0.0.1:${walk.clone.endpointPort}`));
}

const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
/** Path of a Python with the package `openai`, which .ci/run installs. */
const pythonWithOpenAI = process.env.OPENAI_PYTHON ?? join(cache, "palestra/openai-3.54.0/bin/python");

export async function trainAgent(walk: Walk, program: string, context: TestContext): Promise<void> {
  if (!existsSync(pythonWithOpenAI)) {
    await walk.endpointTraining?.stop();
    context.skip(`no Python with OpenAI's SDK at ${pythonWithOpenAI}, and no OPENAI_PYTHON`);
  }
  walk.clone.write("agent.py", program);
  const agent = walk.clone.start(`${pythonWithOpenAI} agent.py`);
  // The program plays until the endpoint closes at the end of training.
  const played = await agent.ended;
  expect([played.code, played.stderr]).toEqual([0, ""]);
  const training = await walk.endpointTraining?.ended;
  expect([training?.code, training?.stderr]).toEqual([0, expect.stringContaining("after 1 train step (done)")]);
}

/** Plays the two evaluations that a command compares. */
/** Plays the two evaluations that a command names last. */
async function playTwo({ clone }: Walk, command: string): Promise<void> {
  const [before, after] = command.split(" ").slice(-2);
  for (const [policy, out] of [
    ["expert", before],
    ["random", after],
  ]) {
    const evaluation = clone.inGym(`npx palestra eval --env textcraft --policy ${policy}`);
    await clone.succeeds(`${evaluation} --limit 2 --rounds 4 --out ${out}`);
  }
}

export async function compareEvaluations(walk: Walk, command: string): Promise<void> {
  await playTwo(walk, command);
  expect(await walk.clone.succeeds(command)).toMatch(/^tasks in both {2}2 \(2 pairs of episodes\)$/m);
}

export async function drawRounds(walk: Walk, command: string): Promise<void> {
  await playTwo(walk, command);
  expect(await walk.clone.succeeds(command)).toMatch(/^textcraft@1, \w+\nrounds {2}runs\/before +runs\/after$/m);
}

export async function trainSeeds({ clone }: Walk, command: string): Promise<void> {
  const short = command.replace("--seeds 1,2,3", "--seeds 1,2");
  const output = await clone.succeeds(`${short}${shortTraining} --gym http://127.0.0.1:${clone.port}`);
  expect(output).toMatch(/^held out +seed 1 +seed 2 +first, mean +last, mean \[95 %\] +gain, mean \[95 %\]$/m);
  expect(existsSync(join(clone.folder, "runs/seeds/report.html"))).toBe(true);
}

export async function summarizeRuns({ clone }: Walk, command: string): Promise<void> {
  expect(await clone.succeeds(command)).toMatch(/^study +Training runs seeds, default: 3 runs$/m);
}

export async function exportEpisodes(walk: Walk, command: string): Promise<void> {
  await walk.clone.succeeds(`${walk.clone.inGym("npx palestra eval --env textcraft --policy expert")} --limit 2`);
  await walk.clone.succeeds(command);
  expect(existsSync(join(walk.clone.folder, "steps.parquet"))).toBe(true);
}

export async function exportEvaluation(walk: Walk, command: string): Promise<void> {
  const evaluation = walk.clone.inGym("npx palestra eval --env textcraft --policy expert --out runs/my-eval");
  await walk.clone.succeeds(`${evaluation} --limit 2`);
  await walk.clone.succeeds(command);
  const file = command.split(" ").at(-1) as string;
  expect(existsSync(join(walk.clone.folder, file))).toBe(true);
}
