/**
 * Asynchronous reinforcement learning (AReaL, Fu et al. 2025). The trainer plays and learns at the same time, sharing
 * one engine. Admission limits the staleness of the tokens. Each train step publishes new weights, and replies in
 * flight continue with them.
 */

import { setMaxListeners } from "node:events";
import { join } from "node:path";
import { actionFormat } from "../server/formats/actions/action-formats.js";
import { counted } from "../server/formats/counted.js";
import { ignoreAbort, timeLimit } from "./abort.js";
import { type Algorithm, createAlgorithm, resolveSettings } from "./algorithms/index.js";
import { type Backend, BackendLost, type PolicyTrainer, type RunModel } from "./backends/backend.js";
import { contextOf, type Generation } from "./backends/generation.js";
import { openBackend } from "./backends/open-backend.js";
import { withFolder } from "./data/folder-lock.js";
import { EndpointPlayer } from "./endpoint/endpoint-player.js";
import { TrainerError } from "./errors.js";
import type { GymClient } from "./gym/gym.js";
import type { RunTaskSets } from "./gym/task-set.js";
import { Learner, type TrainStep } from "./learner.js";
import { Admission } from "./rollout/admission.js";
import type { PromptExamples } from "./rollout/instructions.js";
import { type LeftOut, RolloutLoop } from "./rollout/rollout-loop.js";
import { bestStep, RunCheckpoints, type SavedParts } from "./run/checkpoints.js";
import { isFilterIdle } from "./run/curriculum.js";
import { GenerationMeter } from "./run/generation-meter.js";
import { goingBack, type Reached } from "./run/going-back.js";
import { inOrder } from "./run/group-tasks.js";
import { GymPlayer } from "./run/gym-player.js";
import type { Evaluation, TrainObserver, TrainStepReport } from "./run/observer.js";
import { Partners } from "./run/partners.js";
import type { Player, PlayerParts } from "./run/player.js";
import { criticRule, updateRule } from "./settings/learning-rate.js";
import { algorithmPart, type TrainSettings } from "./settings/settings.js";
import { expectSeats } from "./start/partner-seats.js";
import { expectReadable, promptExamples } from "./start/prompt-examples.js";
import { expectStartable } from "./start/starting-model.js";
import { runTaskSets } from "./start/task-sets.js";

const idleFilter =
  "difficulty_filter has no effect: every training set has so many tasks that none is played twice. " +
  "Train on a task set for each level or kind of task, with --task_mixing learnability.";

export interface TrainResult {
  readonly trainSteps: number;
  readonly evaluations: readonly Evaluation[];
  /** Reason for the end: all train steps are done, the time limit is reached, or the signal stopped the run. */
  readonly end: "done" | "time" | "stopped";
  /** Folder of the trained model. */
  readonly model: string;
}

/**
 * Trains a model as the settings define, starting from the newest checkpoint of the output folder if one exists.
 *
 * @param gym gym in which the model plays; undefined if agents play at the rollout endpoint
 * @param signal stops the run after saving a checkpoint of the last train step
 * @throws {TrainerError} FOLDER_IN_USE: another run is writing to the output folder
 * @throws errors of the gym, the engine and the disk; the last checkpoint is kept
 */
export function train(
  settings: TrainSettings,
  gym: GymClient | undefined,
  observer: TrainObserver,
  signal: AbortSignal,
): Promise<TrainResult> {
  return withFolder(settings.output, () =>
    goingBack(
      settings,
      (again, reached) => trainThere(again, gym, observer, signal, reached),
      (line) => observer.onStage(line),
      signal,
    ),
  );
}

/** @param reached receives the number of train steps done */
async function trainThere(
  settings: TrainSettings,
  gym: GymClient | undefined,
  observer: TrainObserver,
  signal: AbortSignal,
  reached: Reached,
): Promise<TrainResult> {
  // Every request in flight listens to the signal, and Node would warn of a leak.
  setMaxListeners(0, signal);
  await expectStartable(settings);
  const algorithm = createAlgorithm(algorithmPart(settings));
  const backend = await openBackend(settings, algorithm, observer, signal);
  try {
    observer.onBackend(backend.facts);
    const checkpoints = await RunCheckpoints.open(settings, observer);
    const taskSets = gym ? await runTaskSets(settings, gym) : { train: [], clone: [], heldOut: [] };
    if (gym) await expectSeats(settings, taskSets, gym);
    if (gym && isFilterIdle(settings, taskSets.train)) observer.onStage(idleFilter);
    const examples = gym && (await examplesOf(settings, gym, taskSets, observer, signal));
    const policy = await backend.open({ gym, taskSets, examples, algorithm, signal, observer });
    const { model, trainer, critic } = policy;
    if (examples) expectReadable(examples, model.tokenizer, contextOf({ settings, model }));
    const { trainStep, saved } = await checkpoints.restore({ trainer, critic });
    const generation = await policy.generation();
    const reference = algorithm.needs.reference ? await policy.reference() : undefined;
    const teacher = algorithm.needs.teacher ? await policy.teacher() : undefined;
    const { loss_agg_mode } = resolveSettings(algorithmPart(settings));
    const learning = {
      ...settings,
      loss_agg_mode,
      max_tokens_per_mb: backend.packTokens ?? settings.max_tokens_per_mb,
    };
    const learner = new Learner(trainer, algorithm, learning, { reference, teacher, critic }, saved.carried);
    const say = (line: string) => observer.onStage(line);
    const save = (folder: string) => policy.save(folder);
    const { frozen } = policy;
    const partners = () => new Partners({ settings, save, say, ...(frozen && { frozen }) });
    const playerOf = (parts: PlayerParts) =>
      gym ? new GymPlayer({ gym, taskSets, examples, partners: partners() }, parts) : new EndpointPlayer(parts, say);
    const parts = { algorithm, backend, model, trainer, critic, generation, learner, checkpoints, playerOf, save };
    const run = new Run(settings, observer, signal, parts, trainStep, saved);
    return await run.toTheEnd().finally(() => {
      reached.trainStep = run.trainStep;
      teacher?.close();
      return run.close();
    });
  } finally {
    await backend.close();
  }
}

function examplesOf(
  settings: TrainSettings,
  gym: GymClient,
  taskSets: RunTaskSets,
  observer: TrainObserver,
  signal: AbortSignal,
): Promise<PromptExamples | undefined> {
  const format = actionFormat(settings.action_format);
  return promptExamples({ gym, taskSets, format, settings, signal, onStage: (stage) => observer.onStage(stage) });
}

interface Parts {
  readonly algorithm: Algorithm;
  readonly backend: Backend;
  readonly model: RunModel;
  readonly trainer: PolicyTrainer;
  /** Separate critic, if the algorithm has one. */
  readonly critic: PolicyTrainer | undefined;
  readonly generation: Generation;
  readonly learner: Learner;
  readonly checkpoints: RunCheckpoints;
  readonly playerOf: (parts: PlayerParts) => Player;
  /** Saves the trained model in a folder. */
  save(folder: string): Promise<void>;
}

class Run {
  private readonly evaluations: Evaluation[];
  /** Train step of the last evaluation, even if all of its episodes failed. */
  private evaluatedAt: number | undefined;
  private readonly player: Player;
  private readonly rollouts: RolloutLoop<unknown>;
  private readonly meter: GenerationMeter;
  /** Groups that were left out since the last train step. */
  private leftOut: LeftOut[] = [];
  /** Version of the engine's weights to which the rest of the run's state corresponds. */
  private settled: number;

  /** @param trainStep number of train steps that are done */
  constructor(
    private readonly settings: TrainSettings,
    private readonly observer: TrainObserver,
    private readonly signal: AbortSignal,
    private readonly parts: Parts,
    public trainStep: number,
    { player, evaluations = [] }: Partial<SavedParts>,
  ) {
    const { model, generation, playerOf } = parts;
    this.evaluations = [...evaluations];
    this.evaluatedAt = evaluations.at(-1)?.trainStep;
    this.player = playerOf({
      settings,
      model,
      generation,
      groupSize: resolveSettings(algorithmPart(settings)).n_samples,
      trainStep: () => this.trainStep,
      statistics: () => this.rollouts.statistics,
      saved: player ?? {},
    });
    this.settled = model.version;
    this.rollouts = this.rolloutLoop();
    this.meter = new GenerationMeter(parts.generation);
  }

  async toTheEnd(): Promise<TrainResult> {
    const { settings, rollouts } = this;
    const { model, generation } = this.parts;
    await generation.publish(this.trainStep);
    await this.player.open();
    this.observer.onStart(this.trainStep, this.evaluations, model.tokenizer);
    if (this.isEvaluationDue()) await this.evaluate();
    let end = await this.learn().catch((error) => this.giveUp(error));
    await rollouts.stop({ abort: true });
    if (end === "time" && this.trainStep === 0) throw this.emptyRun();
    // The checkpoint and the model are saved before the last evaluation, since it may fail. The checkpoint is saved
    // again after it.
    let failure = await this.save();
    const folder = join(settings.output, "final");
    await this.parts.save(folder);
    if (end !== "stopped" && this.evaluatedAt !== this.trainStep) {
      if ((await this.evaluate()) === "stopped") end = "stopped";
      failure = await this.save();
    }
    if (failure) throw failure;
    return { trainSteps: this.trainStep, evaluations: this.evaluations, end, model: folder };
  }

  async close(): Promise<void> {
    await this.player.close();
    this.parts.generation.close();
  }

  /**
   * Takes batches of groups and learns from them, until all steps are done, the time limit is reached or the signal
   * aborts.
   */
  private async learn(): Promise<TrainResult["end"]> {
    const { settings, rollouts, signal } = this;
    const { learner, generation } = this.parts;
    // Cloning and the first evaluation do not count.
    const time = timeLimit(settings.max_minutes);
    const either = AbortSignal.any([signal, time]);
    rollouts.resume();
    while (this.trainStep < settings.total_train_steps) {
      const times = [performance.now()];
      // Wait for a batch of groups that are not too old, while other groups are being played.
      const taken = await rollouts.take(settings.batch_size, either).catch(ignoreAbort(either));
      if (!taken) return signal.aborted ? "stopped" : "time";
      const groups = inOrder(taken);
      times.push(performance.now());

      const rule = updateRule(settings, this.trainStep);
      const step = await learner.learn(groups, this.trainStep, rule, criticRule(settings, this.trainStep));
      this.trainStep += 1;
      const leftOut = this.leftOut.splice(0);
      const reasons = new Map(leftOut.map(({ group, reason }) => [group, reason]));
      for (const group of inOrder([...groups, ...reasons.keys()])) this.player.finish(group, reasons.get(group));
      this.settled = this.parts.model.version;
      times.push(performance.now());

      // From now on, replies are sampled with the new weights. Replies in flight use them from their next token on.
      await generation.publish(this.trainStep);
      await this.player.learnt?.(this.trainStep);
      times.push(performance.now());
      this.report({ groups, leftOut, lr: rule.lr }, step, times);

      // The evaluation comes first, since it is part of the checkpoint.
      if (this.isEvaluationDue()) await this.evaluate();
      const isBest = bestStep(this.evaluations) === this.trainStep;
      if (isBest || this.trainStep % settings.save_freq_steps === 0) await this.save();
      rollouts.advance(this.trainStep);
    }
    return "done";
  }

  private rolloutLoop(): RolloutLoop<unknown> {
    const { settings, player } = this;
    const { algorithm } = this.parts;
    const admission = new Admission({
      maxConcurrentGroups: settings.max_concurrent_groups,
      maxHeadOffpolicyness: settings.max_head_offpolicyness,
      batchSize: settings.batch_size,
    });
    admission.resume(this.trainStep);
    return new RolloutLoop<unknown>({
      source: player,
      admission,
      leastSurvivors: Math.min(2, resolveSettings(algorithmPart(settings)).n_samples),
      keeps: (group) => algorithm.keeps?.(group) ?? true,
      onLeftOut: (group, reason) => this.leftOut.push({ group, reason }),
      play: (task, signal) => player.play(task, signal),
      ...player.patience,
    });
  }

  private isEvaluationDue(): boolean {
    const { trainStep, settings } = this;
    const { eval_freq_steps: frequency } = settings;
    return this.evaluatedAt !== trainStep && (trainStep === 0 || (frequency > 0 && trainStep % frequency === 0));
  }

  private emptyRun(): TrainerError {
    const { settings, rollouts } = this;
    const { running, buffer, failed, filtered } = rollouts.statistics;
    const received = `${buffer.size} ended, ${running} running, ${failed} failed and ${filtered} without a gradient`;
    return new TrainerError(
      "RUN_EMPTY",
      `expected ${counted(settings.batch_size, "group")} for the first train step within max_minutes ${settings.max_minutes}, but received: ${received}. Raise max_minutes, or lower batch_size, n_samples or max_rounds.`,
    );
  }

  /** Evaluates the model on held-out tasks. No train step runs in the meantime. */
  private async evaluate(): Promise<"stopped" | undefined> {
    const began = performance.now();
    const scores = await this.player
      .evaluate(this.signal)
      .catch((error) => ignoreAbort(this.signal)(error) ?? ("stopped" as const));
    if (!scores || scores === "stopped") return scores;
    const { trainStep } = this;
    this.evaluatedAt = trainStep;
    const evaluation = { trainStep, scores, seconds: (performance.now() - began) / 1000 };
    // An evaluation without a played episode is not part of the checkpoint, so that a resumed run repeats it.
    if (scores.some(({ episodes }) => episodes > 0)) this.evaluations.push(evaluation);
    this.observer.onEvaluation(evaluation);
    // Tokens of the evaluation do not count as tokens of a train step.
    this.meter.read();
    return undefined;
  }

  private async save(): Promise<TrainerError | undefined> {
    const { trainStep, evaluations, player, parts } = this;
    const { learner, checkpoints } = parts;
    const state = { player: player.state, carried: learner.carried, evaluations };
    const failure = await checkpoints.save(parts, trainStep, state);
    if (!failure) await player.saved?.();
    return failure;
  }

  /** Saves a checkpoint after an error, unless the error interrupted a train step. @throws the error */
  private async giveUp(error: unknown): Promise<never> {
    await this.rollouts.stop({ abort: true });
    if (error instanceof BackendLost) throw error;
    if (this.settled === this.parts.model.version) await this.save();
    throw error;
  }

  private report(told: Pick<TrainStepReport, "groups" | "leftOut" | "lr">, step: TrainStep, times: readonly number[]) {
    const [waitedMs = 0, learntMs = 0, publishedMs = 0] = times
      .slice(1)
      .map((time, at) => time - (times[at] as number));
    const { trainStep, rollouts, player, meter } = this;
    this.observer.onTrainStep({
      ...step,
      ...meter.read(),
      ...told,
      trainStep,
      rounds: player.rounds(),
      rollouts: rollouts.statistics,
      waitedMs,
      learntMs,
      publishedMs,
      usage: this.parts.backend.usage?.(),
    });
  }
}
