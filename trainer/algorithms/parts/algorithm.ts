/**
 * The contract of an algorithm: it turns groups of trajectories into the advantage and the weight of every token, and
 * names the loss that the engine minimizes with them. An algorithm is a pure function of its batch and settings,
 * without access to rollouts, engines or files.
 *
 * The loss of a batch is the sum over its sampled tokens of weight times the token's loss. Token means, sequence means
 * and constant lengths are choices of the weights.
 */
import type { Loss } from "../../../native/api/index.js";
import type { Group, Trajectory } from "../../rollout/trajectory.js";

/** Credit of the tokens of a row. Each array has the shape `[tokens]` and is 0 where the mask is 0. */
export interface Credit {
  readonly advantages: Float32Array;
  readonly weights: Float32Array;
  /** Targets of the critic, if the algorithm has a critic. */
  readonly returns?: Float32Array;
}

/** Log-probabilities and values of a row at the start of an update. Each array has the shape `[tokens]`. */
export interface Estimates {
  /** Log-probabilities under the proximal policy, in nats, if the algorithm needs them. */
  readonly logprobs?: Float32Array;
  /** Log-probabilities under the reference policy, in nats, if the loss has a KL term. */
  readonly reference?: Float32Array;
  /** Log-probabilities of the sampled tokens under the teacher, in nats, if the algorithm learns from one. */
  readonly teacher?: Float32Array;
  /** The critic's value of the state before each token, if the algorithm has a critic. */
  readonly values?: Float32Array;
}

export interface Batch {
  readonly groups: readonly Group[];
  /** Log-probabilities and values by row; empty for an algorithm that needs no estimates. */
  readonly estimates: ReadonlyMap<Trajectory, Estimates>;
  /** Result of `carry` for the previous batch; undefined at the beginning of a run. */
  readonly carried?: number;
}

/** A loss that the engine does not compute itself. */
export interface CustomLoss {
  /** Temperature of the softmax. */
  readonly temperature: number;
  /**
   * Gradient of the batch's loss with respect to each token's log-probability (and entropy), weights included. Arrays
   * are `[tokens]`.
   *
   * @param current log-probabilities under the current policy
   * @param entropies entropies under the current policy, if the loss has an entropy term
   * @param estimates entry of the row in `Batch.estimates`
   */
  gradients(
    trajectory: Trajectory,
    credit: Credit,
    current: Float32Array,
    entropies: Float32Array | undefined,
    estimates: Estimates | undefined,
  ): CustomGradients;
}

export interface CustomGradients {
  readonly logprob: Float32Array;
  readonly entropy?: Float32Array;
  /** Contribution of the row to the batch's loss. */
  readonly loss: number;
}

export interface Algorithm {
  /** Name of the algorithm in settings, such as `grpo`. */
  readonly name: string;
  /**
   * Estimates of the policy and the reference that `Batch.estimates` must contain; `values` are those of the policy's value
   * head. Without `proximal`, the ratio uses the trajectory's log-probabilities, which are those of the behavior policy.
   */
  readonly needs: {
    readonly proximal: boolean;
    readonly reference: boolean;
    readonly values: boolean;
    /** Whether a teacher scores the sampled tokens. Default: false. */
    readonly teacher?: true;
  };
  /**
   * Returns whether the algorithm learns from a group. Refused groups are counted and replaced (DAPO's dynamic
   * sampling). Default: all groups are kept.
   */
  keeps?(group: Group): boolean;
  /**
   * Computes credits. Only rows to learn from have an entry. Rows without an entry failed, have no sampled token, or
   * belong to a group without another rollout to compare with.
   */
  credit(batch: Batch): ReadonlyMap<Trajectory, Credit>;
  /** Returns the value of `carried` for the next batch, such as a running mean. */
  carry?(batch: Batch): number | undefined;
  readonly loss: Loss | CustomLoss;
  /**
   * Loss of a critic with weights of its own. Absent if the algorithm has no critic, or if the critic is the policy's value
   * head, whose loss is part of `loss`.
   */
  readonly criticLoss?: Loss;
}
