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

/** What a reward process is sent, as a line of JSON. */
export type ToRewardProcess = RewardRequest & { id: number };

/** What it sends back, each as a line of JSON. The first says whether the function could be loaded. */
export type FromRewardProcess =
  | { kind: "ready" }
  | { kind: "unusable"; message: string }
  | { kind: "scored"; id: number; reward: unknown; info?: unknown }
  | { kind: "threw"; id: number; message: string };

/** File descriptors of the process: requests, answers, and one that ends with the gym. */
export const requestDescriptor = 3;
export const answerDescriptor = 4;
export const lifeDescriptor = 5;
