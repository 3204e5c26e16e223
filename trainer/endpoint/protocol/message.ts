/**
 * Messages of a conversation in the form that all protocols share, and their keys, by which conversations are compared.
 * Messages with the same content have equal keys, even if clients format them differently or use other protocols. An
 * assistant's message is compared by its text and its tool calls, without their ids.
 */

import type { ChatMessage } from "../../../native/api/index.js";
import { isDeeperThan } from "../../../server/formats/nesting.js";

/** A function call as the model wrote it. `arguments` is JSON, unless a client changed it. */
export interface FunctionCall {
  readonly name: string;
  readonly arguments: string;
}

/** A function call with the id that its result names. */
export interface IdentifiedCall extends FunctionCall {
  readonly id: string;
}

interface Named {
  readonly content: string;
  readonly name?: string | undefined;
}

export type Message =
  | (Named & { readonly role: "system" | "developer" | "user" })
  | (Named & { readonly role: "assistant"; readonly calls: readonly IdentifiedCall[] })
  | (Named & { readonly role: "tool"; readonly callId: string });

/** A function that the model may call, in the form of chat templates. */
export interface Tool {
  readonly type: "function";
  readonly function: {
    readonly name: string;
    readonly description?: string | undefined;
    /** JSON Schema of the arguments. */
    readonly parameters?: Readonly<Record<string, unknown>> | undefined;
  };
}

/** Makes a tool whose fields have one order, so that equal tools of different protocols give equal prompts. */
export function toolOf({ name, description, parameters }: Nullish<Tool["function"]> & { name: string }): Tool {
  const described = { name, ...(description != null && { description }), ...(parameters != null && { parameters }) };
  return { type: "function", function: described };
}

type Nullish<T> = { readonly [K in keyof T]?: T[K] | null | undefined };

/** Converts a message to the form of chat templates. */
export function templateMessage(message: Message): ChatMessage {
  const { role, content } = message;
  const name = message.name === undefined ? {} : { name: message.name };
  if (message.role === "tool") return { role, content, tool_call_id: message.callId, ...name };
  if (message.role !== "assistant" || message.calls.length === 0) {
    // Templates use the former name of the role developer, which is system.
    return { role: role === "developer" ? "system" : role, content, ...name };
  }
  const tool_calls = message.calls.map((call) => ({
    id: call.id,
    type: "function",
    function: { name: call.name, arguments: parsed(call.arguments) },
  }));
  return { role, content, tool_calls, ...name };
}

/** Returns the key of a message. */
export function messageKey(message: Message): string {
  return message.role === "assistant" ? replyKey(message.content, message.calls) : canonical(templateMessage(message));
}

/** Returns the key of the message that a client sends back for a reply. */
export function replyKey(content: string, calls: readonly FunctionCall[]): string {
  return canonical({ role: "assistant", content, calls: calls.map((call) => [call.name, parsed(call.arguments)]) });
}

function parsed(json: string): unknown {
  try {
    const value: unknown = JSON.parse(json);
    return isDeeperThan(deepest, value) ? json : value;
  } catch {
    return json;
  }
}

/** Maximum depth of the values that templates and keys are made of. Both are written by recursion. */
export const deepest = 128;

/** Writes JSON with the keys of objects in alphabetical order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (typeof inner !== "object" || inner === null || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([one], [other]) => (one < other ? -1 : 1)));
  });
}
