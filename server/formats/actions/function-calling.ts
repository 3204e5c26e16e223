/**
 * Function calling: a reply contains one call. The gym writes calls in the format of Hermes and Qwen, and reads the
 * forms of other models, too. The `tool_calls` of a server are converted to the same text, so all calls have the same
 * parser.
 */

import type { ActionFormat, Reading, Tool } from "./action-format.js";
import { type FoundCall, foundCalls, withoutFence } from "./call-forms.js";
import { actionOf, callOf, functionOf, parsed, refusal, type ToolCall } from "./tool-call.js";
import { answerOf } from "./written.js";

export const functionCalling: ActionFormat = {
  name: "tool_call",
  callsTools: true,
  opening: (prompt, tools) => ({
    prompt: `${prompt.trimEnd()}\n\nIn place of any format of replies above: each reply calls exactly one function.`,
    tools,
  }),
  read: readCall,
  write(action, tools) {
    const call = callOf(action, tools);
    return call && writtenCall(call);
  },
};

/** Parses the action of a reply that has to be one call. */
export function readCall(text: string, tools: readonly Tool[]): Reading {
  const calls = callsIn(answerOf(text));
  if (calls.length !== 1) {
    const received = calls.length === 0 ? "none" : "2 or more";
    return refusal(`one call as ${callText('"name"', '{"argument": ...}')}`, received);
  }
  const call = toolCallOf(calls[0] as FoundCall, tools);
  return call
    ? actionOf(call, tools)
    : refusal("a call as JSON with name and arguments", calls[0]?.json || String(calls[0]?.name));
}

/** Writes a call as Qwen's chat template does. */
export function writtenCall({ name, arguments: given }: ToolCall): string {
  return callText(JSON.stringify(name), spaced(given));
}

/** Writes a call. @param name name as JSON @param given arguments as JSON, or the text that a model wrote instead */
export function callText(name: string, given: string): string {
  return `<tool_call>\n{"name": ${name}, "arguments": ${given}}\n</tool_call>`;
}

/** Returns whether a reply in this format contains a call. */
export function callsSomething(text: string): boolean {
  return callsIn(text).length > 0;
}

/** Returns whether a reply is a call as `writtenCall` writes it, and nothing else. */
export function isCallAlone(text: string): boolean {
  const bare = text.trim();
  return bare.startsWith(opening) && bare.endsWith(closing);
}

/**
 * Returns the only call of a reply and the text before it; undefined unless the reply has exactly one call, and it is
 * valid.
 */
export function singleCall(text: string): { readonly content: string; readonly call: ToolCall } | undefined {
  const calls = callsIn(text);
  const call = calls.length === 1 ? toolCallOf(calls[0] as FoundCall, []) : undefined;
  if (!call) return undefined;
  const at = text.indexOf(opening);
  return { content: at < 0 ? "" : text.slice(0, at).trim(), call };
}

/** Describes tools for a model whose chat template does not show them. */
export function toolInstructions(tools: readonly Tool[]): string {
  const functions = tools.map((tool) => JSON.stringify(functionOf(tool))).join("\n");
  return [
    "These are your functions, with their arguments as JSON Schema:",
    `<tools>\n${functions}\n</tools>`,
    `Call one in this way:\n${callText('"function name"', '{"argument name": value}')}`,
  ].join("\n\n");
}

/**
 * Returns the calls of a reply, at most two, since a second call is refused. JSON without marks is a call only if it is
 * the whole reply.
 */
function callsIn(text: string): FoundCall[] {
  const found = foundCalls(text, 2);
  if (found.length > 0) return found;
  const bare = withoutFence(text);
  return parsedCall(bare) ? [{ name: "", json: bare }] : [];
}

const [opening, closing] = ["<tool_call>", "</tool_call>"];

/** A tool with its JSON Schema, whose types tell how values are read that a model writes without JSON. */
export interface TypedTool {
  readonly name: string;
  readonly parameters?: { readonly properties?: Readonly<Record<string, unknown>> | undefined } | undefined;
}

/** Returns the call with its arguments as values; undefined if they are not JSON. */
export function toolCallOf({ name, json, words }: FoundCall, tools: readonly TypedTool[]): ToolCall | undefined {
  if (words) {
    const tool = tools.find((each) => each.name === name);
    return { name, arguments: typedWords(words, tool) };
  }
  if (name === "") return parsedCall(json ?? "") ?? callWithout(json ?? "");
  const given = parsed(json ?? "{}");
  return isRecord(given) ? { name, arguments: given } : undefined;
}

/** Returns the call of a model that writes the name alone when there are no arguments. */
function callWithout(json: string): ToolCall | undefined {
  return /^[\w.-]{1,200}$/.test(json) ? { name: json, arguments: {} } : undefined;
}

/** Parses the values of parameters that are not text. */
function typedWords(words: Readonly<Record<string, string>>, tool: TypedTool | undefined): Record<string, unknown> {
  const typeOf = (parameter: string) => (tool?.parameters?.properties?.[parameter] as { type?: unknown } | null)?.type;
  const typed = Object.entries(words).map(([parameter, word]) => [
    parameter,
    typeOf(parameter) === "string" ? word : (parsed(word) ?? word),
  ]);
  return Object.fromEntries(typed);
}

function parsedCall(text: string): ToolCall | undefined {
  const value = parsed(text);
  if (!isRecord(value)) return undefined;
  // Llama's templates name the arguments `parameters`.
  const { name, arguments: written = value.parameters ?? {} } = value;
  // Models that have seen OpenAI's API write the arguments as text with JSON in it.
  const given = typeof written === "string" ? parsed(written) : written;
  return typeof name === "string" && isRecord(given) ? { name, arguments: given } : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Writes JSON with spaces after colons and commas, as Python's `json.dumps` does in the training data of models. */
export function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${spaced(each)}`);
  return `{${entries.join(", ")}}`;
}
