/** Replies in the forms that models write: those of their chat templates, and those that they fall into. */
import type { EpisodeFormat } from "#palestra/server/formats/actions/action-formats.js";
import { callOf } from "#palestra/server/formats/actions/tool-call.js";
import type { Tool } from "#palestra/trainer/gym/gym.js";

export interface ReplyForm {
  /** Model, and what is particular in its form. */
  name: string;
  format: EpisodeFormat;
  write(action: string, tools: readonly Tool[]): string;
}

interface Call {
  name: string;
  given: Readonly<Record<string, unknown>>;
}

const called = (write: (call: Call) => string) => (action: string, tools: readonly Tool[]) => {
  const call = callOf(action, tools);
  if (!call) throw new Error(`expected a tool for ${action}`);
  return write({ name: call.name, given: call.arguments });
};

const word = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const elements = (given: Call["given"], write: (name: string, value: string) => string) =>
  Object.entries(given)
    .map(([name, value]) => write(name, word(value)))
    .join("\n");
const keyword = (given: Call["given"]) =>
  Object.entries(given)
    .map(([name, value]) => `${name}=${JSON.stringify(value)}`)
    .join(", ");

export const replyForms: readonly ReplyForm[] = [
  {
    name: "AgentLM, AgentGym's prompt",
    format: "react",
    write: (action) => `Thought:\nI have to act.\n\nAction:\n${action}`,
  },
  {
    name: "Llama 3.1, Markdown",
    format: "react",
    write: (action) => `**Thought:** The next step is clear.\n\n**Action:** \`${action}\`<|eot_id|>`,
  },
  {
    name: "DeepSeek-R1, reasoning before the answer",
    format: "react",
    write: (action) =>
      `<think>\nMaybe Action: wait? No.\n</think>\n\nThought: Go on.\nAction:\n\`\`\`\n${action}\n\`\`\``,
  },
  { name: "a base model, the bare action", format: "react", write: (action) => action },
  {
    name: "Qwen2.5 and Hermes",
    format: "tool_call",
    write: called(
      ({ name, given }) => `First this.\n<tool_call>\n${JSON.stringify({ name, arguments: given })}\n</tool_call>`,
    ),
  },
  {
    name: "Llama 3.2, `parameters` after a token",
    format: "tool_call",
    write: called(({ name, given }) => `<|python_tag|>${JSON.stringify({ name, parameters: given })}<|eot_id|>`),
  },
  {
    name: "Mistral 0.3, a list",
    format: "tool_call",
    write: called(
      ({ name, given }) => `[TOOL_CALLS] [${JSON.stringify({ name, arguments: given, id: "abc123xyz" })}]</s>`,
    ),
  },
  {
    name: "Mistral (Devstral), the name first",
    format: "tool_call",
    write: called(({ name, given }) => `[TOOL_CALLS]${name}[ARGS]${JSON.stringify(given)}</s>`),
  },
  {
    name: "Mistral Small 3.2, the name and an id first",
    format: "tool_call",
    write: called(({ name, given }) => `[TOOL_CALLS]${name}[CALL_ID]abc123xyz[ARGS]${JSON.stringify(given)}</s>`),
  },
  {
    name: "DeepSeek-V3, a block of JSON",
    format: "tool_call",
    write: called(
      ({ name, given }) =>
        `<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n${JSON.stringify(given)}\n\`\`\`<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ),
  },
  {
    name: "DeepSeek-V3.1, no block",
    format: "tool_call",
    write: called(
      ({ name, given }) =>
        `</think><｜tool▁calls▁begin｜><｜tool▁call▁begin｜>${name}<｜tool▁sep｜>${JSON.stringify(given)}<｜tool▁call▁end｜><｜tool▁calls▁end｜>`,
    ),
  },
  {
    name: "GLM-4.5, pairs of elements",
    format: "tool_call",
    write: called(
      ({ name, given }) =>
        `<think></think>\n<tool_call>${name}\n${elements(given, (key, value) => `<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`)}\n</tool_call>`,
    ),
  },
  {
    name: "Qwen3-Coder, elements",
    format: "tool_call",
    write: called(
      ({ name, given }) =>
        `<tool_call>\n<function=${name}>\n${elements(given, (key, value) => `<parameter=${key}>\n${value}\n</parameter>`)}\n</function>\n</tool_call><|im_end|>`,
    ),
  },
  {
    name: "gpt-oss, Harmony",
    format: "tool_call",
    write: called(
      ({ name, given }) =>
        `<|channel|>analysis<|message|>I need it.<|end|><|start|>assistant<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>${JSON.stringify(given)}<|call|>`,
    ),
  },
  {
    name: "Kimi K2, an id",
    format: "tool_call",
    write: called(
      ({ name, given }) =>
        `<|tool_calls_section_begin|><|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>${JSON.stringify(given)}<|tool_call_end|><|tool_calls_section_end|>`,
    ),
  },
  {
    name: "a model that has seen OpenAI's API, arguments as text",
    format: "tool_call",
    write: called(
      ({ name, given }) => `<tool_call>\n${JSON.stringify({ name, arguments: JSON.stringify(given) })}\n</tool_call>`,
    ),
  },
  {
    name: "Qwen in Chinese, a wide colon",
    format: "react",
    write: (action) => `Thought：先看看。\r\nAction：${action}\r\n`,
  },
  {
    name: "a model without a template, a block of JSON",
    format: "tool_call",
    write: called(({ name, given }) => `\`\`\`json\n${JSON.stringify({ name, arguments: given }, null, 2)}\n\`\`\``),
  },
  {
    name: "Gemma 3, a block of Python",
    format: "code",
    write: called(
      ({ name, given }) => `I will act.\n\n\`\`\`python\n# now\n${name}(${keyword(given)})\n\`\`\`<end_of_turn>`,
    ),
  },
  {
    name: "CodeAct, the call alone",
    format: "code",
    write: called(({ name, given }) => `${name}(${keyword(given)})`),
  },
];
