/**
 * Asynchronous reinforcement learning (AReaL, Fu et al. 2025). Episodes are played and learnt from at the same time, on
 * one engine, with its two lanes for the two. Admission bounds how far the weights may run ahead of what is learnt from;
 * after each train step the new weights are published, and replies under way go on with them.
 */
import { join } from "node:path";
import { Engine, type Generator, type Model, type StepOptions, type Trainer } from "../native/index.js";
import { type Algorithm, createAlgorithm, resolveSettings } from "./algorithms/index.js";
import { Checkpoints, type CheckpointState } from "./data/checkpoint.js";
import type { GymClient } from "./gym.js";
import { evaluateHeldOut, type HeldOutScore } from "./held-out.js";
import { Learner } from "./learner.js";
import { learningRate } from "./learning-rate.js";
import { NativePolicy } from "./policy/native.js";
import { PolicyVersions } from "./policy-versions.js";
import { actionFormat } from "./rollout/action-format.js";
import { Admission } from "./rollout/admission.js";
import { defaultBackOff, type RolloutSettings } from "./rollout/episode-rollout.js";
import { playGroup } from "./rollout/group-rollout.js";
import { RolloutLoop, type RolloutLoopStatistics } from "./rollout/rollout-loop.js";
import type { Group } from "./rollout/trajectory.js";
import { algorithmPart, type TrainSettings, threadsOf } from "./settings.js";
import { type StartObserver, startingModel, trainerOptions } from "./starting-model.js";
import { type GroupTask, TaskMix, type TaskMixState } from "./task-mix.js";
import { boundTaskSets } from "./task-set.js";
import type { TrainStepStatistics } from "./train-step.js";

export interface TrainStepReport extends TrainStepStatistics {
  readonly trainStep: number;
  readonly groups: readonly Group[];
  readonly lr: number;
  readonly rollouts: RolloutLoopStatistics;
  /** Milliseconds: until the batch was there, until it was learnt from, and until the weights were published. */
  readonly waitedMs: number;
  readonly learntMs: number;
  readonly publishedMs: number;
}

export interface Evaluation {
  readonly trainStep: number;
  readonly scores: readonly HeldOutScore[];
}

/** Who hears of it as it goes on. */
export interface TrainObserver extends StartObserver {
  onTrainStep(report: TrainStepReport): void;
  onEvaluation(evaluation: Evaluation): void;
  onCheckpoint(folder: string): void;
}

export interface TrainResult {
  readonly trainSteps: number;
  readonly evaluations: readonly Evaluation[];
  /** Why it ended: all train steps were done, the time was up, or the signal. */
  readonly end: "done" | "time" | "stopped";
  /** Folder of the model. */
  readonly model: string;
}

/**
 * @param signal ends it after a checkpoint of the last train step
 * @throws what the settings, the gym, the engine or the disk refuse; the last checkpoint stays
 */
export async function train(
  settings: TrainSettings,
  gym: GymClient,
  observer: TrainObserver,
  signal: AbortSignal,
): Promise<TrainResult> {
  const { device, dtype, train_share, generate_share } = settings;
  const shares = { train: train_share, generate: generate_share };
  const options = { device: device as "auto", dtype, threads: threadsOf(settings), shares };
  const engine = await Engine.create(options);
  try {
    const taskSets = await boundTaskSets(settings.train_tasks, gym);
    const folder = await startingModel({ engine, gym, settings, taskSets, signal, observer });
    const algorithm = createAlgorithm(algorithmPart(settings));
    const model = await engine.loadModel(folder, { valueHead: algorithm.needs.values });
    const trainer = await model.trainer(trainerOptions(settings));
    const adapters = settings.lora_rank > 0 ? { adapters: trainer } : {};
    const generator = await model.generator({ maxSequences: sequencesOf(settings), ...adapters });
    const reference = algorithm.needs.reference ? await referenceOf(engine, folder, settings) : undefined;
    const run = new Run(settings, gym, observer, signal, {
      algorithm,
      model,
      trainer,
      generator,
      learner: new Learner(trainer, algorithm, settings, reference),
      tasks: new TaskMix(taskSets, settings.seed),
    });
    return await run.toTheEnd();
  } finally {
    await engine.close();
  }
}

interface Parts {
  algorithm: Algorithm;
  model: Model;
  trainer: Trainer;
  generator: Generator;
  learner: Learner;
  tasks: TaskMix;
}

class Run {
  private trainStep = 0;
  private readonly began = performance.now();
  private readonly evaluations: Evaluation[] = [];
  private readonly versions = new PolicyVersions();
  private readonly checkpoints: Checkpoints;
  private readonly admission: Admission;
  private readonly rollouts: RolloutLoop<GroupTask>;
  private readonly policy: NativePolicy;

  constructor(
    private readonly settings: TrainSettings,
    private readonly gym: GymClient,
    private readonly observer: TrainObserver,
    private readonly signal: AbortSignal,
    private readonly parts: Parts,
  ) {
    this.checkpoints = new Checkpoints(join(settings.output, "checkpoints"), settings.save_keep);
    this.policy = this.policyAt(settings.temperature);
    this.admission = new Admission({
      maxConcurrentRollouts: settings.max_concurrent_rollouts,
      maxHeadOffpolicyness: settings.max_head_offpolicyness,
      batchSize: settings.batch_size,
    });
    this.rollouts = this.rolloutLoop();
  }

  async toTheEnd(): Promise<TrainResult> {
    await this.restore();
    if (this.trainStep === 0) await this.evaluate();
    const end = await this.learn();
    await this.rollouts.stop({ abort: true });
    await this.save();
    if (end !== "stopped" && this.evaluations.at(-1)?.trainStep !== this.trainStep) await this.evaluate();
    const model = join(this.settings.output, "final");
    const adapters = this.settings.lora_rank > 0 ? { adapters: this.parts.trainer } : {};
    await this.parts.model.save(model, adapters);
    return { trainSteps: this.trainStep, evaluations: this.evaluations, end, model };
  }

  /** The loop. */
  private async learn(): Promise<TrainResult["end"]> {
    const { settings, rollouts, signal } = this;
    const { learner, generator, model, tasks } = this.parts;
    rollouts.resume();
    while (this.trainStep < settings.total_train_steps) {
      if (this.isTimeUp()) return "time";
      const times = [performance.now()];
      // A batch of groups, none too old, while others are being played. Their order must not depend on who was faster.
      const groups = await rollouts.take(settings.batch_size, signal).catch(ignoreAbort(signal));
      if (!groups) return "stopped";
      groups.sort((a, b) => Number(a.id) - Number(b.id));
      times.push(performance.now());

      const rule = this.rule();
      const statistics = await learner.learn(groups, this.trainStep, rule);
      for (const { id } of groups) tasks.finish(Number(id));
      this.trainStep += 1;
      times.push(performance.now());

      // From here on replies are sampled with the new weights, those under way from their next token.
      this.versions.publish(model.version, this.trainStep);
      await generator.update({ kv: settings.kv_on_update });
      times.push(performance.now());
      this.report(groups, statistics, rule.lr, times);

      const isLast = this.trainStep === settings.total_train_steps;
      if (!isLast && this.trainStep % settings.save_freq_steps === 0) await this.save();
      if (settings.eval_freq_steps > 0 && this.trainStep % settings.eval_freq_steps === 0) await this.evaluate();
      rollouts.advance(this.trainStep);
    }
    return "done";
  }

  private rolloutLoop(): RolloutLoop<GroupTask> {
    const { gym, policy, settings } = this;
    const { algorithm, tasks } = this.parts;
    const size = resolveSettings(algorithmPart(settings)).n_samples;
    return new RolloutLoop<GroupTask>({
      source: tasks,
      admission: this.admission,
      leastSurvivors: Math.min(2, size),
      keeps: (group) => {
        const isKept = algorithm.keeps?.(group) ?? true;
        if (!isKept) tasks.finish(Number(group.id));
        return isKept;
      },
      play: ({ number, task, seed }, signal) =>
        playGroup({ gym, policy, task, settings: this.rolloutSettings(), id: String(number), size, seed, signal }),
    });
  }

  private rolloutSettings(): RolloutSettings {
    const { max_rounds: maxRounds, action_format, rollout_retries: retries } = this.settings;
    return { maxRounds, format: actionFormat(action_format), retries, backOff: defaultBackOff };
  }

  private policyAt(temperature: number): NativePolicy {
    const { generator, model } = this.parts;
    return new NativePolicy({
      generator,
      model,
      context: Math.min(this.settings.context_length, model.config.maxPositions),
      maxNewTokens: this.settings.max_new_tokens,
      temperature,
      topP: this.settings.top_p,
      versionOf: (weights) => this.versions.of(weights),
    });
  }

  private rule(): StepOptions {
    const { beta1, beta2, eps: epsilon, weight_decay: weightDecay, gradient_clipping: clipNorm } = this.settings;
    return { lr: learningRate(this.settings, this.trainStep), beta1, beta2, epsilon, weightDecay, clipNorm };
  }

  private isTimeUp(): boolean {
    const { max_minutes: minutes = Number.POSITIVE_INFINITY } = this.settings;
    return performance.now() - this.began > minutes * 60_000;
  }

  /** On held-out tasks. No rollout begins meanwhile, and no weight changes. */
  private async evaluate(): Promise<void> {
    const { settings, gym, signal } = this;
    const sets = await boundTaskSets(settings.eval_tasks, gym);
    const policy = this.policyAt(settings.eval_temperature);
    const scores = await evaluateHeldOut(sets, {
      gym,
      policy,
      settings: this.rolloutSettings(),
      episodes: settings.eval_episodes,
      seed: settings.seed,
      concurrency: 32,
      signal,
    }).catch(ignoreAbort(signal));
    if (!scores) return;
    const evaluation = { trainStep: this.trainStep, scores };
    this.evaluations.push(evaluation);
    this.observer.onEvaluation(evaluation);
  }

  private async save(): Promise<void> {
    const { trainStep, settings, evaluations } = this;
    const { trainer, tasks, learner } = this.parts;
    const parts = { tasks: tasks.state, carried: learner.carried, evaluations };
    this.observer.onCheckpoint(await this.checkpoints.save(trainer, { format: 1, trainStep, settings, parts }));
  }

  private async restore(): Promise<void> {
    const { settings, admission, rollouts, versions } = this;
    const { trainer, generator, model } = this.parts;
    const state = settings.resume ? await this.checkpoints.restore(trainer) : undefined;
    if (state) this.takeOver(state);
    versions.publish(model.version, this.trainStep);
    await generator.update();
    admission.resume(this.trainStep);
    rollouts.advance(this.trainStep);
  }

  private takeOver({ trainStep, parts }: CheckpointState): void {
    this.trainStep = trainStep;
    this.parts.tasks.restore(parts.tasks as TaskMixState);
    this.parts.learner.carried = parts.carried as number | undefined;
    this.evaluations.push(...(parts.evaluations as Evaluation[]));
    this.observer.onStage(`going on after train step ${trainStep}`);
  }

  private report(groups: readonly Group[], statistics: TrainStepStatistics, lr: number, times: readonly number[]): void {
    const [waitedMs, learntMs, publishedMs] = times.slice(1).map((time, at) => time - (times[at] as number)) as [
      number,
      number,
      number,
    ];
    const { trainStep, observer, rollouts } = this;
    const spent = { waitedMs, learntMs, publishedMs };
    observer.onTrainStep({ ...statistics, trainStep, groups, lr, rollouts: rollouts.statistics, ...spent });
  }
}

/** Sequences that the generator decodes side by side. */
function sequencesOf(settings: TrainSettings): number {
  const { n_samples } = resolveSettings(algorithmPart(settings));
  return Math.min(256, settings.max_concurrent_rollouts * n_samples);
}

async function referenceOf(engine: Engine, folder: string, settings: TrainSettings): Promise<Trainer> {
  const model = await engine.loadModel(folder);
  return model.trainer({ maxTokens: settings.max_tokens_per_mb });
}

/** Undefined where the signal ended it. */
function ignoreAbort(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
    return undefined;
  };
}
