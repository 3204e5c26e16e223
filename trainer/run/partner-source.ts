/** The contract of a source of partners: earlier versions of the policy, another run, or a policy that never changes. */
import type { Policy } from "../policy/policy.js";

/** A policy in use. */
export interface Borrowed {
  readonly policy: Policy;
  /** Gives the policy back. */
  release(): void;
}

export interface PartnerSource {
  /** State for a checkpoint. Default: none. */
  readonly state?: unknown;
  /** Prepares the source, with its state in the checkpoint from which the run resumes. */
  start?(trainStep: number, saved: unknown): Promise<void>;
  /** Called after a train step. */
  learnt?(trainStep: number): Promise<void>;
  /** Called after a checkpoint with the state was saved. */
  saved?(): Promise<void>;
  /** Returns the partner of a group. @param seed seed of the group's draws */
  borrow(seed: number, signal: AbortSignal): Promise<Borrowed>;
  close(): Promise<void>;
}
