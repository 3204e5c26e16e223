/** Messages of an episode, in the format of tau2-bench's results. */
import { type Dict, dict, type Value } from "../python/value.js";
import type { Reader } from "./reader.js";

export interface ToolCall {
  id: string;
  name: string;
  arguments: Dict;
  requestor: "assistant" | "user";
}

export interface PlayerMessage {
  role: "assistant" | "user";
  content: string | null;
  /** Undefined for a message without calls, unlike an empty list. */
  calls: readonly ToolCall[] | undefined;
}

export interface ToolMessage {
  role: "tool";
  id: string;
  content: string;
  requestor: "assistant" | "user";
  isError: boolean;
}

export type Message = PlayerMessage | ToolMessage;

const roles = ["assistant", "user", "tool", "system"] as const;
const requestors = ["assistant", "user"] as const;

/** @throws {Error} the value is no list of messages */
export function messagesIn(reader: Reader | undefined): Message[] {
  return (reader?.list() ?? []).flatMap((each) => {
    const several = each.optional("tool_messages")?.list();
    return several ? several.flatMap(messageIn) : messageIn(each);
  });
}

function messageIn(reader: Reader): Message[] {
  const role = reader.get("role").oneOf(roles);
  if (role === "system") return [];
  const content = reader.optional("content")?.text() ?? null;
  if (role !== "tool") return [{ role, content, calls: reader.optional("tool_calls")?.list().map(callIn) }];
  const requestor = reader.optional("requestor")?.oneOf(requestors) ?? "assistant";
  const isError = reader.optional("error")?.value === true;
  return [{ role, id: reader.get("id").text(), content: content ?? "", requestor, isError }];
}

function callIn(reader: Reader): ToolCall {
  return {
    id: reader.optional("id")?.text() ?? "",
    name: reader.get("name").text(),
    arguments: reader.get("arguments").dict(),
    requestor: reader.optional("requestor")?.oneOf(requestors) ?? "assistant",
  };
}

/** Whether a message has text that is not blank. */
export function hasText({ content }: Pick<Message, "content">): boolean {
  return content !== null && content.trim() !== "";
}

/** Returns a message as a value in tau2-bench's format. */
export function messageValue(message: Message): Value {
  if (message.role === "tool") {
    const { role, id, content, requestor, isError } = message;
    return dict({ role, id, content, requestor, error: isError });
  }
  const calls = message.calls?.map(({ id, name, arguments: args, requestor }) =>
    dict({ id, name, arguments: args, requestor }),
  );
  return dict({ role: message.role, content: message.content, tool_calls: calls ?? null });
}
