/**
 * The contract of an algorithm: from groups of trajectories to the advantage and the weight of every token, and the loss
 * that the engine minimises with them. An algorithm is a pure function of its batch and settings; it knows nothing of
 * rollouts, engines or files.
 *
 * The loss of a batch is the sum over its sampled tokens of weight times the token's loss. Token means, sequence means
 * and constant lengths are choices of the weights.
 */
import type { Loss } from "../../native/index.js";
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
}

/** A loss that the engine does not know: the gradient of each token's loss in its log-probability (and entropy). */
export interface CustomLoss {
  gradients(
    trajectory: Trajectory,
    credit: Credit,
    current: Scored,
    proximal: Scored | undefined,
  ): { readonly logprob: Float32Array; readonly entropy?: Float32Array };
}

export interface Algorithm {
  /** As settings name it: `grpo`. */
  readonly name: string;
  /** What `Batch.scored` has to hold. */
  readonly needs: { readonly proximal: boolean; readonly reference: boolean; readonly values: boolean };
  /** Which groups are learnt from; the others are counted and played anew (DAPO's dynamic sampling). Default: all. */
  keeps?(group: Group): boolean;
  credit(batch: Batch): ReadonlyMap<Trajectory, Credit>;
  readonly loss: Loss | CustomLoss;
}
