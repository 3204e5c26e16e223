/**
 * Asynchronous reinforcement learning (AReaL, Fu et al. 2025). Episodes are played and learnt from at the same time, on
 * one engine, with its two lanes for the two. Admission bounds how far the weights may run ahead of what is learnt from;
 * after each train step the new weights are published, and replies under way go on with them.
 */
import { setMaxListeners } from "node:events";
import { join } from "node:path";
import { Engine, type Generator, type Model, type StepOptions, type Trainer } from "../native/index.js";
import { type Algorithm, createAlgorithm, resolveSettings } from "./algorithms/index.js";
import { Checkpoints } from "./data/checkpoint.js";
import { GenerationMeter } from "./generation-meter.js";
import { type GroupTask, GroupTasks, type GroupTasksState } from "./group-tasks.js";
import type { GymClient } from "./gym.js";
import { evaluateHeldOut } from "./held-out.js";
import { Learner, type TrainStep } from "./learner.js";
import { learningRate } from "./learning-rate.js";
import { NativePolicy } from "./policy/native.js";
import { PolicyVersions } from "./policy-versions.js";
import { actionFormat } from "./rollout/action-format.js";
import { Admission } from "./rollout/admission.js";
import { defaultBackOff, type RolloutSettings } from "./rollout/episode-rollout.js";
import { playGroup } from "./rollout/group-rollout.js";
import { RolloutLoop } from "./rollout/rollout-loop.js";
import type { Group } from "./rollout/trajectory.js";
import { type RunCurriculum, runCurriculum } from "./run-curriculum.js";
import { algorithmPart, type TrainSettings, threadsOf } from "./settings.js";
import { startingModel, trainerOptions } from "./starting-model.js";
import { type BoundedTaskSet, boundTaskSets } from "./task-set.js";
import type { Evaluation, TrainObserver } from "./train-observer.js";

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
  const began = performance.now();
  // Every request that is under way listens to it.
  setMaxListeners(0, signal);
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
    const checkpoints = new Checkpoints(join(settings.output, "checkpoints"), settings.save_keep);
    const checkpoint = settings.resume ? await checkpoints.restore(trainer) : undefined;
    if (checkpoint) observer.onStage(`going on after train step ${checkpoint.trainStep}`);
    const saved = (checkpoint?.parts ?? {}) as Partial<SavedParts>;
    const adapters = settings.lora_rank > 0 ? { adapters: trainer } : {};
    const generator = await model.generator({ maxSequences: sequencesOf(settings), ...adapters });
    const reference = algorithm.needs.reference ? await referenceOf(engine, folder, settings) : undefined;
    const learner = new Learner(trainer, algorithm, settings, reference, saved.carried);
    const parts = { algorithm, model, trainer, generator, learner, checkpoints, taskSets, began };
    const run = new Run(settings, gym, observer, signal, parts, checkpoint?.trainStep ?? 0, saved);
    return await run.toTheEnd();
  } finally {
    await engine.close();
  }
}

interface Parts {
  readonly algorithm: Algorithm;
  readonly model: Model;
  readonly trainer: Trainer;
  readonly generator: Generator;
  readonly learner: Learner;
  readonly checkpoints: Checkpoints;
  readonly taskSets: readonly BoundedTaskSet[];
  /** When the run did, cloning included. */
  readonly began: number;
}

/** What a checkpoint keeps beside weights and optimiser. */
interface SavedParts {
  readonly tasks: GroupTasksState;
  readonly filter: unknown;
  readonly carried: number | undefined;
  readonly evaluations: readonly Evaluation[];
}

class Run {
  private readonly evaluations: Evaluation[];
  private readonly versions = new PolicyVersions();
  private readonly curriculum: RunCurriculum;
  private readonly tasks: GroupTasks;
  private readonly rollouts: RolloutLoop<GroupTask>;
  private readonly policy: NativePolicy;
  private readonly generation: GenerationMeter;

  /** @param trainStep train steps that are done */
  constructor(
    private readonly settings: TrainSettings,
    private readonly gym: GymClient,
    private readonly observer: TrainObserver,
    private readonly signal: AbortSignal,
    private readonly parts: Parts,
    private trainStep: number,
    { tasks, filter, evaluations = [] }: Partial<SavedParts>,
  ) {
    this.evaluations = [...evaluations];
    this.curriculum = runCurriculum(settings, parts.taskSets, () => this.trainStep, {
      tasks: tasks?.curriculum,
      filter,
    });
    this.tasks = new GroupTasks(this.curriculum.tasks, settings.seed, tasks);
    this.policy = this.policyAt(settings.temperature);
    this.rollouts = this.rolloutLoop();
    this.generation = new GenerationMeter(parts.generator);
  }

  async toTheEnd(): Promise<TrainResult> {
    const { settings, versions, rollouts } = this;
    const { model, generator, trainer } = this.parts;
    versions.publish(model.version, this.trainStep);
    await generator.update();
    this.observer.onStart(this.trainStep);
    if (this.evaluations.length === 0) await this.evaluate();
    const end = await this.learn();
    await rollouts.stop({ abort: true });
    await this.save();
    if (end !== "stopped" && this.evaluations.at(-1)?.trainStep !== this.trainStep) await this.evaluate();
    const folder = join(settings.output, "final");
    await model.save(folder, settings.lora_rank > 0 ? { adapters: trainer } : {});
    return { trainSteps: this.trainStep, evaluations: this.evaluations, end, model: folder };
  }

  /** The loop. */
  private async learn(): Promise<TrainResult["end"]> {
    const { settings, rollouts, signal } = this;
    const { learner, generator, model } = this.parts;
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
      const step = await learner.learn(groups, this.trainStep, rule);
      this.trainStep += 1;
      for (const group of groups) this.finish(group);
      times.push(performance.now());

      // From here on replies are sampled with the new weights, those under way from their next token.
      this.versions.publish(model.version, this.trainStep);
      await generator.update({ kv: settings.kv_on_update });
      times.push(performance.now());
      this.report(groups, step, rule.lr, times);

      const isLast = this.trainStep === settings.total_train_steps;
      if (!isLast && this.trainStep % settings.save_freq_steps === 0) await this.save();
      if (settings.eval_freq_steps > 0 && this.trainStep % settings.eval_freq_steps === 0) await this.evaluate();
      rollouts.advance(this.trainStep);
    }
    return "done";
  }

  private rolloutLoop(): RolloutLoop<GroupTask> {
    const { gym, policy, settings, tasks, curriculum } = this;
    const { algorithm } = this.parts;
    const { n_samples: size } = resolveSettings(algorithmPart(settings));
    const admission = new Admission({
      maxConcurrentRollouts: settings.max_concurrent_rollouts,
      maxHeadOffpolicyness: settings.max_head_offpolicyness,
      batchSize: settings.batch_size,
    });
    admission.resume(this.trainStep);
    return new RolloutLoop<GroupTask>({
      source: tasks,
      admission,
      leastSurvivors: Math.min(2, size),
      keeps: (group) => algorithm.keeps?.(group) ?? true,
      onLeftOut: (group) => this.finish(group),
      play: ({ number, task, seed }, signal) => {
        const rules = this.rolloutSettings(curriculum.rounds.roundsAt(this.trainStep));
        return playGroup({ gym, policy, task, settings: rules, id: String(number), size, seed, signal });
      },
    });
  }

  /** It was learnt from, or taught nothing. */
  private finish({ id, trajectories }: Group): void {
    this.tasks.finish(Number(id));
    for (const { played, solved } of trajectories) this.curriculum.filter?.observe(played, solved, this.trainStep);
  }

  private rolloutSettings(maxRounds: number): RolloutSettings {
    const { action_format, rollout_retries: retries } = this.settings;
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

  private rule(): StepOptions & { lr: number } {
    const { beta1, beta2, eps: epsilon, weight_decay: weightDecay, gradient_clipping: clipNorm } = this.settings;
    return { lr: learningRate(this.settings, this.trainStep), beta1, beta2, epsilon, weightDecay, clipNorm };
  }

  private isTimeUp(): boolean {
    const { max_minutes: minutes = Number.POSITIVE_INFINITY } = this.settings;
    return performance.now() - this.parts.began > minutes * 60_000;
  }

  /** On held-out tasks. No rollout begins meanwhile, and no weight changes. */
  private async evaluate(): Promise<void> {
    const { settings, gym, signal } = this;
    const sets = await boundTaskSets(settings.eval_tasks, gym);
    const scores = await evaluateHeldOut(sets, {
      gym,
      policy: this.policyAt(settings.eval_temperature),
      settings: this.rolloutSettings(settings.max_rounds),
      episodes: settings.eval_episodes,
      seed: settings.seed,
      concurrency: 32,
      signal,
    }).catch(ignoreAbort(signal));
    if (!scores) return;
    const evaluation = { trainStep: this.trainStep, scores };
    this.evaluations.push(evaluation);
    this.observer.onEvaluation(evaluation);
    // What was generated to evaluate is none of a train step's.
    this.generation.read();
  }

  private async save(): Promise<void> {
    const { trainStep, settings, evaluations, curriculum } = this;
    const { trainer, learner, checkpoints } = this.parts;
    const filter = curriculum.filter?.state();
    const parts: SavedParts = { tasks: this.tasks.state, filter, carried: learner.carried, evaluations };
    this.observer.onCheckpoint(
      await checkpoints.save(trainer, { format: 1, trainStep, settings, parts: { ...parts } }),
    );
  }

  private report(groups: readonly Group[], step: TrainStep, lr: number, times: readonly number[]): void {
    const [waitedMs = 0, learntMs = 0, publishedMs = 0] = times
      .slice(1)
      .map((time, at) => time - (times[at] as number));
    const { trainStep, rollouts, curriculum, generation } = this;
    this.observer.onTrainStep({
      ...step,
      ...generation.read(),
      trainStep,
      groups,
      lr,
      rounds: curriculum.rounds.roundsAt(trainStep),
      rollouts: rollouts.statistics,
      waitedMs,
      learntMs,
      publishedMs,
    });
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
