/**
 * Calls of tools as models write them. Each form is the one that the chat template of its models asks for, so that a
 * reply is read whatever server it came from: a server that parses calls itself sends them apart from the text.
 */

/** A call in a reply. Values in `words` are text, for the types of the tool's schema. */
export interface FoundCall {
  readonly name: string;
  /** Arguments as JSON. */
  readonly json?: string;
  /** Arguments whose values the model writes without JSON, by name. */
  readonly words?: Readonly<Record<string, string>>;
}

interface CallForm {
  /** Text that begins a call, and with which a reply in this form is recognized. */
  readonly mark: string;
  find(text: string): FoundCall[];
}

/** DeepSeek-V3 and R1 put the arguments into a block of Markdown; V3.1 leaves the block out. */
const deepseek: CallForm = {
  mark: "<｜tool▁call▁begin｜>",
  find: (text) =>
    sections(text, "<｜tool▁call▁begin｜>", "<｜tool▁call▁end｜>").map((section) => {
      const [before = "", after = ""] = split(section, "<｜tool▁sep｜>");
      const [name = "", rest = ""] = before.trim() === "function" ? split(after, "\n") : [before, after];
      return { name: name.trim(), json: withoutFence(rest) };
    }),
};

/** gpt-oss (Harmony): `<|channel|>commentary to=functions.NAME <|constrain|>json<|message|>{...}<|call|>`. */
const harmony: CallForm = {
  mark: " to=functions.",
  find: (text) =>
    sections(text, " to=functions.", "<|call|>").map((section) => {
      const [head = "", json = ""] = split(section, "<|message|>");
      return { name: (/^[\w.-]+/.exec(head) ?? [""])[0], json: json.trim() };
    }),
};

/** Kimi K2: `<|tool_call_begin|>functions.NAME:0<|tool_call_argument_begin|>{...}<|tool_call_end|>`. */
const kimi: CallForm = {
  mark: "<|tool_call_begin|>",
  find: (text) =>
    sections(text, "<|tool_call_begin|>", "<|tool_call_end|>").map((section) => {
      const [id = "", json = ""] = split(section, "<|tool_call_argument_begin|>");
      return { name: /(?:functions\.)?([\w.-]*)/.exec(id.trim())?.[1] ?? "", json: json.trim() };
    }),
};

/** Mistral: `[TOOL_CALLS] [{"name", "arguments"}]`, or `[TOOL_CALLS]NAME[ARGS]{...}` since version 11 of its tokenizer. */
const mistral: CallForm = {
  mark: "[TOOL_CALLS]",
  find: (text) =>
    sections(text, "[TOOL_CALLS]", "[TOOL_CALLS]").flatMap((section) => {
      const [name = "", json] = split(section, "[ARGS]");
      return json === undefined ? jsonCalls(section) : [{ name: name.trim(), json: json.trim() }];
    }),
};

/** Llama 3: a call in JSON, after `<|python_tag|>` or alone. The arguments are named `parameters`. */
const llama: CallForm = {
  mark: "<|python_tag|>",
  find: (text) => sections(text, "<|python_tag|>", "<|python_tag|>").flatMap(jsonCalls),
};

/** Qwen3-Coder: `<function=NAME>` with `<parameter=NAME>` elements, inside `<tool_call>`. */
const qwenCoder: CallForm = {
  mark: "<function=",
  find: (text) =>
    sections(text, "<function=", "</function>").map((section) => {
      const [name = "", body = ""] = split(section, ">");
      const values = sections(body, "<parameter=", "</parameter>").map((each) => {
        const [parameter = "", value = ""] = split(each, ">");
        return [parameter.trim(), value.replace(/^\n/, "").replace(/\n$/, "")] as const;
      });
      return { name: name.trim(), words: Object.fromEntries(values) };
    }),
};

/** GLM-4.5: the name, then pairs of `<arg_key>` and `<arg_value>`, inside `<tool_call>`. */
const glm: CallForm = {
  mark: "<arg_key>",
  find: (text) =>
    sections(text, "<tool_call>", "</tool_call>").map((section) => {
      const [name = "", pairs = ""] = split(section, "<arg_key>");
      const values = sections(`<arg_key>${pairs}`, "<arg_key>", "</arg_value>").map((pair) => {
        const [key = "", value = ""] = split(pair, "</arg_key>");
        return [key.trim(), split(value, "<arg_value>")[1] ?? ""] as const;
      });
      return { name: name.trim(), words: Object.fromEntries(values) };
    }),
};

/** The forms besides `<tool_call>` with JSON, by the mark that shows which one a model wrote. */
export const callForms: readonly CallForm[] = [deepseek, harmony, kimi, mistral, llama, qwenCoder, glm];

/** Returns the calls of a reply in one of the forms above. */
export function foundCalls(text: string): FoundCall[] {
  return callForms.find(({ mark }) => text.includes(mark))?.find(text) ?? [];
}

/** Returns the texts between an opening and a closing mark. The last one may lack its closing mark. */
function sections(text: string, opening: string, closing: string): string[] {
  const found: string[] = [];
  for (let at = text.indexOf(opening); at >= 0; ) {
    const start = at + opening.length;
    const end = text.indexOf(closing, start);
    found.push(text.slice(start, end < 0 ? undefined : end));
    at = end < 0 ? -1 : text.indexOf(opening, end);
  }
  return found;
}

/** Splits a text at the first place of a separator. */
function split(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + separator.length)];
}

/** Returns the content of a reply that is one block of Markdown, or the reply without spaces around it. */
export function withoutFence(text: string): string {
  const bare = text.trim();
  return bare.startsWith("```") ? bare.slice(bare.indexOf("\n") + 1, bare.lastIndexOf("```")).trim() : bare;
}

/** Returns the calls of a JSON object or list. Text that is no JSON is one call without a name, to be refused. */
function jsonCalls(text: string): FoundCall[] {
  const bare = withoutFence(text);
  try {
    const value: unknown = JSON.parse(bare);
    return (Array.isArray(value) ? value : [value]).map((call) => {
      const { name, arguments: given, parameters } = (call ?? {}) as Record<string, unknown>;
      return { name: String(name), json: JSON.stringify(given ?? parameters ?? {}) };
    });
  } catch {
    return [{ name: "", json: bare }];
  }
}
