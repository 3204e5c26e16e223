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
import { EndpointPlayer } from "./endpoint/endpoint-player.js";
import type { GymClient } from "./gym.js";
import { GymPlayer } from "./gym-player.js";
import { Learner, type TrainStep } from "./learner.js";
import { learningRate } from "./learning-rate.js";
import type { Player, PlayerParts } from "./player.js";
import { PolicyVersions } from "./policy-versions.js";
import { Admission } from "./rollout/admission.js";
import { RolloutLoop } from "./rollout/rollout-loop.js";
import type { Group } from "./rollout/trajectory.js";
import { algorithmPart, type TrainSettings, threadsOf, withoutSecrets } from "./settings.js";
import { startingModel, trainerOptions } from "./starting-model.js";
import { boundTaskSets } from "./task-set.js";
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
 * @param gym where the model plays; undefined where it is agents that play, at the rollout endpoint
 * @param signal ends it after a checkpoint of the last train step
 * @throws what the settings, the gym, the engine or the disk refuse; the last checkpoint stays
 */
export async function train(
  settings: TrainSettings,
  gym: GymClient | undefined,
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
    const taskSets = gym ? await boundTaskSets(settings.train_tasks, gym) : [];
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
    const playerOf = (parts: PlayerParts) =>
      gym ? new GymPlayer(gym, taskSets, parts) : new EndpointPlayer(parts, (line) => observer.onStage(line));
    const parts = { algorithm, model, trainer, generator, learner, checkpoints, began, playerOf };
    const run = new Run(settings, observer, signal, parts, checkpoint?.trainStep ?? 0, saved);
    try {
      return await run.toTheEnd();
    } finally {
      await run.close();
    }
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
  readonly playerOf: (parts: PlayerParts) => Player;
  /** When the run did, cloning included. */
  readonly began: number;
}

/** What a checkpoint keeps beside weights and optimiser, and the player's state. */
interface SavedParts {
  readonly carried: number | undefined;
  readonly evaluations: readonly Evaluation[];
}

class Run {
  private readonly evaluations: Evaluation[];
  private readonly versions = new PolicyVersions();
  private readonly player: Player;
  private readonly rollouts: RolloutLoop<unknown>;

  /** @param trainStep train steps that are done */
  constructor(
    private readonly settings: TrainSettings,
    private readonly observer: TrainObserver,
    private readonly signal: AbortSignal,
    private readonly parts: Parts,
    private trainStep: number,
    saved: Partial<SavedParts>,
  ) {
    const { model, generator, playerOf } = parts;
    this.evaluations = [...(saved.evaluations ?? [])];
    this.player = playerOf({
      settings,
      model,
      generator,
      versions: this.versions,
      groupSize: resolveSettings(algorithmPart(settings)).n_samples,
      trainStep: () => this.trainStep,
      statistics: () => this.rollouts.statistics,
      saved: { ...saved },
    });
    this.rollouts = this.rolloutLoop();
  }

  async toTheEnd(): Promise<TrainResult> {
    const { settings, versions, rollouts } = this;
    const { model, generator, trainer } = this.parts;
    versions.publish(model.version, this.trainStep);
    await generator.update();
    await this.player.open();
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

  close(): Promise<void> {
    return this.player.close();
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
      for (const group of groups) this.player.finish(group);
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

  private rolloutLoop(): RolloutLoop<unknown> {
    const { settings, player } = this;
    const { algorithm } = this.parts;
    const admission = new Admission({
      maxConcurrentRollouts: settings.max_concurrent_rollouts,
      maxHeadOffpolicyness: settings.max_head_offpolicyness,
      batchSize: settings.batch_size,
    });
    admission.resume(this.trainStep);
    return new RolloutLoop<unknown>({
      source: player,
      admission,
      leastSurvivors: Math.min(2, resolveSettings(algorithmPart(settings)).n_samples),
      keeps: (group) => algorithm.keeps?.(group) ?? true,
      onLeftOut: (group, reason) => player.finish(group, reason),
      play: (task, signal) => player.play(task, signal),
      ...(player.mostFailuresInARow !== undefined && { mostFailuresInARow: player.mostFailuresInARow }),
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
    const scores = await this.player.evaluate(this.signal).catch(ignoreAbort(this.signal));
    if (!scores) return;
    const evaluation = { trainStep: this.trainStep, scores };
    this.evaluations.push(evaluation);
    this.observer.onEvaluation(evaluation);
  }

  private async save(): Promise<void> {
    const { trainStep, settings, evaluations, player } = this;
    const { trainer, learner, checkpoints } = this.parts;
    const own: SavedParts = { carried: learner.carried, evaluations };
    const parts = { ...player.state, ...own };
    this.observer.onCheckpoint(
      await checkpoints.save(trainer, { format: 1, trainStep, settings: withoutSecrets(settings), parts }),
    );
  }

  private report(groups: readonly Group[], step: TrainStep, lr: number, times: readonly number[]): void {
    const [waitedMs = 0, learntMs = 0, publishedMs = 0] = times
      .slice(1)
      .map((time, at) => time - (times[at] as number));
    const { trainStep, rollouts, player, parts } = this;
    this.observer.onTrainStep({
      ...step,
      trainStep,
      groups,
      lr,
      rounds: player.rounds(),
      decodedTokens: parts.generator.stats().decodedTokens,
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
