/** Types of the requests to a reward function and of its replies. */
import type { Info, JsonValue } from "../../env.js";

/** A line of a task file: `prompt` and any other fields. */
export type TaskLine = { readonly [field: string]: JsonValue };

/** Returns the text shown to the agent: the prompt, or the messages of a conversation, joined. */
export function promptOf({ prompt }: TaskLine): string {
  if (typeof prompt === "string") return prompt;
  const messages = prompt as unknown as { content: string }[];
  return messages.map(({ content }) => content).join("\n\n");
}

export interface ToolUse {
  readonly tool: string;
  readonly arguments: { readonly [name: string]: JsonValue };
  /** Whether the tool reported an error. */
  readonly isError: boolean;
}

export interface RewardRequest {
  readonly task: TaskLine;
  /** The submitted answer. */
  readonly answer: string;
  /** Number of actions in the episode, including the submission. */
  readonly steps: number;
  /**
   * Number of tokens of all actions, as counted by the caller. If the caller does not count tokens, the value is a
   * quarter of the number of bytes.
   */
  readonly tokens: number;
  /** Tool calls in order. The list is empty if the answer was scored without an episode. */
  readonly calls: readonly ToolUse[];
}

export interface Reward {
  readonly reward: number;
  /** Details for trainers and human readers. */
  readonly info?: Info;
  /** Reason for the reward in one sentence, for the verdict on the episode. It may name the right answer. */
  readonly why?: string;
}

/** A reward that the gym has checked. */
export type Score = Reward & Required<Pick<Reward, "info">>;

/** Reply of a reward process: the result of the reward function, not yet validated. */
export interface Scored {
  reward?: unknown;
  info?: unknown;
  why?: unknown;
}

/** Optional exports of a reward file besides the reward function. */
export interface RewardFacts {
  /** Lowest and highest reward. */
  rewardRange?: readonly [number, number];
  /** Lowest reward that counts as solved. */
  solvedReward?: number;
}

/** Request for the facts of a reward file. */
export interface FactsRequest {
  readonly facts: true;
}
