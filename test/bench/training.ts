/** Measured training runs. They run in turn, each on its own gym, from one cloned model. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { GymClient } from "#palestra/trainer/gym/gym.js";
import { PalestraClient } from "#palestra/trainer/gym/gym-client.js";
import { batchMetrics } from "#palestra/trainer/report/batch-metrics.js";
import type { Evaluation, TrainObserver, TrainStepReport } from "#palestra/trainer/run/observer.js";
import { checkSettings } from "#palestra/trainer/settings/settings.js";
import { train } from "#palestra/trainer/train.js";
import { scratchDir } from "../support/server-process.js";
import { type ServerProcess, startPalestra } from "./servers.js";

/** Settings by name, as in a settings file. */
export type Settings = Readonly<Record<string, unknown>>;

/** Sums over a run so far. */
export interface TrainingSums {
  /** Seconds of training, without evaluations. */
  readonly seconds: number;
  /** Seconds in which training waited, and seconds in which generation had nothing to do. */
  readonly trainerIdle: number;
  readonly generatorIdle: number;
  /** Number of trained tokens. */
  readonly trainedTokens: number;
  /** Number of tokens in all episodes of the batches, trained or not. */
  readonly playedTokens: number;
}

/** State of a run at an evaluation. */
export interface TrainingPoint extends TrainingSums {
  readonly trainStep: number;
  /** Mean share of solved tasks over the held-out task sets. */
  readonly success: number;
}

export interface TrainingRun {
  /** Evaluations, including the one before the first train step. */
  readonly points: readonly TrainingPoint[];
  readonly last: TrainingPoint;
  /** Sums after each train step. */
  readonly steps: readonly TrainingSums[];
  /** Trained tokens by staleness: entry s counts tokens that are s versions old. */
  readonly staleness: readonly number[];
}

export class TrainingBench {
  private readonly scratch = scratchDir();

  private constructor(
    private readonly server: ServerProcess,
    readonly gym: GymClient,
  ) {}

  static async open(): Promise<TrainingBench> {
    const server = await startPalestra({ PALESTRA_LOCAL_EXPERT: "true" });
    return new TrainingBench(server, await PalestraClient.connect(server.url));
  }

  /** Clones the model that all runs start with. @returns its folder */
  async clone(settings: Settings): Promise<string> {
    const output = join(this.scratch.path, "start");
    await this.train({ ...settings, output, total_train_steps: 0 }, this.gym, new Meter("cloning"));
    return join(output, "cloned");
  }

  /** @param gym gym to train in. Default: an ordinary gym */
  async run(name: string, settings: Settings, gym: GymClient = this.gym): Promise<TrainingRun> {
    const output = join(this.scratch.path, "run");
    const meter = new Meter(name);
    await this.train({ ...settings, output, clone_episodes: 0 }, gym, meter);
    await rm(output, { recursive: true });
    return meter.measured();
  }

  async close(): Promise<void> {
    await this.gym.close();
    await this.server.stop();
    this.scratch.remove();
  }

  private async train(settings: Settings, gym: GymClient, meter: Meter): Promise<void> {
    await train(checkSettings(settings), gym, meter, new AbortController().signal);
  }
}

class Meter implements TrainObserver {
  private readonly points: TrainingPoint[] = [];
  private readonly steps: TrainingSums[] = [];
  private readonly staleness: number[] = [];
  private sums: TrainingSums = { seconds: 0, trainerIdle: 0, generatorIdle: 0, trainedTokens: 0, playedTokens: 0 };
  private since = 0;

  constructor(private readonly name: string) {}

  measured(): TrainingRun {
    const { points, steps, staleness } = this;
    const last = points.at(-1);
    if (!last) throw new Error(`expected the run ${this.name} to be evaluated, but received no evaluation`);
    return { points, last, steps, staleness };
  }

  onStage(stage: string): void {
    this.say(stage);
  }

  onBackend(): void {}
  onCloningStep(): void {}
  onStartProgress(): void {}
  onBeforeCheckpoint(): void {}
  onCheckpoint(): void {}

  onCheckpointFailed(error: Error): never {
    throw error;
  }

  onStart(): void {
    this.since = performance.now();
  }

  onTrainStep(report: TrainStepReport): void {
    const { seconds, trainerIdle, generatorIdle, trainedTokens, playedTokens } = this.sums;
    const now = performance.now();
    const played = report.groups.flatMap(({ trajectories }) => trajectories);
    this.sums = {
      seconds: seconds + (now - this.since) / 1_000,
      trainerIdle: trainerIdle + report.waitedMs / 1_000,
      generatorIdle: generatorIdle + (report.generatorIdleMs ?? 0) / 1_000,
      trainedTokens: trainedTokens + report.trainedTokens,
      playedTokens: playedTokens + played.reduce((sum, { tokens }) => sum + tokens.length, 0),
    };
    this.steps.push(this.sums);
    this.since = now;
    const { staleness } = batchMetrics(report.groups, report.credits, report.trainStep - 1);
    for (const [age, tokens] of staleness.entries()) this.staleness[age] = (this.staleness[age] ?? 0) + tokens;
  }

  onEvaluation({ trainStep, scores }: Evaluation): void {
    const { seconds, trainedTokens } = this.sums;
    const success = meanAndError(scores.map((score) => score.success ?? Number.NaN)).mean;
    if (Number.isNaN(success)) throw new Error(`expected ${this.name} to be evaluated, but received failures alone`);
    this.points.push({ ...this.sums, trainStep, success });
    const rate = trainStep > 0 ? `, ${Math.round(trainedTokens / seconds)} tokens/s` : "";
    this.say(
      `train step ${trainStep}: ${(100 * success).toFixed(1)} % solved, ${seconds.toFixed(0)} s of training${rate}`,
    );
    this.since = performance.now();
  }

  private say(line: string): void {
    process.stderr.write(`${this.name}: ${line}\n`);
  }
}

/** Returns the mean and its standard error over the seeds, which is 0 for a single seed. */
export function meanAndError(values: readonly number[]): { mean: number; error: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  if (values.length < 2) return { mean, error: 0 };
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, error: Math.sqrt(squares / (values.length - 1) / values.length) };
}
