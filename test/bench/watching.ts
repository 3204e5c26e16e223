/**
 * The cost of watching a training run: its rate of tokens while the studio's calls poll it, against its rate in the
 * periods between, in one run on the CPU.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { scratchDir, startNode } from "../support/server-process.js";
import { type BenchResult, median } from "./report.js";
import { startPalestra } from "./servers.js";

export interface WatchingOptions {
  /** Number of periods with watchers, each followed by a period without. */
  pairs: number;
  /** Seconds of a period. */
  seconds: number;
}

interface StepRecord {
  readonly time: number;
  readonly "timing_s/step"?: number;
  readonly "perf/throughput"?: number;
}

const settings = {
  train_tasks: "textcraft:all:0-3",
  eval_tasks: "textcraft:all:0-3",
  max_rounds: 3,
  hidden_size: 64,
  layers: 1,
  context_length: 512,
  max_tokens_per_mb: 1024,
  clone_episodes: 40,
  clone_epochs: 30,
  language_episodes: 10,
  batch_size: 3,
  n_samples: 4,
  max_new_tokens: 16,
  total_train_steps: 1_000_000,
  save_freq_steps: 1_000_000,
  eval_freq_steps: 0,
  eval_episodes: 1,
  threads: 1,
};

export async function watching({ pairs, seconds }: WatchingOptions): Promise<BenchResult[]> {
  const scratch = scratchDir();
  const server = await startPalestra({ PALESTRA_LOCAL_EXPERT: "true", PALESTRA_RUNS: scratch.path });
  const output = join(scratch.path, "run");
  const flags = Object.entries({ ...settings, output, gym: server.url }).flatMap(([name, value]) => [
    `--${name}`,
    String(value),
  ]);
  const training = startNode([join("dist", "server", "cli.js"), "train", ...flags]);
  try {
    const watcher = new Watcher(server.url);
    while (!(await watcher.poll())) await sleep(500);
    await sleep(seconds * 1_000);
    const periods: { from: number; to: number; isWatched: boolean }[] = [];
    for (let at = 0; at < 2 * pairs; at++) {
      // Which comes first alternates, since the rate of a run drifts.
      const isWatched = at % 4 === 1 || at % 4 === 2;
      const from = Date.now() / 1_000;
      const to = from + seconds;
      while (Date.now() / 1_000 < to) {
        if (isWatched) await watcher.poll();
        await sleep(Math.min(1_000, Math.max(0, to * 1_000 - Date.now())));
      }
      periods.push({ from, to, isWatched });
    }
    return resultsOf(rates(recordsOf(output), periods), watcher.calls);
  } finally {
    await training.kill();
    await server.stop();
    scratch.remove();
  }
}

/** Polls as the page of a run does: new metrics, and the groups of the newest train step. */
class Watcher {
  calls = 0;
  private from = 0;
  private mark: string | null = null;

  constructor(private readonly url: string) {}

  /** Returns whether the run has logged a train step. */
  async poll(): Promise<boolean> {
    const query = new URLSearchParams({ from: String(this.from), ...(this.mark !== null && { mark: this.mark }) });
    const metrics = await fetch(`${this.url}/v1/runs/run/metrics?${query}`);
    const groups = await fetch(`${this.url}/v1/runs/run/groups`);
    this.calls += 2;
    const page = (await metrics.json()) as { next: number; mark: string | null };
    await groups.arrayBuffer();
    if (!metrics.ok) return false;
    ({ next: this.from, mark: this.mark } = page);
    return groups.ok;
  }
}

function recordsOf(output: string): StepRecord[] {
  const lines = readFileSync(join(output, "metrics.jsonl"), "utf8").split("\n").slice(0, -1);
  return lines.map((line) => JSON.parse(line) as StepRecord);
}

/** Returns the tokens a second of each period, from the train steps that lie in it as a whole. */
function rates(
  records: readonly StepRecord[],
  periods: readonly { from: number; to: number; isWatched: boolean }[],
): { isWatched: boolean; rate: number }[] {
  return periods.map(({ from, to, isWatched }) => {
    let [tokens, seconds] = [0, 0];
    for (const { time, "timing_s/step": duration, "perf/throughput": rate } of records) {
      if (duration === undefined || rate === undefined || time - duration < from || time > to) continue;
      tokens += rate * duration;
      seconds += duration;
    }
    if (seconds === 0) throw new Error("expected a train step in every period, but received none");
    return { isWatched, rate: tokens / seconds };
  });
}

function resultsOf(measured: readonly { isWatched: boolean; rate: number }[], calls: number): BenchResult[] {
  const pairs = Array.from({ length: measured.length / 2 }, (_, at) => measured.slice(2 * at, 2 * at + 2));
  const rateOf = (pair: typeof measured, isWatched: boolean) =>
    pair.find((period) => period.isWatched === isWatched)?.rate as number;
  const ratios = pairs.map((pair) => rateOf(pair, true) / rateOf(pair, false));
  const meanRate = (isWatched: boolean) => {
    const periods = measured.filter((period) => period.isWatched === isWatched);
    return periods.reduce((sum, { rate }) => sum + rate, 0) / periods.length;
  };
  return [
    { name: "rate of a watched run", value: meanRate(true), unit: "tokens/s", baseline: meanRate(false) },
    { name: "watched over not watched, median of pairs", value: median(ratios), unit: "", target: ">= 0.98" },
    { name: "least ratio of a pair", value: Math.min(...ratios), unit: "" },
    { name: "highest ratio of a pair", value: Math.max(...ratios), unit: "" },
    { name: "calls of the watcher", value: calls, unit: "" },
  ];
}
