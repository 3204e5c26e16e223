/** The customer of a conversation. */
import type { Returned } from "../../env.js";
import type { Ask } from "./asks.js";
import type { Scene } from "./conversation.js";
import type { Heard } from "./heard.js";
import type { Topic } from "./topics.js";

/** A message of the agent, as text and as it was understood. */
export interface AgentMessage {
  text: string;
  heard: Heard;
  asks: readonly Ask[];
  /** Whether the message tells a fact that the customer has asked for. */
  tells: boolean;
}

/** The customer's next message, and what it means. */
export interface UserTurn {
  text: string;
  /** Topics that the message answers. */
  answers: readonly Topic[];
  /** Whether the customer has said yes or no to what the agent proposed. */
  says?: "yes" | "no";
  /** Whether the customer gives up the first wish. */
  fallsBack: boolean;
  isUnderstood: boolean;
}

/**
 * A customer. A turn depends only on the message and the scene, and does not change the scene. The scripted customer is
 * synchronous; one that a model plays is async.
 */
export interface User<Async extends boolean = false> {
  reply(message: AgentMessage, scene: Scene): Returned<UserTurn, Async>;
}
