/**
 * The contract of a backend, which has the weights of a run: the engine in this process, or a server of the Tinker API. The
 * loop in `train.ts`, the learner and the checkpoints work with either backend.
 */
import type { Model, Scores, StepOptions, StepResult, Tokenizer, Trainer } from "../../native/api/index.js";
import type { Algorithm } from "../algorithms/index.js";
import { TrainerError } from "../errors.js";
import type { GymClient } from "../gym/gym.js";
import type { RunTaskSets } from "../gym/task-set.js";
import type { Policy } from "../policy/policy.js";
import type { Teacher } from "../policy/teacher.js";
import type { PromptExamples } from "../rollout/instructions.js";
import type { StartObserver } from "../start/starting-model.js";
import type { Generation } from "./generation.js";

/** Trains weights and scores tokens with them, as the engine's `Trainer` does. */
export type PolicyTrainer = Pick<Trainer, "score" | "accumulate" | "accumulateGradients" | "save" | "load"> & {
  /** Makes an optimizer step. A server may not tell the norm of the gradients. */
  step(options: StepOptions): Promise<Pick<StepResult, "version"> & { readonly gradientNorm: number | undefined }>;
  /** Name of the file that `save` writes in a checkpoint's folder. Default: trainer.bin. */
  readonly checkpointFile?: string;
} & PackFeatures;

export interface PackFeatures {
  /** Whether packs may have `parents`, so that rows share the tokens with which they begin. Default: false. */
  readonly takesParents?: boolean;
}

/** Scores tokens with weights that are never trained. */
export interface Scorer extends PackFeatures {
  score(...request: Parameters<Trainer["score"]>): Promise<Scores>;
}

/** The trained model, without its weights. */
export interface RunModel {
  readonly tokenizer: Tokenizer | undefined;
  readonly config: Pick<Model["config"], "maxPositions">;
  /** Number of optimizer steps that have changed the weights. */
  readonly version: number;
  /** Writes the files besides the weights into a folder, so that a checkpoint can be used as a model. */
  describe(folder: string): Promise<void>;
}

export interface BackendRequest {
  /** Gym of the run; undefined if agents play at the rollout endpoint. */
  readonly gym: GymClient | undefined;
  readonly taskSets: RunTaskSets;
  /** Worked examples for the instructions. */
  readonly examples: PromptExamples | undefined;
  readonly algorithm: Algorithm;
  readonly signal: AbortSignal;
  readonly observer: StartObserver;
}

/** The policy of a run, with its model, its trainer and its generation. */
export interface TrainedPolicy {
  readonly model: RunModel;
  readonly trainer: PolicyTrainer;
  /** Separate critic, if the algorithm has one. */
  readonly critic: PolicyTrainer | undefined;
  /** Opens the frozen policy of a KL term. */
  reference(): Promise<Scorer>;
  /** Opens the teacher of on-policy distillation. @throws {TrainerError} TEACHER_UNUSABLE and errors of its server */
  teacher(): Promise<Teacher>;
  /** Opens generation. Called after the checkpoint is restored. */
  generation(): Promise<Generation>;
  /** Saves the trained model in a folder. */
  save(folder: string): Promise<void>;
  /**
   * Opens a model of a folder as a policy that samples as this one does and is not trained. Absent if the backend cannot
   * load a second model.
   *
   * @param name name of the policy
   */
  frozen?(folder: string, name: string): Promise<Policy>;
}

/** Facts of a backend for the first line and the report of a run. */
export interface BackendFacts {
  /** Device and data type, or the server, in one line. */
  readonly line: string;
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Work and waiting time of a server since the beginning of the run. Absent for the engine, which needs no server. */
export interface BackendUsage {
  /** Tokens in training passes: forward and backward. */
  readonly trainedTokens: number;
  /** Tokens in passes that only score. */
  readonly scoredTokens: number;
  /** Prompt tokens of sampling requests. */
  readonly promptTokens: number;
  readonly sampledTokens: number;
  /** Seconds in which training waited for the server. */
  readonly waitedSeconds: number;
  /** Seconds in which the server could not be reached. */
  readonly awaySeconds: number;
}

export interface Backend {
  readonly facts: BackendFacts;
  /** Largest number of tokens in a pack. Default: the setting `max_tokens_per_mb`. */
  readonly packTokens?: number;
  usage?(): BackendUsage;
  open(request: BackendRequest): Promise<TrainedPolicy>;
  close(): Promise<void>;
}

/**
 * The error of a backend that no longer has the weights of this train step. The run goes back to its newest checkpoint,
 * whose weights the backend loads again.
 */
export class BackendLost extends TrainerError {
  constructor(message: string, options?: ErrorOptions) {
    super("BACKEND_LOST", message, options);
  }
}
