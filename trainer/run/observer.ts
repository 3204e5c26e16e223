/** Reports of a training run to its observer. */

import type { EngineInfo } from "../../native/api/index.js";
import type { TrainerError } from "../errors.js";
import type { TrainStep } from "../learner.js";
import type { LeftOut, RolloutLoopStatistics } from "../rollout/rollout-loop.js";
import type { Group } from "../rollout/trajectory.js";
import type { StartObserver } from "../start/starting-model.js";
import type { Generated } from "./generation-meter.js";
import type { HeldOutScore } from "./held-out.js";

/** Report of a train step. Generation is measured since the previous train step, without evaluations. */
export interface TrainStepReport extends TrainStep, Generated {
  readonly trainStep: number;
  readonly groups: readonly Group[];
  /** Groups that were left out since the previous train step. */
  readonly leftOut: readonly LeftOut[];
  readonly lr: number;
  /** Most replies in a new episode; undefined where agents decide. */
  readonly rounds: number | undefined;
  readonly rollouts: RolloutLoopStatistics;
  /** Milliseconds of waiting for the batch, of learning from it, and of publishing the weights. */
  readonly waitedMs: number;
  readonly learntMs: number;
  readonly publishedMs: number;
}

export interface Evaluation {
  readonly trainStep: number;
  readonly scores: readonly HeldOutScore[];
}

/** Receives the reports of a run. */
export interface TrainObserver extends StartObserver {
  /** Called first, with the engine that the run computes with. */
  onEngine(engine: EngineInfo): void;
  /**
   * Called when reinforcement learning starts or resumes.
   *
   * @param trainStep number of train steps that are done
   * @param evaluations evaluations in the checkpoint, which are not reported again
   */
  onStart(trainStep: number, evaluations: readonly Evaluation[]): void;
  onTrainStep(report: TrainStepReport): void;
  onEvaluation(evaluation: Evaluation): void;
  /** Called before a checkpoint. Everything reported so far belongs to it, so the observer flushes its files. */
  onBeforeCheckpoint(): void;
  onCheckpoint(folder: string): void;
  /** Called when a checkpoint could not be written. The run continues, or ends if it was the last one. */
  onCheckpointFailed(error: TrainerError): void;
}
