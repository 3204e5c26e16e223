/** The first messages of a conversation, for every policy. */
/**
 * `system`: the prompt is the system message. `agentgym`: the prompt is a user message, which the assistant acknowledges, as
 * in AgentGym's clients.
 */
export type Dialogue = "system" | "agentgym";

/** Message of OpenAI's API. */
export type Message =
  | { readonly role: "system" | "user"; readonly content: string }
  | { readonly role: "assistant"; readonly content: string | null; readonly tool_calls?: readonly ToolCallMessage[] }
  | { readonly role: "tool"; readonly content: string; readonly tool_call_id: string };

export interface ToolCallMessage {
  readonly id: string;
  readonly type: "function";
  /** `arguments` is text that should be JSON. */
  readonly function: { readonly name: string; readonly arguments: string };
}

const acknowledgement = "OK. I'll follow your instructions and try my best to solve the task.";

export function firstMessages({ prompt, observation }: { prompt: string; observation: string }, dialogue: Dialogue) {
  const seen: Message = { role: "user", content: observation };
  const messages: Message[] =
    dialogue === "system"
      ? [{ role: "system", content: prompt }, seen]
      : [{ role: "user", content: prompt }, { role: "assistant", content: acknowledgement }, seen];
  return messages;
}
