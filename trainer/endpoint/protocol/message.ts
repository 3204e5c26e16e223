/**
 * Keys of messages, by which conversations are compared. Messages with the same content have equal keys, even if
 * clients format them differently. An assistant's message is compared by its text and its tool calls, without their
 * ids.
 */
import type { ChatMessage } from "../../../native/api/index.js";
import type { RequestMessage } from "./schemas.js";

/** A function call as the model wrote it. `arguments` is JSON, unless a client changed it. */
export interface FunctionCall {
  readonly name: string;
  readonly arguments: string;
}

/** Converts a message to the form of chat templates. */
export function templateMessage(message: RequestMessage): ChatMessage {
  const { role } = message;
  const name = message.name === undefined ? {} : { name: message.name };
  const content = textOf(message.content);
  if (message.role === "tool") return { role, content, tool_call_id: message.tool_call_id, ...name };
  if (message.role !== "assistant" || !message.tool_calls?.length) {
    // Templates use the former name of the role developer, which is system.
    return { role: role === "developer" ? "system" : role, content, ...name };
  }
  const tool_calls = message.tool_calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.function.name, arguments: parsed(call.function.arguments) },
  }));
  return { role, content, tool_calls, ...name };
}

/** Returns the key of a message. */
export function messageKey(message: RequestMessage): string {
  if (message.role === "assistant") {
    return replyKey(
      textOf(message.content),
      (message.tool_calls ?? []).map((call) => call.function),
    );
  }
  return canonical(templateMessage(message));
}

/** Returns the key of the message that a client sends back for a reply. */
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

/** Writes JSON with the keys of objects in alphabetical order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
