/** Trains an agent at the endpoint, and measures its success in evaluation before and after, in the same way. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Engine } from "#palestra/native/api/index.js";
import type { TrainObserver, TrainStepReport } from "#palestra/trainer/run/observer.js";
import { checkSettings } from "#palestra/trainer/settings/settings.js";
import { train } from "#palestra/trainer/train.js";
import { claim, type Invitation, post, serve } from "./serving.js";

/** Reward of a call. Without `call`, the reward belongs to the last call. */
export interface Earned {
  call?: string;
  reward: number;
}

/** Plays an episode with the agent's framework. A total reward of 1 counts as solved. */
export type Agent = (rollout: Invitation, task: string) => Promise<Earned[]>;

export interface Course {
  engine: Engine;
  /** Folder of the starting model. */
  model: string;
  tasks: readonly string[];
  agent: Agent;
  settings?: Record<string, unknown>;
}

class Observer implements TrainObserver {
  readonly steps: TrainStepReport[] = [];
  readonly url: Promise<string>;
  onLearnt = () => {};
  private found: (url: string) => void = () => {};

  constructor() {
    this.url = new Promise((resolve) => {
      this.found = resolve;
    });
  }

  onStage(stage: string): void {
    const url = /http:\S+/.exec(stage)?.[0];
    if (url) this.found(url);
  }
  onTrainStep(report: TrainStepReport): void {
    this.steps.push(report);
    const latest = this.steps.slice(-8).map(scoreOf);
    if (latest.length === 8 && latest.reduce((sum, score) => sum + score, 0) >= 8 * learntScore) this.onLearnt();
  }
  onBackend(): void {}
  onStart(): void {}
  onCloningStep(): void {}
  onStartProgress(): void {}
  onEvaluation(): void {}
  onBeforeCheckpoint(): void {}
  onCheckpoint(): void {}
  onCheckpointFailed(): void {}
}

const nSamples = 8;
/**
 * Mean score of train steps at which training stops. The evaluation samples at half the temperature of training, so it
 * scores higher.
 */
const learntScore = 0.94;
const maxNewTokens = 40;

function scoreOf({ groups }: TrainStepReport): number {
  const rows = groups.flatMap(({ trajectories }) => trajectories);
  return rows.reduce((sum, { return: score }) => sum + score, 0) / rows.length;
}

export async function learn(
  course: Course,
): Promise<{ before: number; after: number; steps: readonly TrainStepReport[] }> {
  const output = mkdtempSync(join(tmpdir(), "palestra-endpoint-"));
  onTestFinished(() => rmSync(output, { recursive: true, force: true }));
  const settings = checkSettings({
    rollout: "endpoint",
    endpoint_port: 0,
    model: course.model,
    output,
    context_length: 256,
    max_tokens_per_mb: 2048,
    max_new_tokens: maxNewTokens,
    n_samples: nSamples,
    batch_size: 8,
    max_concurrent_groups: 16,
    ppo_n_minibatches: 1,
    lr: 1e-3,
    beta2: 0.99,
    total_train_steps: 160,
    save_freq_steps: 1000,
    threads: 1,
    ...course.settings,
  });
  const observer = new Observer();
  const before = await measure(course, course.model);
  const stopping = new AbortController();
  observer.onLearnt = () => stopping.abort(new Error("there is no more to learn"));
  const run = train(settings, undefined, observer, stopping.signal);
  const agents = observer.url.then((url) => playAll(url, course, run));
  agents.catch((error) => stopping.abort(error));
  const [{ model }] = await Promise.all([run, agents]);
  return { before, after: await measure(course, model), steps: observer.steps };
}

/** Plays groups of every task in turn, until the trainer ends. */
async function playAll(url: string, { tasks, agent }: Course, run: Promise<unknown>): Promise<void> {
  let isOver = false;
  run.finally(() => (isOver = true)).catch(() => {});
  let next = 0;
  const worker = async () => {
    while (!isOver) {
      const task = tasks[next++ % tasks.length] as string;
      await Promise.all(Array.from({ length: nSamples }, () => play(url, task, agent))).catch(async (error) => {
        // The end of the run, which saves its model first, also ends open rollouts. Any other error is a fault.
        for (let waited = 0; !isOver && waited < 20_000; waited += 100) {
          await new Promise((resolve) => setTimeout(resolve, 100));
        }
        if (!isOver) throw error;
      });
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}

async function play(url: string, task: string, agent: Agent): Promise<void> {
  const rollout = await claim(url, task);
  const all = await agent(rollout, task);
  for (const [at, earned] of all.entries()) {
    await post(`${url}/rollouts/${rollout.id}/reward`, { ...earned, end: at === all.length - 1 });
  }
}

/** Returns the share of evaluation rollouts that are solved, at half the temperature of training. */
async function measure({ engine, tasks, agent }: Course, folder: string, episodes = 100): Promise<number> {
  const model = await engine.loadModel(folder);
  const { url, endpoint, generator } = await serve(model, { trains: false }, { maxNewTokens, evalTemperature: 0.5 });
  const scores: number[] = [];
  for (const task of tasks) {
    const played = Array.from({ length: episodes / tasks.length }, async () =>
      agent(await claim(url, task, "eval"), task),
    );
    const earned = await Promise.all(played);
    scores.push(...earned.map((all) => all.reduce((sum, { reward }) => sum + reward, 0)));
  }
  await endpoint.close();
  generator.close();
  model.close();
  return scores.filter((score) => score >= 1).length / scores.length;
}
