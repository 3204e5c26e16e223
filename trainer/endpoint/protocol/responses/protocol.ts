/**
 * OpenAI's Responses: https://platform.openai.com/docs/api-reference/responses/create. Nothing is stored beyond the
 * rollout: `previous_response_id` and item references name calls of the same rollout.
 */
import { z } from "zod";
import { EndpointError, shown } from "../errors.js";
import {
  callableOf,
  FlatFormat,
  formatForm,
  guidedForm,
  guidedShape,
  OpenAiToolChoice,
  type ToolChoice,
} from "../form-fields.js";
import { type Message, toolOf } from "../message.js";
import type { History, ModelRequest, Protocol } from "../protocol.js";
import {
  absent,
  emptyList,
  Other,
  only,
  othersAsOther,
  othersIn,
  readBody,
  samplingShape,
  stopShape,
  stopsOf,
  topLogprobs,
  unsupportedShape,
} from "../reading.js";
import { Input, messagesOf } from "./input.js";
import { idPrefix } from "./items.js";
import { ResponseWriter } from "./writer.js";

const FunctionTool = z.strictObject({
  type: z.literal("function"),
  name: z.string().min(1),
  description: z.string().nullish(),
  parameters: z.record(z.string(), z.unknown()).nullish(),
  strict: z.boolean().nullish(),
});
const Tool = z.preprocess(othersAsOther(["function"]), z.discriminatedUnion("type", [FunctionTool, Other]));

const ResponseRequest = z.strictObject({
  /** Any name is accepted: the policy always replies, and the reply contains the policy's name. */
  model: z.string(),
  input: Input,
  instructions: z.string().nullish(),
  previous_response_id: z.string().nullish(),
  tools: z.array(Tool).nullish(),
  tool_choice: OpenAiToolChoice,
  parallel_tool_calls: z.boolean().nullish(),
  stream: z.boolean().nullish(),
  max_output_tokens: z.int().min(1).nullish(),
  include: z.array(z.string()).nullish(),
  text: z.strictObject({ format: FlatFormat }).nullish(),
  background: only(false),
  conversation: absent,
  previous_input_messages: emptyList,
  previous_response: absent,
  prompt: absent,
  ...guidedShape,
  ...stopShape,
  ...samplingShape,
  ...unsupportedShape,
  top_logprobs: topLogprobs,
});
type ResponseRequest = z.output<typeof ResponseRequest>;

const logprobsOfText = "message.output_text.logprobs";

export const responses: Protocol = {
  path: "responses",
  idPrefix,
  read(body, history) {
    const { asked, ignored } = readBody(ResponseRequest, body);
    return requestOf(asked, ignored, history);
  },
  errorBody: (error) => error.toBody(),
};

function requestOf(asked: ResponseRequest, unknown: string[], history: History): ModelRequest {
  const { instructions, max_output_tokens: maxNewTokens, include, tools: offered } = asked;
  const functions = (offered ?? []).flatMap((tool) => (tool.type === "function" ? [toolOf(tool)] : []));
  const tools = asked.tool_choice?.mode === "none" ? [] : functions;
  const strictTools = (offered ?? []).flatMap((tool) => (tool.type === "function" && tool.strict ? [tool.name] : []));
  const text = guidedForm(asked, formatForm(asked.text?.format, "text.format"));
  const system: Message[] = instructions ? [{ role: "system", content: instructions }] : [];
  const said = messagesOf(asked.input, history);
  const messages = [...system, ...earlierOf(asked, history), ...said.messages];
  if (messages.length === system.length) {
    throw new EndpointError("invalid_request", "input: expected at least one item, but received none", "input");
  }
  const hasLogprobs = include?.includes(logprobsOfText) === true;
  const topTokens = hasLogprobs ? (asked.top_logprobs ?? 0) : 0;
  const unasked = !hasLogprobs && (asked.top_logprobs ?? 0) > 0 ? ["top_logprobs"] : [];
  const unused = (include ?? []).filter((name) => name !== logprobsOfText).map((name) => `include[${name}]`);
  return {
    messages,
    instructions: system.length,
    tools,
    form: { ...callableOf(asked.tool_choice, tools), strictTools, text },
    isOneCallAtMost: asked.parallel_tool_calls === false && tools.length > 0,
    sampling: asked,
    choices: 1,
    topTokens,
    hasLogprobs,
    maxNewTokens: maxNewTokens ?? undefined,
    stops: stopsOf(asked),
    isStreamed: asked.stream === true,
    ignored: [...unknown, ...othersIn("tools", offered ?? []), ...said.ignored, ...unused, ...unasked],
    writer: (call) => new ResponseWriter(call, { isAsked: hasLogprobs, topTokens }, echoOf(asked, functions)),
  };
}

/** Returns the parameters of a request that a response repeats. */
function echoOf(asked: ResponseRequest, functions: readonly ReturnType<typeof toolOf>[]): object {
  return {
    instructions: asked.instructions ?? null,
    max_output_tokens: asked.max_output_tokens ?? null,
    parallel_tool_calls: asked.parallel_tool_calls ?? true,
    previous_response_id: asked.previous_response_id ?? null,
    temperature: asked.temperature ?? null,
    text: { format: asked.text?.format ?? { type: "text" } },
    top_logprobs: asked.top_logprobs ?? 0,
    tool_choice: choiceOf(asked.tool_choice),
    tools: functions.map((tool) => ({ type: "function", ...tool.function })),
    top_p: asked.top_p ?? null,
  };
}

/** Returns a choice of tools as a response reports it. */
function choiceOf(choice: ToolChoice | null | undefined): unknown {
  const { mode, names } = choice ?? { mode: "auto" as const };
  if (!names) return mode;
  const tools = names.map((name) => ({ type: "function", name }));
  return mode === "required" && tools.length === 1 ? tools[0] : { type: "allowed_tools", mode, tools };
}

/** Returns the messages of the earlier response that a request continues, without its instructions, as OpenAI's API does. */
function earlierOf({ previous_response_id: id }: ResponseRequest, history: History): readonly Message[] {
  if (id == null) return [];
  const messages = history.messagesOf(id);
  if (messages) return messages;
  const message = `expected the id of a finished response of this rollout, but received ${shown(id)}`;
  throw new EndpointError("call_not_found", message, "previous_response_id");
}
