import type { Message } from "./episode/message.js";
import { jsonText } from "./python/text.js";

/** The agent's first message in each episode of tau2-bench. */
export const greeting = "Hi! How can I help you today?";
/** Marks in the user's messages that end the conversation. */
export const stops = ["###STOP###", "###TRANSFER###", "###OUT-OF-SCOPE###"] as const;

export const ended = "The conversation has ended.";
export const waiting = "The user has not written yet. Greet the user.";

const rules =
  'You are an agent of a customer service, and talk with one user. Each reply is either one call of a tool, as in `get_user_details {"user_id": "first_last_1234"}`, or a message to the user, and never both. Keep the policy. The user ends the conversation.';

/** @param policy policy of the domain, if the data is there */
export function promptFor(policy: string | undefined): string {
  return policy === undefined ? rules : `${rules}\n\n<policy>\n${policy}\n</policy>`;
}

/** Returns the conversation so far, as the agent sees it. */
export function conversation(messages: readonly Message[]): string {
  return messages.flatMap(lineOf).join("\n");
}

function lineOf(message: Message): string[] {
  if (message.role === "tool") return message.requestor === "assistant" ? [`Tool: ${message.content}`] : [];
  const calls = (message.calls ?? []).map(({ name, arguments: args }) => `Agent calls ${name} ${jsonText(args)}`);
  if (message.role === "assistant") return [...calls, ...(message.content ? [`Agent: ${message.content}`] : [])];
  return message.content ? [userSays(message.content)] : [];
}

export function userSays(content: string): string {
  return `User: ${content}`;
}

export function invalid(expected: string, received: string): string {
  return `Error: expected ${expected}, but received ${received}.`;
}
