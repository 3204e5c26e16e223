/** What a training run tells as it goes on. */

import type { EngineInfo } from "../../native/api/index.js";
import type { TrainerError } from "../errors.js";
import type { TrainStep } from "../learner.js";
import type { LeftOut, RolloutLoopStatistics } from "../rollout/rollout-loop.js";
import type { Group } from "../rollout/trajectory.js";
import type { StartObserver } from "../start/starting-model.js";
import type { Generated } from "./generation-meter.js";
import type { HeldOutScore } from "./held-out.js";

/** What was generated is since the train step before, evaluations left out. */
export interface TrainStepReport extends TrainStep, Generated {
  readonly trainStep: number;
  readonly groups: readonly Group[];
  /** Since the train step before. */
  readonly leftOut: readonly LeftOut[];
  readonly lr: number;
  /** Round cap of new episodes; undefined where agents decide on it. */
  readonly rounds: number | undefined;
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
  /** First of all: what this run, or this part of it, computes with. */
  onEngine(engine: EngineInfo): void;
  /**
   * Reinforcement learning begins, or goes on.
   *
   * @param trainStep train steps that are done
   * @param evaluations that the checkpoint has, which will not be told again
   */
  onStart(trainStep: number, evaluations: readonly Evaluation[]): void;
  onTrainStep(report: TrainStepReport): void;
  onEvaluation(evaluation: Evaluation): void;
  /** All that was told so far belongs to the checkpoint that follows: what is kept of it is to be on the disk. */
  onBeforeCheckpoint(): void;
  onCheckpoint(folder: string): void;
  /** There is none; the run goes on, or ends where it was the last. */
  onCheckpointFailed(error: TrainerError): void;
}
