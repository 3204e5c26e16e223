/**
 * The contract of a player, which produces the groups of a run. `gym-player.ts` plays them in a gym;
 * `endpoint/endpoint-player.ts` lets agent programs play. The loop of `train.ts` treats both alike.
 */
import type { Model } from "../../native/api/index.js";
import type { LeftOutReason, RolloutLoopOptions, RolloutLoopStatistics, TaskSource } from "../rollout/rollout-loop.js";
import type { Group } from "../rollout/trajectory.js";
import type { TrainSettings } from "../settings/settings.js";
import type { Generation } from "./generation.js";
import type { HeldOutScore } from "./held-out.js";

export interface Player<Task = unknown> extends TaskSource<Task> {
  /** Prepares the player. Called before anything else. */
  open(): Promise<void>;
  /** Plays a group. Rejects with the signal's reason once it has aborted. */
  play(task: Task, signal: AbortSignal): Promise<Group>;
  /** Called for a group that was learnt from, or left out for a reason. */
  finish(group: Group, leftOut?: LeftOutReason): void;
  /** Most replies in an episode that begins now; undefined where the agents decide. */
  rounds(): number | undefined;
  /** Evaluates on held-out tasks; undefined where the trainer has none. */
  evaluate(signal: AbortSignal): Promise<readonly HeldOutScore[] | undefined>;
  /** Most failed and most filtered groups in a row. Default: that of the loop. */
  readonly patience?: Pick<RolloutLoopOptions<Task>, "mostFailuresInARow" | "mostFilteredInARow">;
  /** State for a checkpoint; a resumed run creates its player with it. */
  readonly state: Readonly<Record<string, unknown>>;
  /** Closes the player's resources and answers all waiting callers. */
  close(): Promise<void>;
}

/** Parts of the run that a player uses. */
export interface PlayerParts {
  readonly settings: TrainSettings;
  readonly model: Model;
  readonly generation: Generation;
  /** Number of rollouts in a group. */
  readonly groupSize: number;
  /** Number of train steps done so far. */
  trainStep(): number;
  /** Statistics of the loop that calls the player. */
  statistics(): RolloutLoopStatistics;
  /** `Player.state` of the checkpoint that the run resumes from. */
  readonly saved: Readonly<Record<string, unknown>>;
}
