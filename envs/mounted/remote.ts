/** What every kind of mount offers: facts about the remote environment, and episodes of it. */
import type { JsonValue, ResetRequest, ResetResult, StepResult, Tool } from "../env.js";
import type { Mount } from "./mount.js";

/** Facts about a remote environment. They travel to other processes of the gym as JSON. */
export interface Facts {
  /** Text that changes if the remote offers another environment. The version of the mount is derived from it. */
  identity: string;
  /** Name of the environment for people, such as `FrozenLake-v1 of Gymnasium 1.4.0`. */
  title: string;
  /** Number of tasks by split. */
  splits: Readonly<Record<string, number>>;
  maxSteps: number;
  /** Absent if the remote does not state it. */
  rewardRange?: readonly [number, number];
  /** Absent if the remote does not state it. */
  solvedReward?: number;
  prompt: string;
  tools: readonly Tool[];
  /** Facts that only the episodes of this kind read. */
  details: JsonValue;
}

/** An episode on a remote. Calls are made one at a time. */
export interface RemoteEpisode {
  /** @throws {ServiceFailed} the remote failed @throws {Error} the environment failed */
  reset(request: ResetRequest, signal: AbortSignal): Promise<ResetResult>;
  step(action: string, signal: AbortSignal): Promise<StepResult>;
  /** Frees the resources on the remote. Never rejects. */
  close(): Promise<void>;
}

export interface Kind {
  /** Facts that hold as long as the remote has not answered yet. */
  assume(mount: Mount): Facts;
  /** Asks the remote for its facts. @throws {Error} with the reason for people, without credentials */
  discover(mount: Mount, signal: AbortSignal): Promise<Facts>;
  /** Checks that the remote answers. @throws {Error} as in `discover` */
  check(mount: Mount, signal: AbortSignal): Promise<void>;
  open(mount: Mount, facts: Facts): RemoteEpisode;
}

/** Number of tasks of a split in which every seed is a task. */
export const anySeed = Number.MAX_SAFE_INTEGER;
