/**
 * The cost of watching a training run, in one run on the CPU. Short periods with and without a watcher follow each
 * other in random order, and each watched period is compared with the unwatched period of its round. The watcher is a
 * client with the requests of the studio's page. An option adds the page in Chromium, whose work then runs on the same
 * machine. Afterwards the CPU time of the gym for a poll is measured alone.
 */
import { appendFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ServerProcess, scratchDir, startNode } from "../support/server-process.js";
import { cpuSeconds, descendants } from "./cpu-time.js";
import type { BenchResult } from "./report.js";
import { startPalestra } from "./servers.js";
import { ClientWatcher, metricsFrom, nobody, PageWatcher, type Watcher } from "./watchers.js";
import { type Kind, type Period, type PollCpu, resultsOf, type StepRecord } from "./watching-results.js";

export interface WatchingOptions {
  /** Rounds. Each has a period with each watcher, and one with none. */
  rounds: number;
  /** Seconds of a period. */
  seconds: number;
  /** Whether a page in Chromium also watches. */
  browser: boolean;
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

/** Longest time until the first train step. */
const startMs = 10 * 60_000;
/** Pause after a change of the watcher, before the period begins. */
const settleMs = 1_500;
/** Polls whose CPU time is measured alone. */
const countedPolls = 500;

export async function watching({ rounds, seconds, browser }: WatchingOptions): Promise<BenchResult[]> {
  if (!(rounds >= 2 && seconds > 0)) throw new Error("expected at least two rounds, and periods of some seconds");
  const cleanUps: (() => unknown)[] = [];
  try {
    const runs = scratchDir();
    cleanUps.push(runs.remove);
    const server = await startPalestra({ PALESTRA_LOCAL_EXPERT: "true", PALESTRA_RUNS: runs.path });
    cleanUps.push(() => server.stop());
    const training = startTraining(server.url, join(runs.path, "run"));
    cleanUps.push(() => training.kill());
    await untilFirstStep(training, server.url);
    const client = new ClientWatcher(server.url, "run");
    const page = browser ? await PageWatcher.open(server.url, "run") : undefined;
    cleanUps.push(() => page?.close());
    const watchers = new Map<Kind, Watcher>([
      ["nobody", nobody],
      ["client", client],
      ...(page ? [["page", page] as const] : []),
    ]);
    const periods = await measured(rounds, seconds, watchers, training, server.pid);
    const { polls } = client;
    await training.stop();
    const poll = await pollCpu(server.url, server.pid, runs.path);
    return resultsOf(periods, recordsOf(join(runs.path, "run")), poll, polls / (rounds * (seconds + settleMs / 1_000)));
  } finally {
    for (const cleanUp of cleanUps.reverse()) {
      // An error here must not hide the figures, or the error that ended the bench.
      await Promise.resolve()
        .then(cleanUp)
        .catch((error) => console.error(`watching: ${(error as Error).message}`));
    }
  }
}

function startTraining(gym: string, output: string): ServerProcess {
  const flags = Object.entries({ ...settings, output, gym }).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const training = startNode([join("dist", "trainer", "main.js"), "train", ...flags]);
  // A program with unread output would at some time wait for a reader.
  training.discardOutput();
  return training;
}

async function untilFirstStep(training: ServerProcess, url: string): Promise<void> {
  for (const end = Date.now() + startMs; ; await sleep(500)) {
    const page = await metricsFrom(url, "run", 0, null).catch(() => undefined);
    if (page && page.total > 0) return;
    expectRunning(training);
    if (Date.now() > end) throw new Error(`expected a train step within ${startMs / 1_000} s, but received none`);
  }
}

function expectRunning(training: ServerProcess): void {
  if (!training.running)
    throw new Error(`expected the run to continue, but it ended: ${training.stderr.slice(-2_000)}`);
}

async function measured(
  rounds: number,
  seconds: number,
  watchers: ReadonlyMap<Kind, Watcher>,
  training: ServerProcess,
  gym: number,
): Promise<Period[]> {
  const periods: Period[] = [];
  const cpu = () => {
    const browser = descendants(process.pid, [gym, training.pid]);
    return [[gym], [training.pid], browser].map(cpuSeconds) as [number, number, number];
  };
  for (let round = 0; round < rounds; round++) {
    for (const kind of shuffled([...watchers.keys()])) {
      const watcher = watchers.get(kind) as Watcher;
      await watcher.start();
      await sleep(settleMs);
      const [from, before] = [Date.now() / 1_000, cpu()];
      await sleep(seconds * 1_000);
      const [to, after] = [Date.now() / 1_000, cpu()];
      await watcher.stop();
      expectRunning(training);
      const [gymCpu, trainerCpu, browserCpu] = after.map((value, at) => value - (before[at] as number));
      periods.push({ kind, from, to, gymCpu, trainerCpu, browserCpu } as Period);
    }
    if (process.stderr.isTTY) console.error(`watching: round ${round + 1} of ${rounds}`);
  }
  return periods;
}

function shuffled<T>(values: T[]): T[] {
  const keyed = values.map((value) => [Math.random(), value] as const);
  return keyed.sort(([a], [b]) => a - b).map(([, value]) => value);
}

/** Measures polls of a copy of the run that grows by a record for each poll, and polls without a new record. */
async function pollCpu(url: string, gym: number, runs: string): Promise<PollCpu> {
  mkdirSync(join(runs, "copy"));
  cpSync(join(runs, "run", "run.json"), join(runs, "copy", "run.json"));
  const lines = linesOf(join(runs, "run"));
  const added = lines.slice(-countedPolls);
  const path = join(runs, "copy", "metrics.jsonl");
  writeFileSync(path, lines.slice(0, -added.length).map(withFeed).join(""));
  let page = await metricsFrom(url, "copy", 0, null);
  const poll = async () => {
    do page = await metricsFrom(url, "copy", page.next, page.mark);
    while (page.next < page.total);
  };
  const cpuOf = async (count: number, each: (at: number) => Promise<void>) => {
    const before = cpuSeconds([gym]);
    for (let at = 0; at < count; at++) await each(at);
    return (cpuSeconds([gym]) - before) / count;
  };
  await cpuOf(countedPolls, poll);
  const oneRecord = await cpuOf(added.length, async (at) => {
    appendFileSync(path, withFeed(added[at] as string));
    await poll();
  });
  return { oneRecord, unchanged: await cpuOf(countedPolls, poll) };
}

function withFeed(line: string): string {
  return `${line}\n`;
}

function linesOf(output: string): string[] {
  return readFileSync(join(output, "metrics.jsonl"), "utf8").split("\n").slice(0, -1);
}

function recordsOf(output: string): StepRecord[] {
  return linesOf(output).map((line) => JSON.parse(line) as StepRecord);
}
