/**
 * Function calling: a reply contains one call in the format of Hermes and Qwen. The `tool_calls` of a server are
 * converted to the same text, so all calls have the same parser.
 */

import type { ActionFormat, Tool } from "./action-format.js";
import { actionOf, callOf, functionOf, refusal, type ToolCall } from "./tool-call.js";

export const functionCalling: ActionFormat = {
  name: "function-calling",
  callsTools: true,
  opening: (prompt, tools) => ({
    prompt: `${prompt.trimEnd()}\n\nIn place of any format of replies above: each reply calls exactly one function.`,
    tools,
  }),
  read(text, tools) {
    const calls = callsIn(text);
    if (calls.length !== 1) {
      const received = calls.length === 0 ? "none" : `${calls.length}`;
      return refusal(`one call as ${callText('"name"', '{"argument": ...}')}`, received);
    }
    const call = parsedCall(calls[0] as string);
    return call ? actionOf(call, tools) : refusal("a call as JSON with name and arguments", calls[0] as string);
  },
  write(action, tools) {
    const call = callOf(action, tools);
    return call && writtenCall(call);
  },
};

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

/**
 * Returns the only call of a reply and the text before it; undefined unless the reply has exactly one call, and it is
 * valid.
 */
export function singleCall(text: string): { readonly content: string; readonly call: ToolCall } | undefined {
  const calls = callsIn(text);
  const call = calls.length === 1 ? parsedCall(calls[0] as string) : undefined;
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

/** Returns the text of each call in a reply. A call without tags counts only if it is the whole reply. */
function callsIn(text: string): string[] {
  const tagged = taggedIn(text);
  if (tagged.length > 0) return tagged;
  const bare = text.trim();
  return parsedCall(bare) ? [bare] : [];
}

const [opening, closing] = ["<tool_call>", "</tool_call>"];

/**
 * Returns the texts between tags. A closing tag inside a call's JSON, such as in a search command, does not end the
 * call.
 */
function taggedIn(text: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf(opening); at >= 0; ) {
    const start = at + opening.length;
    const first = endOf(text, text.indexOf(closing, start));
    let end = first;
    for (
      let tries = 0;
      end < text.length && tries < mostClosings && !parsedCall(text.slice(start, end).trim());
      tries++
    )
      end = endOf(text, text.indexOf(closing, end + closing.length));
    if (!parsedCall(text.slice(start, end).trim())) end = first;
    found.push(text.slice(start, end).trim());
    at = text.indexOf(opening, end);
  }
  return found;
}

/** Largest number of closing tags that are tried for one call. */
const mostClosings = 16;

function endOf(text: string, at: number): number {
  return at < 0 ? text.length : at;
}

function parsedCall(text: string): ToolCall | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isRecord(value)) return undefined;
  // Llama's templates name the arguments `parameters`.
  const { name, arguments: given = value.parameters ?? {} } = value;
  return typeof name === "string" && isRecord(given) ? { name, arguments: given } : undefined;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Writes JSON with spaces after colons and commas, as Python's `json.dumps` does in the training data of models. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (!isRecord(value)) return JSON.stringify(value);
  const entries = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${spaced(each)}`);
  return `{${entries.join(", ")}}`;
}
