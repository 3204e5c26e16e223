/**
 * Calls of tools as models write them. Each form is the one that the chat template of its models asks for, so that a
 * reply is read whatever server it came from: a server that parses calls itself sends them apart from the text.
 */

import type { CallForm, FoundCall } from "./call-form.js";
import { glm, invocations, qwenCoder } from "./element-forms.js";
import { gemma, lfm } from "./literal-forms.js";
import { sections, split, withoutAll } from "./marked-text.js";
import { parsed } from "./tool-call.js";

export type { CallForm, FoundCall, WrittenCalls } from "./call-form.js";

const [hermesOpening, hermesClosing] = ["<tool_call>", "</tool_call>"];

/** DeepSeek-V3 and R1 put the arguments into a block of Markdown; V3.1 leaves the block out. */
const deepseek: CallForm = {
  name: "DeepSeek",
  mark: "<｜tool▁call▁begin｜>",
  begins: ["<｜tool▁calls▁begin｜>", "<｜tool▁call▁begin｜>"],
  closing: "<｜tool▁call▁end｜>",
  written: {
    begin: "<｜tool▁calls▁begin｜>",
    before: (name) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>`,
    after: "<｜tool▁call▁end｜>",
    between: "",
    end: "<｜tool▁calls▁end｜>",
  },
  find(text) {
    const { texts, outside } = sections(text, "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>");
    const calls = texts.map((section) => {
      const [before = "", after = ""] = split(section, "<｜tool▁sep｜>");
      const [name = "", rest = ""] = before.trim() === "function" ? split(after, "\n") : [before, after];
      return { name: name.trim(), json: withoutFence(rest) };
    });
    return { calls, outside: withoutAll(outside, ["<｜tool▁calls▁begin｜>", "<｜tool▁calls▁end｜>"]) };
  },
};

/** gpt-oss (Harmony): `<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{...}<|call|>`. */
const harmony: CallForm = {
  name: "gpt-oss",
  mark: " to=functions.",
  begins: ["<|channel|>commentary to=functions.", " to=functions."],
  most: 1,
  channels: true,
  ends: ["<|call|>", "<|return|>"],
  find(text) {
    // The end of a call ends the reply, and may be no part of its text.
    const { texts, outside } = sections(text, " to=functions.", "<|call|>", "optional");
    const calls = texts.map((section) => {
      const [head = "", json = ""] = split(section, "<|message|>");
      return { name: (/^[\w.-]+/.exec(head) ?? [""])[0], json: json.trim() };
    });
    return { calls, outside: withoutAll(outside, ["<|channel|>commentary"]) };
  },
};

/** Kimi K2: `<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{...}<|tool_call_end|>`. */
const kimi: CallForm = {
  name: "Kimi K2",
  mark: "<|tool_call_begin|>",
  begins: ["<|tool_calls_section_begin|>", "<|tool_call_begin|>"],
  closing: "<|tool_call_end|>",
  written: {
    begin: "<|tool_calls_section_begin|>",
    before: (name) => `<|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>`,
    after: "<|tool_call_end|>",
    end: "<|tool_calls_section_end|>",
  },
  find(text) {
    const { texts, outside } = sections(text, "<|tool_call_begin|>", "<|tool_call_end|>");
    const calls = texts.map((section) => {
      const [id = "", json = ""] = split(section, "<|tool_call_argument_begin|>");
      const name = /(?:functions\.)?([\w.-]*)/.exec(id.trim())?.[1] ?? "";
      return { name, json: json.trim(), id: id.trim() };
    });
    return { calls, outside: withoutAll(outside, ["<|tool_calls_section_begin|>", "<|tool_calls_section_end|>"]) };
  },
};

/**
 * Mistral: `[TOOL_CALLS] [{"name", "arguments", "id"}]`, or `[TOOL_CALLS]NAME[ARGS]{...}` since version 11 of its
 * tokenizer, where `[CALL_ID]` and an id may follow the name.
 */
const mistral: CallForm = {
  name: "Mistral",
  mark: "[TOOL_CALLS]",
  begins: ["[TOOL_CALLS]"],
  written: {
    begin: "[TOOL_CALLS] [",
    before: (name) => `{"name": ${JSON.stringify(name)}, "arguments": `,
    after: "}",
    between: ", ",
    end: "]",
  },
  find(text) {
    const [outside = "", ...texts] = text.split("[TOOL_CALLS]");
    const calls = texts.flatMap((section): FoundCall[] => {
      const [head = "", json] = split(section, "[ARGS]");
      if (json === undefined) return jsonCalls(section);
      const [name = "", id] = split(head, "[CALL_ID]");
      return [{ name: name.trim(), json: json.trim(), ...(id && { id: id.trim() }) }];
    });
    return { calls, outside };
  },
};

/** Llama 3: a call in JSON, after `<|python_tag|>` or alone. The arguments are named `parameters`. */
const llama: CallForm = {
  name: "Llama 3",
  mark: "<|python_tag|>",
  begins: ["<|python_tag|>"],
  most: 1,
  ends: ["<|eom_id|>"],
  isBare: true,
  written: { begin: "", before: (name) => `{"name": ${JSON.stringify(name)}, "parameters": `, after: "}", end: "" },
  find(text) {
    const [outside = "", ...texts] = text.split("<|python_tag|>");
    return { calls: texts.flatMap(jsonCalls), outside };
  },
};

/** Hermes, Qwen2.5 and Qwen3: `<tool_call>{"name", "arguments"}</tool_call>`. */
export const hermes: CallForm = {
  name: "Hermes",
  mark: hermesOpening,
  begins: [hermesOpening],
  closing: hermesClosing,
  written: {
    begin: "",
    before: (name) => `${hermesOpening}\n{"name": ${JSON.stringify(name)}, "arguments": `,
    after: `}\n${hermesClosing}`,
    between: "\n",
    end: "",
  },
  find(text, most = Number.POSITIVE_INFINITY) {
    const calls: FoundCall[] = [];
    let [outside, end] = ["", 0];
    for (let at = text.indexOf(hermesOpening); at >= 0 && calls.length < most; ) {
      const start = at + hermesOpening.length;
      const closing = closingOf(text, start);
      calls.push({ name: "", json: text.slice(start, closing).trim() });
      outside += text.slice(end, closing < text.length ? at : start);
      end = closing + hermesClosing.length;
      at = text.indexOf(hermesOpening, end);
    }
    return { calls, outside: outside + text.slice(end) };
  },
};

/** All forms, by the mark that shows which one a model wrote. The mark of the last one is in others, too. */
export const callForms: readonly CallForm[] = [
  ...[deepseek, harmony, kimi, mistral, llama, gemma, lfm, invocations],
  ...[qwenCoder, glm, hermes],
];

/** Returns the calls of a reply in one of the forms. @param most limit on the number of calls */
export function foundCalls(text: string, most: number): FoundCall[] {
  const forms = callForms.filter(({ mark }) => text.includes(mark));
  for (const form of forms) {
    const { calls } = form.find(text, most);
    if (calls.length > 0) return calls.slice(0, most);
  }
  return [];
}

/**
 * Returns the place of the closing tag before which the text is JSON, or of the first one. A closing tag inside a call's
 * JSON, such as in a search command, does not end the call.
 */
function closingOf(text: string, start: number): number {
  const first = placeOr(text, hermesClosing, start);
  let end = first;
  for (let tries = 0; tries <= mostClosings; tries++) {
    if (parsed(text.slice(start, end)) !== undefined) return end;
    if (end === text.length) break;
    end = placeOr(text, hermesClosing, end + hermesClosing.length);
  }
  return first;
}

/** Largest number of closing tags that are tried for one call. */
const mostClosings = 16;

function placeOr(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from);
  return at < 0 ? text.length : at;
}

/** Returns the content of a reply that is one block of Markdown, or the reply without spaces around it. */
export function withoutFence(text: string): string {
  const bare = text.trim();
  return bare.startsWith("```") ? bare.slice(bare.indexOf("\n") + 1, bare.lastIndexOf("```")).trim() : bare;
}

/** Returns the calls of a JSON object or list. Text that is no JSON is one call without a name, to be refused. */
function jsonCalls(text: string): FoundCall[] {
  const bare = withoutFence(text);
  const value = parsed(bare);
  if (value === undefined) return [{ name: "", json: bare }];
  return (Array.isArray(value) ? value : [value]).map((call) => {
    const { name, arguments: given, parameters, id } = (call ?? {}) as Record<string, unknown>;
    const written = { name: String(name), json: JSON.stringify(given ?? parameters ?? {}) };
    return typeof id === "string" ? { ...written, id } : written;
  });
}
