/**
 * Asynchronous against synchronous training, with environments whose latency has a long tail. All runs start with one cloned
 * model and do the same number of train steps, on tasks, random numbers and latencies that the seed determines.
 *
 * The result of a synchronous run does not depend on latency. So it runs to its end without latency, and only its first
 * train steps also run with latency. Both runs must have the same tokens. Rates and idle shares of both modes are
 * measured in these first steps.
 */
import { LongTailGym } from "../trainer/support/long-tail-gym.js";
import type { BenchResult } from "./report.js";
import { meanAndError, type Settings, TrainingBench, type TrainingRun, type TrainingSums } from "./training.js";

export interface AsyncOptions {
  seeds: number;
  steps: number;
  /** Threads of the engine, or 0 for all cores of the machine. */
  threads: number;
  /** Whether this is a smoke test, whose figures mean nothing. */
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
  ppo_n_minibatches: 2,
  lr: 3e-4,
};

const quickly = { batch_size: 4, eval_episodes: 40 };

/** Share of the train steps that is timed. */
const timedShare = 1 / 5;

interface Mode {
  /** Bound on staleness, eta. */
  readonly staleness: number;
  readonly isDecoupled: boolean;
}

const synchronous: Mode = { staleness: 0, isDecoupled: false };
/** The trainer's default bound on staleness. */
const asynchronous: Mode = { staleness: 1, isDecoupled: true };

const modes: readonly Mode[] = [0, 1, 4, 8].flatMap((staleness) => [
  { staleness, isDecoupled: false },
  { staleness, isDecoupled: true },
]);

function nameOf({ staleness, isDecoupled }: Mode): string {
  return `eta ${staleness}${isDecoupled ? ", decoupled" : ""}`;
}

/** Result of a run with one mode and seed. */
interface Measured {
  /** Result of the whole run, without latency if it is synchronous. */
  readonly run: TrainingRun;
  /** State after the timed train steps, with latency. */
  readonly timed: TrainingSums;
}

export async function asyncBench(options: AsyncOptions): Promise<BenchResult[]> {
  const bench = await TrainingBench.open();
  try {
    const base = { ...settings, ...(options.quick && quickly), threads: options.threads };
    const start = { ...base, model: await bench.clone({ ...base, seed: 1 }) };
    const steps = options.quick ? Math.min(6, options.steps) : options.steps;
    const all = new Map<string, Measured[]>(modes.map((mode) => [nameOf(mode), []]));
    for (let seed = 1; seed <= (options.quick ? 1 : options.seeds); seed++) {
      for (const mode of modes) {
        // In a synchronous run the behaviour and proximal policies are the same, and so are both losses. One seed shows it.
        if (seed > 1 && mode.staleness === 0 && mode.isDecoupled) continue;
        all.get(nameOf(mode))?.push(await measure(bench, mode, { ...start, seed, total_train_steps: steps }));
      }
    }
    const of = (mode: Mode) => all.get(nameOf(mode)) ?? [];
    return [...compared(of(asynchronous), of(synchronous)), ...modes.flatMap((mode) => row(mode, of(mode)))];
  } finally {
    await bench.close();
  }
}

async function measure(bench: TrainingBench, mode: Mode, base: typeof settings & Settings): Promise<Measured> {
  const { staleness, isDecoupled } = mode;
  const seed = base.seed as number;
  const steps = base.total_train_steps as number;
  const timedSteps = Math.ceil(steps * timedShare);
  const name = `${nameOf(mode)}, seed ${seed}`;
  const chosen = {
    ...base,
    max_head_offpolicyness: staleness,
    // Number of concurrent episodes: as many as admission allows, so that slow episodes overlap with others.
    max_concurrent_groups: (staleness + 1) * base.batch_size,
    use_decoupled_loss: isDecoupled,
  };
  // Held-out tasks are evaluated without latency.
  const isSlow = ({ index }: { index: number }) => index >= firstTrained;
  const slow = new LongTailGym(bench.gym, { latency, seed, isSlow });
  if (staleness > 0) {
    const run = await bench.run(name, chosen, slow);
    return { run, timed: sumsAfter(run, timedSteps) };
  }
  const run = await bench.run(`${name}, without latency`, chosen);
  const waiting = await bench.run(name, { ...chosen, total_train_steps: timedSteps, eval_episodes: 1 }, slow);
  const timed = sumsAfter(waiting, timedSteps);
  expectSame(timed, sumsAfter(run, timedSteps));
  return { run, timed };
}

function sumsAfter({ steps }: TrainingRun, count: number): TrainingSums {
  const sums = steps[count - 1];
  if (sums) return sums;
  throw new Error(`expected a run of at least ${count} train steps, but received ${steps.length}`);
}

function expectSame(timed: TrainingSums, whole: TrainingSums): void {
  if (timed.trainedTokens === whole.trainedTokens && timed.playedTokens === whole.playedTokens) return;
  throw new Error(
    `expected latency to change nothing of a synchronous run, but received ${timed.playedTokens} played tokens with it and ${whole.playedTokens} without`,
  );
}

const rateOf = ({ trainedTokens, seconds }: TrainingSums) => trainedTokens / seconds;
const percent = (share: number) => 100 * share;
const meanOf = <T>(all: readonly T[], of: (one: T) => number) => meanAndError(all.map(of)).mean;
const successOf = ({ run }: Measured) => percent(run.last.success);

function compared(ours: readonly Measured[], theirs: readonly Measured[]): BenchResult[] {
  // Runs are compared by seed, since runs with equal seeds have the same tasks.
  const gains = meanAndError(ours.map((one, at) => successOf(one) - successOf(theirs[at] ?? one)));
  const against = (name: string, unit: string, of: (timed: TrainingSums) => number): BenchResult => ({
    name: `${name}, asynchronous against synchronous`,
    value: meanOf(ours, ({ timed }) => of(timed)),
    unit,
    baseline: meanOf(theirs, ({ timed }) => of(timed)),
  });
  return [
    { ...against("trained tokens a second", "tokens/s", rateOf), target: ">= 2.5" },
    against("time of the timed train steps", "s", ({ seconds }) => seconds),
    { name: "held-out success, asynchronous less synchronous", value: gains.mean, unit: "points", target: ">= -2" },
    { name: "standard error of that", value: gains.error, unit: "points" },
    {
      name: "held-out success before the first train step",
      value: meanOf(theirs, ({ run }) => percent(run.points[0]?.success ?? 0)),
      unit: "%",
    },
    against("training idle", "%", ({ trainerIdle, seconds }) => percent(trainerIdle / seconds)),
    against("generation idle", "%", ({ generatorIdle, seconds }) => percent(generatorIdle / seconds)),
    ...histogram(ours),
  ];
}

function histogram(all: readonly Measured[]): BenchResult[] {
  const counts = countsByStaleness(all);
  const tokens = counts.reduce((sum, count) => sum + count, 0);
  return counts.map((count, age) => ({
    name: `trained tokens of staleness ${age}, asynchronous`,
    value: percent(count / tokens),
    unit: "%",
  }));
}

function countsByStaleness(all: readonly Measured[]): number[] {
  const oldest = Math.max(...all.map(({ run }) => run.staleness.length));
  return Array.from({ length: oldest }, (_, age) => all.reduce((sum, { run }) => sum + (run.staleness[age] ?? 0), 0));
}

/** Returns the rows of the table of staleness and loss. */
function row(mode: Mode, all: readonly Measured[]): BenchResult[] {
  const name = nameOf(mode);
  const success = meanAndError(all.map(successOf));
  const counts = countsByStaleness(all);
  const tokens = counts.reduce((sum, count) => sum + count, 0);
  const ages = counts.reduce((sum, count, age) => sum + count * age, 0);
  return [
    { name: `${name}: held-out success, seeds ${all.length}`, value: success.mean, unit: "%" },
    { name: `${name}: standard error`, value: success.error, unit: "points" },
    { name: `${name}: trained tokens a second`, value: meanOf(all, ({ timed }) => rateOf(timed)), unit: "tokens/s" },
    { name: `${name}: mean staleness`, value: ages / tokens, unit: "versions" },
  ];
}
