/**
 * The contract of an algorithm: it turns groups of trajectories into the advantage and the weight of every token, and names
 * the loss that the engine minimises with them. An algorithm is a pure function of its batch and settings; it does not know
 * rollouts, engines or files.
 *
 * The loss of a batch is the sum over its sampled tokens of weight times the token's loss. Token means, sequence means
 * and constant lengths are choices of the weights.
 */
import type { Loss } from "../../native/api/index.js";
import type { Group, Trajectory } from "../rollout/trajectory.js";

/** Credit of the tokens of a row. Each array has the shape `[tokens]` and is 0 where the mask is 0. */
export interface Credit {
  readonly advantages: Float32Array;
  readonly weights: Float32Array;
  /** Targets of the critic, if there is one. */
  readonly returns?: Float32Array;
}

/** Log-probabilities and values of a row at the start of an update. Each array has the shape `[tokens]`. */
export interface Estimates {
  /** Log-probabilities under the proximal policy, in nats. */
  readonly logprobs: Float32Array;
  /** Log-probabilities under the reference policy, in nats, if there is a KL term. */
  readonly reference?: Float32Array;
  /** The critic's value of the state before each token, if there is a critic. */
  readonly values?: Float32Array;
}

export interface Batch {
  readonly groups: readonly Group[];
  /** Log-probabilities and values by row; empty for an algorithm that needs none. */
  readonly estimates: ReadonlyMap<Trajectory, Estimates>;
  /** Result of `carry` for the previous batch; undefined at the beginning of a run. */
  readonly carried?: number;
}

/** A loss that the engine does not compute itself. */
export interface CustomLoss {
  /** Temperature of the softmax. */
  readonly temperature: number;
  /**
   * Gradient of the batch's loss in each token's log-probability (and entropy), weights included. Arrays are `[tokens]`.
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
  /** The row's part of the batch's loss. */
  readonly loss: number;
}

export interface Algorithm {
  /** Name in settings, such as `grpo`. */
  readonly name: string;
  /**
   * Contents that `Batch.estimates` needs. Without `proximal` the ratio uses the behaviour policy's log-probabilities of the
   * trajectory.
   */
  readonly needs: { readonly proximal: boolean; readonly reference: boolean; readonly values: boolean };
  /** Whether a group is learnt from. Others are counted and replaced (DAPO's dynamic sampling). Default: all are. */
  keeps?(group: Group): boolean;
  /**
   * Computes credits. Only rows that are learnt from have an entry: not those that failed, that sampled no token, or whose
   * group has no other rollout to compare with.
   */
  credit(batch: Batch): ReadonlyMap<Trajectory, Credit>;
  /** State for the next batch's `carried`, such as a running mean. */
  carry?(batch: Batch): number | undefined;
  readonly loss: Loss | CustomLoss;
}
