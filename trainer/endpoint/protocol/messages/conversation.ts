/** Anthropic's messages, whose content is text or blocks, and their conversion to the form that all protocols share. */
import { z } from "zod";
import type { Message } from "../message.js";
import { sentBack, textOf } from "../reading.js";

const Text = z.strictObject({ type: z.literal("text", "expected text"), text: z.string(), citations: sentBack });
/** Text as a string or as blocks of text. */
export const TextContent = textOf("text", Text);

const ToolResult = z.strictObject({
  type: z.literal("tool_result"),
  tool_use_id: z.string(),
  content: TextContent.nullish(),
});

const ToolUse = z.strictObject({
  type: z.literal("tool_use"),
  id: z.string(),
  name: z.string(),
  input: z.record(z.string(), z.unknown()),
});

/** The model's thinking, which is left out, since the replies of this endpoint have none. */
const Thinking = z.looseObject({ type: z.enum(["thinking", "redacted_thinking"]) });

/** Schema of a list of blocks, or of text, which stands for one block. */
function blocksOf<T extends z.ZodType>(block: T) {
  const blocks = z.array(block, { error: "expected text or a list of blocks" });
  return z.preprocess((given) => (typeof given === "string" ? [{ type: "text", text: given }] : given), blocks);
}

const UserBlock = z.discriminatedUnion("type", [Text, ToolResult], {
  error: "expected one of text, tool_result: the model reads only text",
});
const AssistantBlock = z.discriminatedUnion("type", [Text, ToolUse, Thinking], {
  error: "expected one of text, tool_use, thinking, redacted_thinking",
});

export const AnthropicMessage = z.discriminatedUnion(
  "role",
  [
    z.strictObject({ role: z.literal("user"), content: blocksOf(UserBlock) }),
    z.strictObject({ role: z.literal("assistant"), content: blocksOf(AssistantBlock) }),
    z.strictObject({ role: z.literal("system"), content: TextContent }),
  ],
  { error: "expected one of user, assistant, system" },
);
type AnthropicMessage = z.output<typeof AnthropicMessage>;

/** Converts messages. The results of tools in a message of the user become messages of their own, in the same order. */
export function messagesOf(all: readonly AnthropicMessage[]): { messages: Message[]; ignored: string[] } {
  const messages: Message[] = [];
  const ignored: string[] = [];
  for (const message of all) {
    if (message.role === "system") messages.push(message);
    else if (message.role === "user") messages.push(...userMessages(message.content));
    else {
      messages.push(assistantMessage(message.content));
      const hasThought = message.content.some(({ type }) => type !== "text" && type !== "tool_use");
      if (hasThought) ignored.push("messages[].content[thinking]");
    }
  }
  return { messages, ignored };
}

function userMessages(blocks: readonly z.output<typeof UserBlock>[]): Message[] {
  const messages: Message[] = [];
  let text: string | undefined;
  const flush = () => {
    if (text !== undefined) messages.push({ role: "user", content: text });
    text = undefined;
  };
  for (const block of blocks) {
    if (block.type === "text") text = (text ?? "") + block.text;
    else {
      flush();
      messages.push({ role: "tool", content: block.content ?? "", callId: block.tool_use_id });
    }
  }
  flush();
  return messages;
}

function assistantMessage(blocks: readonly z.output<typeof AssistantBlock>[]): Message {
  const content = blocks.map((block) => (block.type === "text" ? block.text : "")).join("");
  const calls = blocks.flatMap((block) => {
    if (block.type !== "tool_use") return [];
    const { id, name, input } = block as z.output<typeof ToolUse>;
    return [{ id, name, arguments: JSON.stringify(input) }];
  });
  return { role: "assistant", content, calls };
}
