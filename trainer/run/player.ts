/**
 * How a run's groups come about: the trainer plays them itself in a gym (gym-player.ts), or agent programs do at its
 * rollout endpoint (endpoint/endpoint-player.ts). The loop of train.ts knows no difference.
 */
import type { Model } from "../../native/api/index.js";
import type { LeftOutReason, RolloutLoopOptions, RolloutLoopStatistics, TaskSource } from "../rollout/rollout-loop.js";
import type { Group } from "../rollout/trajectory.js";
import type { TrainSettings } from "../settings/settings.js";
import type { Generation } from "./generation.js";
import type { HeldOutScore } from "./held-out.js";

export interface Player<Task = unknown> extends TaskSource<Task> {
  /** Before anything else. */
  open(): Promise<void>;
  /** Rejects with the signal's reason once that is aborted. */
  play(task: Task, signal: AbortSignal): Promise<Group>;
  /** The group was learnt from, or for a reason will not be. */
  finish(group: Group, leftOut?: LeftOutReason): void;
  /** The most replies of an episode that begins now; undefined where the trainer does not decide on it. */
  rounds(): number | undefined;
  /** On held-out tasks; undefined where the trainer has none. */
  evaluate(signal: AbortSignal): Promise<readonly HeldOutScore[] | undefined>;
  /** With groups that fail, or are not kept, one after the other. Default: that of the loop. */
  readonly patience?: Pick<RolloutLoopOptions<Task>, "mostFailuresInARow" | "mostFilteredInARow">;
  /** What a checkpoint keeps of it, and what it is made with when a run goes on. */
  readonly state: Readonly<Record<string, unknown>>;
  /** What it plays with is closed, whoever waits for it is answered. */
  close(): Promise<void>;
}

/** What a player has of the run. */
export interface PlayerParts {
  readonly settings: TrainSettings;
  readonly model: Model;
  readonly generation: Generation;
  /** Episodes of a group. */
  readonly groupSize: number;
  /** Train steps done so far. */
  trainStep(): number;
  /** Of the loop that calls the player. */
  statistics(): RolloutLoopStatistics;
  /** `Player.state` of the checkpoint that the run goes on from. */
  readonly saved: Readonly<Record<string, unknown>>;
}
