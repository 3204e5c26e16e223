/** Reports that a training run sends to its observer. */

import type { Tokenizer } from "../../native/api/index.js";
import type { BackendFacts, BackendUsage } from "../backends/backend.js";
import type { TrainerError } from "../errors.js";
import type { TrainStep } from "../learner.js";
import type { LeftOut, RolloutLoopStatistics } from "../rollout/rollout-loop.js";
import type { Group } from "../rollout/trajectory.js";
import type { StartObserver } from "../start/starting-model.js";
import type { Generated } from "./generation-meter.js";
import type { HeldOutScore } from "./held-out.js";

/** Report of a train step. Generation is measured from the previous train step on, without evaluations. */
export interface TrainStepReport extends TrainStep, Generated {
  readonly trainStep: number;
  readonly groups: readonly Group[];
  /** Groups that were left out since the previous train step. */
  readonly leftOut: readonly LeftOut[];
  readonly lr: number;
  /** Maximum number of replies in a new episode; undefined if agents decide. */
  readonly rounds: number | undefined;
  readonly rollouts: RolloutLoopStatistics;
  /**
   * Milliseconds spent on waiting for the batch; the next fields are the time of the update and of publishing the
   * weights.
   */
  readonly waitedMs: number;
  readonly learntMs: number;
  readonly publishedMs: number;
  /** Work and waiting time of the backend's server since the beginning of the run; undefined without a server. */
  readonly usage?: BackendUsage | undefined;
}

export interface Evaluation {
  readonly trainStep: number;
  readonly scores: readonly HeldOutScore[];
  /** Seconds that the evaluation took. Checkpoints of earlier versions lack them. */
  readonly seconds?: number;
}

/** Returns the mean of the task sets' shares of solved episodes; undefined if no episode was played. */
export function meanSuccess({ scores }: Pick<Evaluation, "scores">): number | undefined {
  const known = scores.flatMap(({ success }) => (success === undefined ? [] : [success]));
  return known.length > 0 ? known.reduce((sum, value) => sum + value, 0) / known.length : undefined;
}

/** The contract of an observer, which receives the reports of a run. */
export interface TrainObserver extends StartObserver {
  /** Called first, and again if the run goes back to a checkpoint since its backend lost the weights. */
  onBackend(backend: BackendFacts): void;
  /**
   * Called when reinforcement learning starts or resumes.
   *
   * @param trainStep number of train steps that are done
   * @param evaluations evaluations in the checkpoint, which are not reported again
   * @param tokenizer tokenizer of the model, if it has one
   */
  onStart(trainStep: number, evaluations: readonly Evaluation[], tokenizer: Tokenizer | undefined): void;
  onTrainStep(report: TrainStepReport): void;
  onEvaluation(evaluation: Evaluation): void;
  /**
   * Called before a checkpoint is saved. The observer flushes its files, since the checkpoint covers all earlier
   * reports.
   */
  onBeforeCheckpoint(): void;
  onCheckpoint(folder: string): void;
  /** Called when a checkpoint could not be written. The run continues, or ends after its last checkpoint. */
  onCheckpointFailed(error: TrainerError): void;
}
