/**
 * OpenAI's chat completions: https://platform.openai.com/docs/api-reference/chat/create, with vLLM's `return_token_ids`.
 */
import { z } from "zod";
import { EndpointError, shown } from "../errors.js";
import { callableOf, formatForm, guidedForm, guidedShape, OpenAiToolChoice, ResponseFormat } from "../form-fields.js";
import { type Message, toolOf } from "../message.js";
import type { ModelRequest, Protocol } from "../protocol.js";
import {
  only,
  readBody,
  samplingShape,
  sentBack,
  stopShape,
  stopsOf,
  textOf,
  topLogprobs,
  unsupportedShape,
} from "../reading.js";
import { CompletionWriter } from "./writer.js";

const Content = textOf("text", z.strictObject({ type: z.literal("text", "expected text"), text: z.string() }));
const named = { name: z.string().optional() };

const ToolCall = z.strictObject({
  id: z.string(),
  type: z.literal("function").default("function"),
  function: z.strictObject({ name: z.string(), arguments: z.string(), parsed_arguments: sentBack }),
  index: z.int().optional(),
});

const ChatMessage = z.discriminatedUnion(
  "role",
  [
    z.strictObject({ role: z.enum(["system", "developer", "user"]), content: Content, ...named }),
    z.strictObject({
      role: z.literal("assistant"),
      content: Content.nullish(),
      tool_calls: z.array(ToolCall).nullish(),
      // Fields of OpenAI's own replies, which SDKs send back unchanged.
      refusal: z.null().optional(),
      annotations: z.array(z.never()).nullish(),
      audio: z.null().optional(),
      function_call: z.null().optional(),
      parsed: sentBack,
      ...named,
    }),
    z.strictObject({ role: z.literal("tool"), content: Content, tool_call_id: z.string(), ...named }),
  ],
  { error: "expected one of system, developer, user, assistant, tool" },
);

const ChatTool = z.strictObject({
  type: z.literal("function"),
  function: z.strictObject({
    name: z.string().min(1),
    description: z.string().nullish(),
    parameters: z.record(z.string(), z.unknown()).nullish(),
    strict: z.boolean().nullish(),
  }),
});

const limit = z.int().min(1).nullish();
/** Limit of OpenAI's API on the choices of a reply. */
const mostChoices = 128;

const ChatRequest = z.strictObject({
  /** Any name is accepted: the policy always replies, and the reply contains the policy's name. */
  model: z.string(),
  messages: z.array(ChatMessage).min(1),
  tools: z.array(ChatTool).nullish(),
  tool_choice: OpenAiToolChoice,
  parallel_tool_calls: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  stream_options: z
    .strictObject({ include_usage: z.boolean().optional(), include_obfuscation: z.literal(false).optional() })
    .nullish(),
  max_tokens: limit,
  max_completion_tokens: limit,
  logprobs: z.boolean().nullish(),
  return_token_ids: z.boolean().nullish(),
  response_format: ResponseFormat,
  modalities: z.array(z.literal("text")).nullish(),
  functions: z.array(z.never()).max(0).nullish(),
  function_call: only("auto", "none"),
  ...guidedShape,
  ...stopShape,
  ...samplingShape,
  ...unsupportedShape,
  n: z.int().min(1).max(mostChoices).nullish(),
  top_logprobs: topLogprobs,
});
type ChatRequest = z.output<typeof ChatRequest>;

export const chatCompletions: Protocol = {
  path: "chat/completions",
  idPrefix: "chatcmpl-",
  read(body) {
    const { asked, ignored } = readBody(ChatRequest, body);
    return requestOf(asked, ignored);
  },
  errorBody: (error) => error.toBody(),
};

function requestOf(asked: ChatRequest, ignored: string[]): ModelRequest {
  const offered = asked.tool_choice?.mode === "none" ? [] : (asked.tools ?? []);
  const tools = offered.map((tool) => toolOf(tool.function));
  const strictTools = offered.flatMap(({ function: { name, strict } }) => (strict ? [name] : []));
  const text = guidedForm(asked, formatForm(asked.response_format, "response_format"));
  const topTokens = asked.top_logprobs ?? 0;
  if (topTokens > 0 && asked.logprobs !== true) {
    const message = `top_logprobs: expected logprobs: true in the same request, but received ${shown(asked.logprobs)}`;
    throw new EndpointError("invalid_request", message, "top_logprobs");
  }
  const choices = asked.n ?? 1;
  return {
    messages: asked.messages.map(messageOf),
    instructions: 0,
    tools,
    form: { ...callableOf(asked.tool_choice, tools), strictTools, text },
    isOneCallAtMost: asked.parallel_tool_calls === false && tools.length > 0,
    sampling: asked,
    choices,
    topTokens,
    hasLogprobs: asked.logprobs === true,
    maxNewTokens: asked.max_completion_tokens ?? asked.max_tokens ?? undefined,
    stops: stopsOf(asked),
    isStreamed: asked.stream === true,
    ignored,
    writer: (call) =>
      new CompletionWriter(call, {
        logprobs: asked.logprobs === true,
        topTokens,
        choices,
        tokenIds: asked.return_token_ids === true,
        usage: asked.stream_options?.include_usage === true,
      }),
  };
}

function messageOf(message: z.output<typeof ChatMessage>): Message {
  const { name } = message;
  if (message.role === "tool") {
    return { role: "tool", content: message.content, callId: message.tool_call_id, name };
  }
  if (message.role !== "assistant") return { role: message.role, content: message.content, name };
  const calls = (message.tool_calls ?? []).map(({ id, function: { name, arguments: values } }) => ({
    ...{ id, name },
    arguments: values,
  }));
  return { role: "assistant", content: message.content ?? "", calls, name };
}
