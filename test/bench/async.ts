/**
 * Asynchronous training against synchronous, where the environments' latency has a long tail. All runs begin with one
 * cloned model and do the same number of train steps, on tasks, draws and latencies that follow from the seed.
 */
import { LongTailGym } from "../trainer/support/long-tail-gym.js";
import type { BenchResult } from "./report.js";
import { meanAndError, type Settings, TrainingBench, type TrainingRun } from "./training.js";

export interface AsyncOptions {
  seeds: number;
  steps: number;
  /** Of the engine; 0: all that the machine has. */
  threads: number;
  /** A smoke test: the figures mean nothing. */
  quick: boolean;
}

const latency = { medianMs: 50, p99Ms: 5_000 };

const firstTrained = 1_000_000;
const levels = ["GoToRedBallNoDists", "GoToRedBall"];

const settings = {
  train_tasks: levels.map((level) => `babyai:${level}:${firstTrained}-1999999`),
  eval_tasks: levels.map((level) => `babyai:${level}:0-9999`),
  eval_episodes: 400,
  eval_freq_steps: 0,
  max_rounds: 6,
  context_length: 512,
  layers: 2,
  clone_epochs: 2,
  clone_tokens_per_step: 512,
  clone_episodes: 600,
  language_episodes: 100,
  algorithm: "dr-grpo",
  max_completion_length: 48,
  n_samples: 8,
  batch_size: 32,
  lr: 5e-4,
};

const quickly = { batch_size: 4, eval_episodes: 40 };

interface Mode {
  /** eta */
  readonly staleness: number;
  readonly isDecoupled: boolean;
}

const synchronous: Mode = { staleness: 0, isDecoupled: false };
/** The trainer's default bound. */
const asynchronous: Mode = { staleness: 1, isDecoupled: true };

const modes: readonly Mode[] = [0, 1, 4, 8].flatMap((staleness) => [
  { staleness, isDecoupled: false },
  { staleness, isDecoupled: true },
]);

function nameOf({ staleness, isDecoupled }: Mode): string {
  return `eta ${staleness}${isDecoupled ? ", decoupled" : ""}`;
}

export async function asyncBench(options: AsyncOptions): Promise<BenchResult[]> {
  const bench = await TrainingBench.open();
  try {
    const base = { ...settings, ...(options.quick && quickly), threads: options.threads };
    const start: Settings = { ...base, clone_episodes: 0, model: await bench.clone({ ...base, seed: 1 }) };
    const steps = options.quick ? Math.min(4, options.steps) : options.steps;
    const runs = new Map<string, TrainingRun[]>(modes.map((mode) => [nameOf(mode), []]));
    for (let seed = 1; seed <= (options.quick ? 1 : options.seeds); seed++) {
      for (const mode of modes) {
        // Synchronous, behaviour and proximal policy are one: both losses are the same, which one seed shows.
        if (seed > 1 && mode.staleness === 0 && mode.isDecoupled) continue;
        runs.get(nameOf(mode))?.push(await run(bench, { ...start, seed, total_train_steps: steps }, mode));
      }
    }
    const of = (mode: Mode) => runs.get(nameOf(mode)) ?? [];
    return [...compared(of(asynchronous), of(synchronous)), ...modes.flatMap((mode) => row(mode, of(mode)))];
  } finally {
    await bench.close();
  }
}

/** What is learnt from slow steps; held-out tasks are evaluated without them. */
function run(bench: TrainingBench, base: Settings, { staleness, isDecoupled }: Mode): Promise<TrainingRun> {
  const seed = base.seed as number;
  const isSlow = ({ index }: { index: number }) => index >= firstTrained;
  const gym = new LongTailGym(bench.gym, { latency, seed, isSlow });
  const chosen = {
    ...base,
    max_head_offpolicyness: staleness,
    // As many as admission ever lets in: the tail is to be hidden behind others.
    max_concurrent_rollouts: (staleness + 1) * (base.batch_size as number),
    use_decoupled_loss: isDecoupled,
  };
  return bench.run(`${nameOf({ staleness, isDecoupled })}, seed ${seed}`, chosen, gym);
}

const rateOf = ({ last }: TrainingRun) => last.trainedTokens / last.seconds;
const percent = (share: number) => 100 * share;

function compared(ours: readonly TrainingRun[], theirs: readonly TrainingRun[]): BenchResult[] {
  const mean = (runs: readonly TrainingRun[], of: (run: TrainingRun) => number) => meanAndError(runs.map(of)).mean;
  // By seed: both have the same tasks.
  const gains = meanAndError(ours.map(({ last }, at) => percent(last.success - (theirs[at]?.last.success ?? 0))));
  const against = (name: string, unit: string, of: (run: TrainingRun) => number): BenchResult => ({
    name: `${name}, asynchronous against synchronous`,
    value: mean(ours, of),
    unit,
    baseline: mean(theirs, of),
  });
  return [
    { ...against("trained tokens a second", "tokens/s", rateOf), target: ">= 2.5" },
    against("train steps a minute", "steps/min", ({ last }) => (60 * last.trainStep) / last.seconds),
    { name: "held-out success, asynchronous less synchronous", value: gains.mean, unit: "points", target: ">= -2" },
    { name: "standard error of that", value: gains.error, unit: "points" },
    { name: "held-out success before", value: percent(mean(ours, ({ points }) => points[0]?.success ?? 0)), unit: "%" },
    against("training idle", "%", ({ trainerIdle }) => percent(trainerIdle)),
    against("generation idle", "%", ({ generatorIdle }) => percent(generatorIdle)),
    ...histogram(ours),
  ];
}

function histogram(runs: readonly TrainingRun[]): BenchResult[] {
  const counts = ageCounts(runs);
  const all = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count, age) => ({
    name: `trained tokens of staleness ${age}, asynchronous`,
    value: percent(count / all),
    unit: "%",
  }));
}

function ageCounts(runs: readonly TrainingRun[]): number[] {
  const oldest = Math.max(...runs.map(({ staleness }) => staleness.length));
  return Array.from({ length: oldest }, (_, age) =>
    runs.reduce((sum, { staleness }) => sum + (staleness[age] ?? 0), 0),
  );
}

/** Of the table of staleness and loss. */
function row(mode: Mode, runs: readonly TrainingRun[]): BenchResult[] {
  const name = nameOf(mode);
  const success = meanAndError(runs.map(({ last }) => percent(last.success)));
  const counts = ageCounts(runs);
  const all = counts.reduce((sum, count) => sum + count, 0);
  const dropped = meanAndError(runs.map((one) => one.dropped)).mean;
  return [
    { name: `${name}: held-out success of ${runs.length} seeds`, value: success.mean, unit: "%" },
    { name: `${name}: standard error`, value: success.error, unit: "points" },
    { name: `${name}: trained tokens a second`, value: meanAndError(runs.map(rateOf)).mean, unit: "tokens/s" },
    {
      name: `${name}: mean staleness`,
      value: counts.reduce((sum, count, age) => sum + count * age, 0) / all,
      unit: "versions",
    },
    { name: `${name}: groups dropped as too old, a run`, value: dropped, unit: "groups" },
  ];
}
