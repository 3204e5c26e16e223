/**
 * ScalingInter (Xi et al. 2025, "AgentGym-RL", section 4.2) against a fixed long and a fixed short horizon: the same
 * cloned model, the same number of train steps, and evaluation at the full horizon.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { agentGymRlRounds, type RoundDefaults } from "#palestra/trainer/curriculum/index.js";
import type { BenchResult } from "./report.js";
import { type HorizonCurves, horizonReport } from "./scaling-inter-report.js";
import { meanAndError, type Settings, TrainingBench, type TrainingPoint, type TrainingRun } from "./training.js";

export interface ScalingInterOptions {
  seeds: number;
  steps: number;
  /** Threads of the engine, or 0 for all cores of the machine. */
  threads: number;
  /** Folder for curves.json and report.html. */
  output: string;
  /** Whether this is a smoke test, whose figures mean nothing. */
  quick: boolean;
}

/** Tasks with a key or two doors: the expert needs 2 to 11 rounds, a beginner with errors twice as many. */
const levels = ["UnlockLocal", "OpenTwoDoors"];

/** AgentGym-RL's round caps: 6, 13 and 20. */
const { rounds, evaluation: longest } = agentGymRlRounds.babyai as RoundDefaults;

const settings = {
  train_tasks: levels.map((level) => `babyai:${level}:1000000-1999999`),
  eval_tasks: levels.map((level) => `babyai:${level}:0-9999`),
  eval_episodes: 150,
  max_rounds: longest,
  context_length: 2048,
  layers: 2,
  clone_episodes: 300,
  clone_epochs: 2,
  clone_tokens_per_step: 512,
  language_episodes: 100,
  algorithm: "dr-grpo",
  // Approximate tokens of a reply in each round.
  max_completion_length: 12 * longest,
  n_samples: 8,
  batch_size: 16,
  max_head_offpolicyness: 1,
  lr: 3e-4,
};

const quickly = { batch_size: 4, eval_episodes: 20 };

interface Horizon {
  readonly name: string;
  /** Returns settings with the rounds of new episodes for a run of `steps` train steps. */
  settings(steps: number): Settings;
}

/** Rounds in training. Evaluations have the full horizon. */
function capped(caps: readonly number[]): Horizon["settings"] {
  return (steps) => ({ rounds_ctrl: caps, steps_scaling_inter: Math.ceil(steps / caps.length) });
}

const horizons: readonly Horizon[] = [
  { name: `ScalingInter ${rounds.join(", ")}`, settings: capped(rounds) },
  { name: `fixed long ${longest}`, settings: capped([longest]) },
  { name: `fixed short ${rounds[0]}`, settings: capped(rounds.slice(0, 1)) },
];

export async function scalingInterBench(options: ScalingInterOptions): Promise<BenchResult[]> {
  const bench = await TrainingBench.open();
  try {
    const steps = options.quick ? Math.min(6, options.steps) : options.steps;
    const base = { ...settings, ...(options.quick && quickly), threads: options.threads };
    const model = await bench.clone({ ...base, seed: 1 });
    const common = { ...base, model, total_train_steps: steps, eval_freq_steps: Math.ceil(steps / 6) };
    const runs = new Map<string, TrainingRun[]>(horizons.map(({ name }) => [name, []]));
    for (let seed = 1; seed <= (options.quick ? 1 : options.seeds); seed++) {
      for (const { name, settings: own } of horizons) {
        const chosen = { ...common, ...own(steps), seed };
        runs.get(name)?.push(await bench.run(`${name}, seed ${seed}`, chosen));
      }
    }
    const curves = [...runs].map(([name, own]) => ({ name, seeds: own.map(({ points }) => points) }));
    writeCurves(options.output, curves);
    return curves.flatMap(figures);
  } finally {
    await bench.close();
  }
}

function writeCurves(folder: string, curves: readonly HorizonCurves[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "curves.json"), `${JSON.stringify(curves, null, 2)}\n`);
  writeFileSync(join(folder, "report.html"), horizonReport(curves, levels));
  process.stderr.write(`curves: ${join(folder, "curves.json")} and report.html beside it\n`);
}

function figures({ name, seeds }: HorizonCurves): BenchResult[] {
  const last = seeds.map((points) => points.at(-1) as TrainingPoint);
  const success = meanAndError(last.map((point) => 100 * point.success));
  const area = meanAndError(seeds.map((points) => (100 * total(points.map((point) => point.success))) / points.length));
  const mean = (of: (point: TrainingPoint) => number) => meanAndError(last.map(of)).mean;
  return [
    { name: `${name}: held-out success of ${seeds.length} seeds`, value: success.mean, unit: "%" },
    { name: `${name}: standard error`, value: success.error, unit: "points" },
    { name: `${name}: mean of the curve`, value: area.mean, unit: "%" },
    { name: `${name}: trained tokens`, value: mean(({ trainedTokens }) => trainedTokens), unit: "tokens" },
    { name: `${name}: played tokens`, value: mean(({ playedTokens }) => playedTokens), unit: "tokens" },
    { name: `${name}: time of training`, value: mean(({ seconds }) => seconds), unit: "s" },
  ];
}

function total(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
