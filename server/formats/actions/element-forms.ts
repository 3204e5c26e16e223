/** Calls whose arguments are elements with text, which has no quotation marks and no type of its own. */
import type { CallForm } from "./call-form.js";
import { sections, split, withoutAll } from "./marked-text.js";

const [opening, closing] = ["<tool_call>", "</tool_call>"];

/** Qwen3-Coder: `<function=NAME>` with `<parameter=NAME>` elements, inside `<tool_call>`. */
export const qwenCoder: CallForm = {
  name: "Qwen3-Coder",
  mark: "<function=",
  begins: ["<tool_call>", "<function="],
  closing: "</tool_call>",
  find(text) {
    const { texts, outside } = sections(text, "<function=", "</function>");
    const calls = texts.map((section) => {
      const [name = "", body = ""] = split(section, ">");
      const values = sections(body, "<parameter=", "</parameter>").texts.map((each) => {
        const [parameter = "", value = ""] = split(each, ">");
        return [parameter.trim(), value.replace(/^\n/, "").replace(/\n$/, "")] as const;
      });
      return { name: name.trim(), words: Object.fromEntries(values) };
    });
    return { calls, outside: withoutAll(outside, [opening, closing]) };
  },
};

/** GLM-4.5: the name, then pairs of `<arg_key>` and `<arg_value>`, inside `<tool_call>`. */
export const glm: CallForm = {
  name: "GLM-4.5",
  mark: "<arg_key>",
  begins: ["<tool_call>"],
  closing: "</tool_call>",
  find(text) {
    const { texts, outside } = sections(text, opening, closing);
    const calls = texts.map((section) => {
      const [name = "", pairs = ""] = split(section, "<arg_key>");
      const values = sections(`<arg_key>${pairs}`, "<arg_key>", "</arg_value>").texts.map((pair) => {
        const [key = "", value = ""] = split(pair, "</arg_key>");
        return [key.trim(), split(value, "<arg_value>")[1] ?? ""] as const;
      });
      return { name: name.trim(), words: Object.fromEntries(pairs === "" ? [] : values) };
    });
    return { calls, outside };
  },
};

/** MiniMax M2 and others: `<invoke name="NAME">` with `<parameter name="NAME">` elements, whose names may have a prefix. */
export const invocations: CallForm = {
  name: "invocations",
  mark: 'invoke name="',
  begins: ["<minimax:tool_call>", "<atem:function_calls>", "<function_calls>", "<invoke name="],
  find(text) {
    const [prefix = ""] = /(?<=<)(?:\w{1,20}:)?(?=invoke name=")/.exec(text) ?? [];
    const { texts, outside } = sections(text, `<${prefix}invoke name="`, `</${prefix}invoke>`);
    const calls = texts.map((section) => {
      const [name = "", body = ""] = split(section, '">');
      const values = sections(body, `<${prefix}parameter name="`, `</${prefix}parameter>`).texts.map((each) => {
        const [parameter = "", value = ""] = split(each, '">');
        return [parameter, value] as const;
      });
      return { name: name.trim(), words: Object.fromEntries(values) };
    });
    return { calls, outside: withoutAll(outside, around(prefix)) };
  },
};

/** Elements around calls. */
function around(prefix: string): string[] {
  return ["function_calls", "tool_call"].flatMap((name) => [`<${prefix}${name}>`, `</${prefix}${name}>`]);
}
