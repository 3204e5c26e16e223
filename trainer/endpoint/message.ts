/**
 * Messages as conversations are compared by: two that say the same are equal, however a client writes them. What an
 * assistant is made to have said is compared by its text and its tool calls, whose ids are a matter of the wire.
 */
import type { ChatMessage } from "../../native/api/index.js";
import type { RequestMessage } from "./schemas.js";

/** A call as the model wrote it. `arguments` is JSON, or whatever a client made of it. */
export interface FunctionCall {
  readonly name: string;
  readonly arguments: string;
}

/** What chat templates read. */
export function templateMessage(message: RequestMessage): ChatMessage {
  const { role } = message;
  const name = message.name === undefined ? {} : { name: message.name };
  const content = textOf(message.content);
  if (message.role === "tool") return { role, content, tool_call_id: message.tool_call_id, ...name };
  if (message.role !== "assistant" || !message.tool_calls?.length) {
    // Templates know developers by their former name.
    return { role: role === "developer" ? "system" : role, content, ...name };
  }
  const tool_calls = message.tool_calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.function.name, arguments: parsed(call.function.arguments) },
  }));
  return { role, content, tool_calls, ...name };
}

/** Equal for messages that say the same. */
export function messageKey(message: RequestMessage): string {
  if (message.role === "assistant") {
    return replyKey(
      textOf(message.content),
      (message.tool_calls ?? []).map((call) => call.function),
    );
  }
  return canonical(templateMessage(message));
}

/** The key of the message that a client sends back for a reply. */
export function replyKey(content: string, calls: readonly FunctionCall[]): string {
  return canonical({ role: "assistant", content, calls: calls.map((call) => [call.name, parsed(call.arguments)]) });
}

function textOf(content: RequestMessage["content"]): string {
  if (content === undefined || content === null) return "";
  return typeof content === "string" ? content : content.map(({ text }) => text).join("");
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return json;
  }
}

/** JSON with the keys of objects in order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
