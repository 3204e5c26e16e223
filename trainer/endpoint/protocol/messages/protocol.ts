/** Anthropic's Messages: https://docs.anthropic.com/en/api/messages */
import { z } from "zod";
import { EndpointError, shown } from "../errors.js";
import { callableOf, FlatFormat, formatForm, guidedForm, guidedShape, type ToolChoice } from "../form-fields.js";
import { type Message, toolOf } from "../message.js";
import type { ModelRequest, Protocol } from "../protocol.js";
import { emptyList, Other, othersAsOther, othersIn, readBody, samplingShape, unsupportedShape } from "../reading.js";
import { AnthropicMessage, messagesOf, TextContent } from "./conversation.js";
import { errorBody } from "./errors.js";
import { MessageWriter } from "./writer.js";

const CustomTool = z.strictObject({
  type: z.literal("custom"),
  name: z.string().min(1),
  description: z.string().nullish(),
  input_schema: z.record(z.string(), z.unknown()),
  strict: z.boolean().nullish(),
});
const Tool = z.preprocess(othersAsOther(["custom"], "custom"), z.discriminatedUnion("type", [CustomTool, Other]));

const MessagesRequest = z.strictObject({
  /** Any name is accepted: the policy always replies, and the reply contains the policy's name. */
  model: z.string(),
  messages: z.array(AnthropicMessage).min(1),
  system: TextContent.nullish(),
  tools: z.array(Tool).nullish(),
  tool_choice: z
    .discriminatedUnion("type", [
      z.strictObject({ type: z.enum(["auto", "any", "none"]), disable_parallel_tool_use: z.boolean().nullish() }),
      z.strictObject({ type: z.literal("tool"), name: z.string(), disable_parallel_tool_use: z.boolean().nullish() }),
    ])
    .nullish(),
  /** Anthropic's API requires it. Default: the endpoint's own limit. */
  max_tokens: z.int().min(1).nullish(),
  stop_sequences: z.array(z.string().min(1)).nullish(),
  stream: z.boolean().nullish(),
  output_config: z.strictObject({ format: FlatFormat }).nullish(),
  output_format: FlatFormat,
  mcp_servers: emptyList,
  ...guidedShape,
  ...samplingShape,
  ...unsupportedShape,
});
type MessagesRequest = z.output<typeof MessagesRequest>;

export const messages: Protocol = {
  path: "messages",
  idPrefix: "msg_",
  read(body) {
    const { asked, ignored } = readBody(MessagesRequest, body);
    return requestOf(asked, ignored);
  },
  errorBody,
  counting: { path: "messages/count_tokens", bodyOf: (tokens) => ({ input_tokens: tokens }) },
};

function requestOf(asked: MessagesRequest, unknown: string[]): ModelRequest {
  const { system, tools: offered, tool_choice: choice, max_tokens: maxNewTokens } = asked;
  const own = (offered ?? []).flatMap((tool) =>
    tool.type === "custom" ? [toolOf({ ...tool, parameters: tool.input_schema })] : [],
  );
  const tools = choice?.type === "none" ? [] : own;
  const strictTools = (offered ?? []).flatMap((tool) => (tool.type === "custom" && tool.strict ? [tool.name] : []));
  const format =
    formatForm(asked.output_config?.format, "output_config.format") ?? formatForm(asked.output_format, "output_format");
  const said = messagesOf(asked.messages);
  const instructions: Message[] = system ? [{ role: "system", content: system }] : [];
  expectQuestion(said.messages);
  return {
    messages: [...instructions, ...said.messages],
    instructions: instructions.length,
    tools,
    form: { ...callableOf(choiceOf(choice), tools), strictTools, text: guidedForm(asked, format) },
    isOneCallAtMost: choice?.disable_parallel_tool_use === true && tools.length > 0,
    sampling: asked,
    choices: 1,
    topTokens: 0,
    hasLogprobs: false,
    maxNewTokens: maxNewTokens ?? undefined,
    stops: asked.stop_sequences ?? [],
    isStreamed: asked.stream === true,
    ignored: [...unknown, ...othersIn("tools", offered ?? []), ...said.ignored],
    writer: (call) => new MessageWriter(call),
  };
}

function choiceOf(choice: MessagesRequest["tool_choice"]): ToolChoice | undefined {
  if (choice == null) return undefined;
  if (choice.type === "tool") return { mode: "required", names: [choice.name] };
  return { mode: choice.type === "any" ? "required" : choice.type };
}

/** Refuses a conversation that ends with the beginning of the reply: sampled tokens would have to follow given ones. */
function expectQuestion(said: readonly Message[]): void {
  const last = said.at(-1);
  if (last && last.role !== "assistant") return;
  const received = last ? `a message of the assistant: ${shown(last.content)}` : "none";
  throw new EndpointError(
    "unsupported_parameter",
    `messages: expected a message of the user or a tool result at the end, but received ${received}. The beginning of a reply cannot be given.`,
    "messages",
  );
}
