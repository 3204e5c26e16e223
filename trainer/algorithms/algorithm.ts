/**
 * The contract of an algorithm: from groups of trajectories to the advantage and the weight of every token, and the loss
 * that the engine minimises with them. An algorithm is a pure function of its batch and settings; it knows nothing of
 * rollouts, engines or files.
 *
 * The loss of a batch is the sum over its sampled tokens of weight times the token's loss. Token means, sequence means
 * and constant lengths are choices of the weights.
 */
import type { Loss } from "../../native/api/index.js";
import type { Group, Trajectory } from "../rollout/trajectory.js";

/** What a token is worth. (tokens) each, 0 where the trajectory's mask is. */
export interface Credit {
  readonly advantages: Float32Array;
  readonly weights: Float32Array;
  /** What the critic is to learn, where there is one. */
  readonly returns?: Float32Array;
}

/** What the engine says of a trajectory at the start of an update. (tokens) each, nats. */
export interface Scored {
  /** Under the proximal policy. */
  readonly logprobs: Float32Array;
  /** Under the reference policy, where there is a KL term. */
  readonly reference?: Float32Array;
  /** Of the critic, where there is one: value of the state before the token. */
  readonly values?: Float32Array;
}

export interface Batch {
  readonly groups: readonly Group[];
  /** By trajectory of the groups. Empty for an algorithm that asks for nothing. */
  readonly scored: ReadonlyMap<Trajectory, Scored>;
  /** What `carry` gave of the batch before; undefined at the beginning of a run. */
  readonly carried?: number;
}

/** A loss that the engine does not know. */
export interface CustomLoss {
  /** Of the softmax. */
  readonly temperature: number;
  /**
   * The gradient of the batch's loss in each token's log-probability (and entropy), weights included: (tokens) each.
   *
   * @param current log-probabilities under the policy as it is now
   * @param entropies under the same; needed where the loss has an entropy term
   * @param scored the trajectory's entry of `Batch.scored`
   */
  gradients(
    trajectory: Trajectory,
    credit: Credit,
    current: Float32Array,
    entropies: Float32Array | undefined,
    scored: Scored | undefined,
  ): CustomGradients;
}

export interface CustomGradients {
  readonly logprob: Float32Array;
  readonly entropy?: Float32Array;
  /** The trajectory's part of the batch's loss. */
  readonly loss: number;
}

export interface Algorithm {
  /** As settings name it: `grpo`. */
  readonly name: string;
  /**
   * What `Batch.scored` has to hold. Without `proximal` the behaviour policy's log-probabilities, which come with the
   * trajectory, stand in the ratio.
   */
  readonly needs: { readonly proximal: boolean; readonly reference: boolean; readonly values: boolean };
  /** Which groups are learnt from; the others are counted and played anew (DAPO's dynamic sampling). Default: all. */
  keeps?(group: Group): boolean;
  /**
   * Only trajectories that are learnt from have an entry: those that failed, that sampled nothing, or that have nobody
   * to be compared with have none.
   */
  credit(batch: Batch): ReadonlyMap<Trajectory, Credit>;
  /** State that goes from batch to batch, such as a running mean: what the next batch's `carried` has to be. */
  carry?(batch: Batch): number | undefined;
  readonly loss: Loss | CustomLoss;
}
