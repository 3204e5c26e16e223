/** What a run says of the time that its two halves wait: a real gym, the real engine, a very small model. */
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { TrainReport } from "#palestra/trainer/commands/train-report.js";
import { PalestraClient } from "#palestra/trainer/gym-client.js";
import { readMetrics, type TrainRecord } from "#palestra/trainer/report/index.js";
import { checkSettings } from "#palestra/trainer/settings.js";
import { train } from "#palestra/trainer/train.js";
import { needsEngine } from "../native/tiny-models.js";
import { type RunningServer, scratchDir, startGym } from "../support/server-process.js";
import { LongTailGym } from "./support/long-tail-gym.js";

needsEngine();
const scratch = scratchDir();
let server: RunningServer;
let gym: PalestraClient;

beforeAll(async () => {
  server = await startGym({ dataDir: join(scratch.path, "gym"), env: { PALESTRA_LOCAL_EXPERT: "true" } });
  gym = await PalestraClient.connect(server.url);
});
afterAll(async () => {
  await gym?.close();
  await server?.process.stop();
  scratch.remove();
});

/** Three train steps, an evaluation after the second; each reply of the environment is held back by about 50 ms. */
async function records(max_head_offpolicyness: number): Promise<TrainRecord[]> {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const output = join(scratch.path, `eta-${max_head_offpolicyness}`);
  const settings = checkSettings({
    output,
    max_head_offpolicyness,
    train_tasks: ["textcraft:all:0-3"],
    eval_tasks: ["textcraft:all:0-3"],
    max_rounds: 3,
    hidden_size: 64,
    layers: 1,
    context_length: 512,
    max_tokens_per_mb: 1024,
    clone_episodes: 20,
    clone_epochs: 2,
    language_episodes: 10,
    batch_size: 2,
    n_samples: 4,
    ppo_n_minibatches: 2,
    max_new_tokens: 8,
    total_train_steps: 3,
    eval_freq_steps: 2,
    eval_episodes: 5,
    threads: 1,
  });
  const report = new TrainReport(settings);
  const slow = new LongTailGym(gym, { latency: { medianMs: 50, p99Ms: 60 }, seed: 1 });
  await train(settings, slow, report, new AbortController().signal).finally(() => report.close());
  vi.restoreAllMocks();
  return readMetrics(join(output, "metrics.jsonl"));
}

test("synchronous, generation is idle while the trainer learns and while every environment thinks, and evaluations do not count", async () => {
  for (const record of await records(0)) {
    const [step = 0, wait = 0, update = 0] = (["step", "wait", "update"] as const).map(
      (part) => record[`timing_s/${part}`],
    );
    const idle = (record["perf/idle/generate"] as number) * step;
    expect(record["perf/idle/train"]).toBeCloseTo(wait / step, 6);
    expect(idle).toBeGreaterThan(update);
    expect(idle).toBeLessThanOrEqual(step);
    // Of this step's batch and nothing else: evaluations lie between the steps.
    const sampled = (record["response_length/mean"] as number) * (record["episode/count"] as number);
    expect((record["perf/generation_throughput"] as number) * step).toBeCloseTo(sampled, 3);
  }
});

test("asynchronous, both shares are shares of the step", async () => {
  const all = await records(2);
  expect(all.map(({ step }) => step)).toEqual([1, 2, 3]);
  for (const record of all) {
    for (const idle of [record["perf/idle/train"], record["perf/idle/generate"]]) {
      expect(idle).toBeGreaterThanOrEqual(0);
      expect(idle).toBeLessThanOrEqual(1);
    }
  }
});
