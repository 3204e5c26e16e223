/** Calls whose arguments are literals of a notation other than JSON. */
import type { CallForm, FoundCall } from "./call-form.js";
import { sections, split } from "./marked-text.js";
import { parsePythonCalls } from "./python-call.js";
import { parsed } from "./tool-call.js";

/** Gemma 4: `<|tool_call>call:NAME{key:value}<tool_call|>`, with keys as they are and text between `<|"|>`. */
export const gemma: CallForm = {
  name: "Gemma 4",
  mark: "<|tool_call>call:",
  begins: ["<|tool_call>"],
  closing: "<tool_call|>",
  ends: ["<|tool_response>"],
  find(text) {
    const { texts, outside } = sections(text, "<|tool_call>call:", "<tool_call|>", "optional");
    const calls = texts.map((section) => {
      const [name = "", values = ""] = split(section, "{");
      return { name: name.trim(), json: jsonOf(`{${values}`) };
    });
    return { calls, outside: outside.split("<|tool_response>").join("") };
  },
};

const quote = '<|"|>';

/** Writes Gemma's values as JSON. */
function jsonOf(values: string): string {
  return values
    .split(quote)
    .map((part, at) => (at % 2 === 1 ? JSON.stringify(part) : part.replace(/([{,]\s*)([\w.$-]+)(?=\s*:)/g, '$1"$2"')))
    .join("");
}

/** LFM2: `<|tool_call_start|>[NAME(argument=value)]<|tool_call_end|>`, a list of calls in Python. */
export const lfm: CallForm = {
  name: "LFM2",
  mark: "<|tool_call_start|>",
  begins: ["<|tool_call_start|>"],
  closing: "<|tool_call_end|>",
  find(text) {
    const { texts, outside } = sections(text, "<|tool_call_start|>", "<|tool_call_end|>", "optional");
    return { calls: texts.flatMap(pythonCalls), outside };
  },
};

/** Text that is no list of calls is one call without a name, to be refused. LFM2 may also write calls in JSON. */
function pythonCalls(code: string): FoundCall[] {
  const values = parsed(code);
  if (Array.isArray(values)) return values.map((call) => ({ name: "", json: JSON.stringify(call) }));
  for (const read of [code, withEscapes(code)]) {
    try {
      return parsePythonCalls(read).map(({ name, keyword }) => ({ name, json: JSON.stringify(keyword) }));
    } catch {}
  }
  return [{ name: "", json: code }];
}

/** Escapes text in quotation marks, which LFM2.5's template writes as it is: it ends before the next argument or the end. */
function withEscapes(code: string): string {
  const ending = /'\s{0,8}(?=,\s{0,8}\w{1,64}=|\)\s{0,8}[,\]])/y;
  let written = "";
  let end = 0;
  for (let at = code.indexOf("='"); at >= 0; at = code.indexOf("='", end)) {
    const start = at + 2;
    let close = code.indexOf("'", start);
    for (; close >= 0; close = code.indexOf("'", close + 1)) {
      ending.lastIndex = close;
      if (ending.test(code)) break;
    }
    if (close < 0) break;
    written += code.slice(end, at + 1) + JSON.stringify(code.slice(start, close));
    end = close + 1;
  }
  return written + code.slice(end);
}
