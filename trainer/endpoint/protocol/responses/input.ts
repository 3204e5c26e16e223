/** The input of a response: text, or items, which are converted to messages. */
import { z } from "zod";
import { EndpointError, shown } from "../errors.js";
import type { Message } from "../message.js";
import type { History } from "../protocol.js";
import { sentBack, textOf } from "../reading.js";
import { itemOf } from "./items.js";

const partTypes = { error: "expected one of input_text, output_text, refusal: the model reads only text" };
const Text = z.discriminatedUnion(
  "type",
  [
    z.strictObject({ type: z.literal("input_text"), text: z.string() }),
    z.strictObject({ type: z.literal("output_text"), text: z.string(), annotations: sentBack, logprobs: sentBack }),
    z.strictObject({ type: z.literal("refusal"), refusal: z.string() }).transform(({ refusal }) => ({ text: refusal })),
  ],
  partTypes,
);
const Content = textOf("input_text", Text);

/** Fields of the items of a response, which clients send back unchanged. */
const own = { id: sentBack, status: sentBack };

const Item = z.discriminatedUnion(
  "type",
  [
    z.strictObject({
      type: z.literal("message"),
      role: z.enum(["system", "developer", "user", "assistant"]),
      content: Content,
      ...own,
    }),
    z.strictObject({
      type: z.literal("function_call"),
      call_id: z.string(),
      name: z.string(),
      arguments: z.string(),
      parsed_arguments: sentBack,
      ...own,
    }),
    z.strictObject({ type: z.literal("function_call_output"), call_id: z.string(), output: Content, ...own }),
    z.strictObject({ type: z.literal("item_reference"), id: z.string() }),
    z.looseObject({ type: z.literal("reasoning") }),
  ],
  { error: "expected one of message, function_call, function_call_output, reasoning, item_reference" },
);
type Item = z.output<typeof Item>;

/** Adds the type that OpenAI's API lets clients leave out. */
function typed(item: unknown): unknown {
  if (typeof item !== "object" || item === null || (item as { type?: unknown }).type != null) return item;
  return { ...item, type: "role" in item ? "message" : "item_reference" };
}

export const Input = z.preprocess(
  (given) => (typeof given === "string" ? [{ type: "message", role: "user", content: given }] : given),
  z.array(z.preprocess(typed, Item), { error: "expected text or a list of items" }),
);

/**
 * Converts items to messages. A message of the assistant and the function calls after it are one message. Reasoning is
 * left out, since the replies of this endpoint have none.
 *
 * @throws {EndpointError} a reference names no item of the rollout
 */
export function messagesOf(items: readonly Item[], history: History): { messages: Message[]; ignored: string[] } {
  const messages: Message[] = [];
  const ignored: string[] = [];
  for (const [at, item] of items.entries()) {
    if (item.type === "reasoning") ignored.push("input[reasoning]");
    else addTo(messages, messageOf(item, at, history));
  }
  return { messages, ignored };
}

function addTo(messages: Message[], message: Message): void {
  const last = messages.at(-1);
  const isCallOnly = message.role === "assistant" && message.content === "" && message.calls.length > 0;
  if (isCallOnly && last?.role === "assistant") {
    messages[messages.length - 1] = { ...last, calls: [...last.calls, ...message.calls] };
  } else messages.push(message);
}

function messageOf(item: Exclude<Item, { type: "reasoning" }>, at: number, history: History): Message {
  switch (item.type) {
    case "message": {
      const { role, content } = item;
      return role === "assistant" ? { role, content, calls: [] } : { role, content };
    }
    case "function_call": {
      const { call_id: id, name, arguments: values } = item;
      return { role: "assistant", content: "", calls: [{ id, name, arguments: values }] };
    }
    case "function_call_output":
      return { role: "tool", content: item.output, callId: item.call_id };
    case "item_reference": {
      const found = itemOf(item.id, history);
      if (found) return found;
      const expected = "the id of an item of a response of this rollout";
      const remedy = "Send the item itself, or set store to false in the client";
      const param = `input[${at}].id`;
      throw new EndpointError(
        "call_not_found",
        `expected ${expected}, but received ${shown(item.id)}. ${remedy}.`,
        param,
      );
    }
  }
}
