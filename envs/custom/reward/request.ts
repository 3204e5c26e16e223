/** What a reward function is asked, and what it answers. */
import type { Info, JsonValue } from "../../env.js";

/** A line of a task file: `prompt`, and whatever else the line has. */
export type TaskLine = { readonly [field: string]: JsonValue };

export interface ToolUse {
  readonly tool: string;
  readonly arguments: { readonly [name: string]: JsonValue };
  /** Whether the tool complained. */
  readonly isError: boolean;
}

export interface RewardRequest {
  readonly task: TaskLine;
  /** What the agent submitted. */
  readonly answer: string;
  /** Actions of the episode, the submission among them. */
  readonly steps: number;
  /** Of all actions: as the caller counted them, or else a quarter of their bytes. */
  readonly tokens: number;
  /** In their order; none where the answer came without an episode. */
  readonly calls: readonly ToolUse[];
}

export interface Reward {
  readonly reward: number;
  /** For trainers and people. */
  readonly info?: Info;
}

/** Answer of a reward process: the function's result, unchecked. */
export interface Scored {
  reward?: unknown;
  info?: unknown;
}

/** Facts that a reward file exports beside its function. */
export interface RewardFacts {
  /** The lowest and the highest reward. */
  rewardRange?: readonly [number, number];
  /** The least reward that counts as solved. */
  solvedReward?: number;
}

/** Asks for the facts in place of a reward. */
export interface FactsRequest {
  readonly facts: true;
}
