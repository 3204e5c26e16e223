/**
 * Tool calls in a reply, in the format of Hermes and Qwen: optional text, then one or more of
 *
 *     <tool_call>
 *     {"name": "search", "arguments": {"query": "oak"}}
 *     </tool_call>
 *
 * and nothing after them. A reply in any other format is treated as text, so nothing is lost.
 */
import { z } from "zod";
import type { FunctionCall } from "./message.js";

export const opening = "<tool_call>";
export const closing = "</tool_call>";

const Written = z.strictObject({ name: z.string().min(1), arguments: z.record(z.string(), z.unknown()) });

export interface Spoken {
  readonly content: string;
  readonly calls: readonly FunctionCall[];
}

export function readReply(text: string): Spoken {
  const begin = text.indexOf(opening);
  const calls = begin < 0 ? undefined : readCalls(text.slice(begin));
  return calls ? { content: text.slice(0, begin).trimEnd(), calls } : { content: text, calls: [] };
}

/** Parses calls. Returns undefined if the text contains anything except calls. */
function readCalls(text: string): FunctionCall[] | undefined {
  const calls: FunctionCall[] = [];
  for (let rest = text.trim(); rest !== ""; ) {
    const end = rest.indexOf(closing);
    if (!rest.startsWith(opening) || end < 0) return undefined;
    const call = readCall(rest.slice(opening.length, end));
    if (!call) return undefined;
    calls.push(call);
    rest = rest.slice(end + closing.length).trimStart();
  }
  return calls;
}

function readCall(json: string): FunctionCall | undefined {
  try {
    const { name, arguments: values } = Written.parse(JSON.parse(json));
    return { name, arguments: JSON.stringify(values) };
  } catch {
    return undefined;
  }
}
