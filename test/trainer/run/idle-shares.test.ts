/** Idle shares of generation and training in a run: a real gym, the real engine, a very small model. */
import { join } from "node:path";
import { expect, test, vi } from "vitest";
import type { TrainRecord } from "#palestra/trainer/report/metric-names.js";
import { readMetrics } from "#palestra/trainer/report/metrics.js";
import { TrainReport } from "#palestra/trainer/report/train-report.js";
import { train } from "#palestra/trainer/train.js";
import { needsEngine } from "../../native/tiny-models.js";
import { trainSteps } from "../../support/train-records.js";
import { gymOfFile } from "../support/gym-of-file.js";
import { LongTailGym } from "../support/long-tail-gym.js";
import { tinySettings } from "../support/training.js";

needsEngine();
const file = gymOfFile();

/** Three train steps, with an evaluation after the second. Each reply of the environment is delayed by about 50 ms. */
async function records(max_head_offpolicyness: number): Promise<TrainRecord[]> {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const output = join(file.folder, `eta-${max_head_offpolicyness}`);
  const settings = tinySettings(output, {
    max_head_offpolicyness,
    clone_episodes: 20,
    clone_epochs: 2,
    batch_size: 2,
    max_new_tokens: 8,
    total_train_steps: 3,
    eval_freq_steps: 2,
  });
  const report = new TrainReport(settings);
  const slow = new LongTailGym(file.gym, { latency: { medianMs: 50, p99Ms: 60 }, seed: 1 });
  await train(settings, slow, report, new AbortController().signal).finally(() => report.close());
  vi.restoreAllMocks();
  return trainSteps(readMetrics(join(output, "metrics.jsonl")));
}

test("in synchronous mode generation is idle while the trainer learns and while all environments compute, and evaluations do not count", async () => {
  for (const record of await records(0)) {
    const [step = 0, wait = 0, update = 0] = (["step", "wait", "update"] as const).map(
      (part) => record[`timing_s/${part}`],
    );
    const idle = (record["perf/idle/generate"] as number) * step;
    expect(record["perf/idle/train"]).toBeCloseTo(wait / step, 6);
    expect(idle).toBeGreaterThan(update);
    expect(idle).toBeLessThanOrEqual(step);
    // The figures cover only this step's batch, since evaluations happen between steps.
    const sampled = (record["response_length/mean"] as number) * (record["episode/count"] as number);
    expect((record["perf/generation_throughput"] as number) * step).toBeCloseTo(sampled, 3);
  }
});

test("in asynchronous mode both idle times are shares of the step", async () => {
  const all = await records(2);
  expect(all.map(({ step }) => step)).toEqual([1, 2, 3]);
  for (const record of all) {
    for (const idle of [record["perf/idle/train"], record["perf/idle/generate"]]) {
      expect(idle).toBeGreaterThanOrEqual(0);
      expect(idle).toBeLessThanOrEqual(1);
    }
  }
});
