/**
 * The contract of a player, which produces the groups of a run. `gym-player.ts` plays them in a gym;
 * `endpoint/endpoint-player.ts` lets agent programs play. The loop in `train.ts` works with either player.
 */
import type { RunModel } from "../backends/backend.js";
import type { Generation } from "../backends/generation.js";
import type { LeftOutReason, RolloutLoopOptions, RolloutLoopStatistics, TaskSource } from "../rollout/rollout-loop.js";
import type { Group } from "../rollout/trajectory.js";
import type { TrainSettings } from "../settings/settings.js";
import type { HeldOutScore } from "./held-out.js";

export interface Player<Task = unknown> extends TaskSource<Task> {
  /** Prepares the player. Called before any other method. */
  open(): Promise<void>;
  /** Plays a group. Rejects with the signal's reason if the signal aborts. */
  play(task: Task, signal: AbortSignal): Promise<Group>;
  /** Called for a group that was learned from, or left out for the reason `leftOut`. */
  finish(group: Group, leftOut?: LeftOutReason): void;
  /** Called after a train step, once its weights are published. */
  learnt?(trainStep: number): Promise<void>;
  /** Returns the maximum number of replies in an episode that starts now; undefined if agents decide. */
  rounds(): number | undefined;
  /** Evaluates on held-out tasks; undefined if the trainer has no held-out tasks. */
  evaluate(signal: AbortSignal): Promise<readonly HeldOutScore[] | undefined>;
  /** Limits on failed groups and filtered groups in a row. Default: the limits of the rollout loop. */
  readonly patience?: Pick<RolloutLoopOptions<Task>, "mostFailuresInARow" | "mostFilteredInARow">;
  /** State for a checkpoint, from which a resumed run creates its player. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Called after a checkpoint with the player's state was saved. */
  saved?(): Promise<void>;
  /** Closes the player's resources and replies to all waiting callers. */
  close(): Promise<void>;
}

/** Parts of the run that a player uses. */
export interface PlayerParts {
  readonly settings: TrainSettings;
  readonly model: RunModel;
  readonly generation: Generation;
  /** Number of rollouts in a group. */
  readonly groupSize: number;
  /** Returns the number of train steps done so far. */
  trainStep(): number;
  /** Returns the statistics of the rollout loop that calls the player. */
  statistics(): RolloutLoopStatistics;
  /** `Player.state` in the checkpoint from which the run resumes. */
  readonly saved: Readonly<Record<string, unknown>>;
}
