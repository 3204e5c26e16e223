/** The user in an episode. */
import type { Message, ToolCall } from "../episode/message.js";

/** The user's next turn: a message, or calls of the user's own tools. */
export interface UserTurn {
  content: string | null;
  calls?: readonly Pick<ToolCall, "name" | "arguments">[];
}

export interface User {
  /** Whether the user can write before the agent's first step. A model on an endpoint cannot. */
  readonly opens: boolean;
  /** @param messages conversation so far */
  next(messages: readonly Message[], signal: AbortSignal): Promise<UserTurn>;
}
