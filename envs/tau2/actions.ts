/**
 * Parses the actions. A call is the name of a tool and its arguments as a JSON object; any other text is a message to the user.
 */
import type { Toolkit } from "./domains/toolkit.js";
import { readJson } from "./python/read.js";
import type { Dict, Value } from "./python/value.js";

export type Action =
  | { kind: "call"; name: string; arguments: Dict }
  | { kind: "say"; message: string }
  | { kind: "invalid"; expected: string; received: string };

/** Longest text that an error repeats, in characters. */
const mostShown = 200;
const firstName = /^[ \t>*`-]*(?:[Aa]ction:[ \t]*)?([A-Za-z_][A-Za-z0-9_]*)/;
/** Marks around a call that stands alone. */
const wrappings = [
  ["<tool_call>", "</tool_call>"],
  ["```json", "```"],
  ["```", "```"],
] as const;

export function readAction(text: string, { tools }: Toolkit): Action {
  const trimmed = text.trim();
  const said = /^(?:[Aa]ction:\s*)?say(?=[\s:])[ \t]*:?([\s\S]*)$/.exec(trimmed)?.[1];
  if (said !== undefined) return saying(said);
  const wrapped = wrappedCall(trimmed);
  if (wrapped) return wrapped;
  const lines = trimmed.split("\n");
  for (const [at, line] of lines.entries()) {
    const [found, name] = firstName.exec(line) ?? [];
    if (found === undefined || name === undefined) continue;
    const rest = argumentsAfter(line.slice(found.length));
    if (rest === undefined || !isToolName(name, tools, rest)) continue;
    return callIn(name, [rest, ...lines.slice(at + 1)].join("\n"));
  }
  return saying(trimmed);
}

/** Returns the text of the arguments in the rest of a line, or undefined if the line is no call. */
function argumentsAfter(rest: string): string | undefined {
  const inside = rest.trim().replace(/^[:(]/, "").trimStart();
  if (inside.startsWith("{")) return inside;
  return inside === "" || inside === ")" || inside === "`" ? "" : undefined;
}

/** Whether a name with arguments is a call: of a known tool, or of an unknown one whose arguments are an object. */
function isToolName(name: string, tools: Toolkit["tools"], rest: string): boolean {
  return Object.hasOwn(tools, name) || (name.includes("_") && rest !== "");
}

function saying(text: string): Action {
  const message = text.trim();
  return message === ""
    ? { kind: "invalid", expected: "a message or a call of a tool", received: "nothing" }
    : { kind: "say", message };
}

/** Returns the call in `{"name": …, "arguments": …}`, also inside a tag or a fence. */
function wrappedCall(text: string): Action | undefined {
  const inside = unwrapped(text);
  if (!/^\{\s*"(?:name|arguments)"/.test(inside)) return undefined;
  const value = jsonIn(inside);
  const [name, args] = value instanceof Map ? [value.get("name"), value.get("arguments") ?? new Map()] : [];
  if (typeof name === "string" && args instanceof Map) return { kind: "call", name, arguments: args };
  return invalid('{"name": TOOL, "arguments": {…}}', inside);
}

function unwrapped(text: string): string {
  for (const [start, end] of wrappings)
    if (text.startsWith(start) && text.endsWith(end)) return text.slice(start.length, -end.length).trim();
  return text;
}

function callIn(name: string, rest: string): Action {
  const end = rest.lastIndexOf("}");
  if (end < 0) return { kind: "call", name, arguments: new Map() };
  const value = jsonIn(rest.slice(0, end + 1));
  return value instanceof Map
    ? { kind: "call", name, arguments: value }
    : invalid(`the arguments of ${name} as a JSON object`, rest);
}

function jsonIn(text: string): Value | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

function invalid(expected: string, received: string): Action {
  return {
    kind: "invalid",
    expected,
    received: received.length > mostShown ? `${received.slice(0, mostShown).toWellFormed()}…` : received,
  };
}
