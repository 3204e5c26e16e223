/**
 * Chat templates with one form of tool calls each, composed for the tests: the marks of a form are those of the models'
 * templates, and the markers of roles are those of the default tokenizer.
 */

export interface CallTemplate {
  /** Models, and what is particular in the form. */
  name: string;
  /** Name of the form in the table of forms. */
  form: string;
  template: string;
  /** Writes a reply as a model of the form does. */
  write(content: string, calls: readonly WrittenCall[]): string;
  /** Whether the form has several calls in a reply. */
  several: boolean;
  /** Ids that the model writes. */
  ids?: readonly string[];
  /** Whether the reply can be stopped after its first call. */
  stops: boolean;
}

export interface WrittenCall {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
}

const tools =
  "{%- if tools -%}{{ '<|observation|>system\\n' }}{%- for tool in tools -%}{{ tool | tojson + '\\n' }}{%- endfor -%}{{ '<|end|>' }}{%- endif -%}";

/** @param calls template of all calls of the message m @param result template of a result */
export function composed(calls: string, result = "{{ '<|observation|>result ' + m.content + '<|end|>' }}"): string {
  return [
    tools,
    "{%- for m in messages -%}",
    "{%- if m.role == 'assistant' -%}{{ '<|action|>' + m.content }}",
    `{%- if m.tool_calls -%}${calls}{%- endif -%}{{ '<|end|>' }}`,
    `{%- elif m.role == 'tool' -%}${result}`,
    "{%- else -%}{{ '<|observation|>' + m.role + ' ' + m.content + '<|end|>' }}{%- endif -%}",
    "{%- endfor -%}",
    "{%- if add_generation_prompt -%}{{ '<|action|>' }}{%- endif -%}",
  ].join("");
}

export const each = (body: string) => `{%- for c in m.tool_calls -%}${body}{%- endfor -%}`;
const name = "c.function.name";
const values = "(c.function.arguments | tojson)";
const asJson = (value: unknown) => JSON.stringify(value).replace(/":/g, '": ').replace(/,"/g, ', "');
const words = (given: WrittenCall["arguments"], write: (key: string, value: string) => string) =>
  Object.entries(given)
    .map(([key, value]) => write(key, typeof value === "string" ? value : JSON.stringify(value)))
    .join("");
const joined = (write: (call: WrittenCall, at: number) => string, [before, between, after] = ["", "", ""]) => {
  return (content: string, calls: readonly WrittenCall[]) =>
    content + (calls.length > 0 ? before + calls.map(write).join(between) + after : "");
};
const ids = ["abc123xyz", "def456uvw"];
/** Mistral's templates refuse other ids. */
const checked =
  "{%- if c.id | length != 9 -%}{{ raise_exception('expected an id of nine letters and digits') }}{%- endif -%}";

export const callTemplates: readonly CallTemplate[] = [
  {
    name: "Hermes and Qwen2.5",
    form: "Hermes",
    template: composed(
      each(`{{ '\\n<tool_call>\\n{"name": "' + ${name} + '", "arguments": ' + ${values} + '}\\n</tool_call>' }}`),
    ),
    write: joined((call) => `\n<tool_call>\n${asJson({ name: call.name, arguments: call.arguments })}\n</tool_call>`),
    several: true,
    stops: true,
  },
  {
    name: "Llama 3, one call in bare JSON",
    form: "Llama 3",
    template: composed(
      `{%- if m.tool_calls | length != 1 -%}{{ raise_exception('one call at once') }}{%- endif -%}${each(`{{ '{"name": "' + ${name} + '", "parameters": ' + ${values} + '}' }}`)}`,
    ),
    write: joined((call) => asJson({ name: call.name, parameters: call.arguments })),
    several: false,
    stops: true,
  },
  {
    name: "Mistral, a list with ids",
    form: "Mistral",
    template: composed(
      `{{ '[TOOL_CALLS][' }}${each(`${checked}{{ '{"name": "' + ${name} + '", "arguments": ' + ${values} + ', "id": "' + c.id + '"}' }}{%- if not loop.last -%}{{ ', ' }}{%- endif -%}`)}{{ ']' }}`,
      `{{ '<|observation|>result {"content": ' + m.content + ', "call_id": "' + m.tool_call_id + '"}<|end|>' }}`,
    ),
    write: joined((call, at) => asJson({ ...call, id: ids[at] }), ["[TOOL_CALLS][", ", ", "]"]),
    several: true,
    ids,
    stops: false,
  },
  {
    name: "Mistral, the name and an id first",
    form: "Mistral",
    template: composed(
      each(`${checked}{{ '[TOOL_CALLS]' + ${name} + '[CALL_ID]' + c.id + '[ARGS]' + ${values} }}`),
      "{{ '<|observation|>result ' + m.tool_call_id + ' ' + m.content + '<|end|>' }}",
    ),
    write: joined((call, at) => `[TOOL_CALLS]${call.name}[CALL_ID]${ids[at]}[ARGS]${asJson(call.arguments)}`),
    several: true,
    ids,
    stops: false,
  },
  {
    name: "DeepSeek-V3, a block of JSON, with arguments as text",
    form: "DeepSeek",
    template: composed(
      `{{ '<｜tool▁calls▁begin｜>' }}${each(`{{ '<｜tool▁call▁begin｜>function<｜tool▁sep｜>' + ${name} + '\\n\`\`\`json\\n' + c.function.arguments + '\\n\`\`\`<｜tool▁call▁end｜>' }}`)}{{ '<｜tool▁calls▁end｜>' }}`,
    ),
    write: joined(
      (call) =>
        `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${call.name}\n\`\`\`json\n${asJson(call.arguments)}\n\`\`\`<｜tool▁call▁end｜>`,
      ["<｜tool▁calls▁begin｜>", "", "<｜tool▁calls▁end｜>"],
    ),
    several: true,
    stops: true,
  },
  {
    name: "DeepSeek-V3.1, no block",
    form: "DeepSeek",
    template: composed(
      `{{ '<｜tool▁calls▁begin｜>' }}${each(`{{ '<｜tool▁call▁begin｜>' + ${name} + '<｜tool▁sep｜>' + ${values} + '<｜tool▁call▁end｜>' }}`)}{{ '<｜tool▁calls▁end｜>' }}`,
    ),
    write: joined(
      (call) => `<｜tool▁call▁begin｜>${call.name}<｜tool▁sep｜>${asJson(call.arguments)}<｜tool▁call▁end｜>`,
      ["<｜tool▁calls▁begin｜>", "", "<｜tool▁calls▁end｜>"],
    ),
    several: true,
    stops: true,
  },
  {
    name: "GLM-4.5, pairs of elements",
    form: "GLM-4.5",
    template: composed(
      each(
        `{{ '\\n<tool_call>' + ${name} }}{%- for k, v in c.function.arguments.items() -%}{{ '\\n<arg_key>' + k + '</arg_key>\\n<arg_value>' }}{{ v if v is string else v | tojson }}{{ '</arg_value>' }}{%- endfor -%}{{ '\\n</tool_call>' }}`,
      ),
    ),
    write: joined(
      (call) =>
        `\n<tool_call>${call.name}${words(call.arguments, (key, value) => `\n<arg_key>${key}</arg_key>\n<arg_value>${value}</arg_value>`)}\n</tool_call>`,
    ),
    several: true,
    stops: true,
  },
  {
    name: "Qwen3-Coder, elements",
    form: "Qwen3-Coder",
    template: composed(
      each(
        `{{ '\\n<tool_call>\\n<function=' + ${name} + '>' }}{%- for k, v in c.function.arguments.items() -%}{{ '\\n<parameter=' + k + '>\\n' }}{{ v if v is string else v | tojson }}{{ '\\n</parameter>' }}{%- endfor -%}{{ '\\n</function>\\n</tool_call>' }}`,
      ),
    ),
    write: joined(
      (call) =>
        `\n<tool_call>\n<function=${call.name}>${words(call.arguments, (key, value) => `\n<parameter=${key}>\n${value}\n</parameter>`)}\n</function>\n</tool_call>`,
    ),
    several: true,
    stops: true,
  },
  {
    name: "Kimi K2, ids with names",
    form: "Kimi K2",
    template: composed(
      `{{ '<|tool_calls_section_begin|>' }}${each(`{{ '<|tool_call_begin|>functions.' + ${name} + ':' + loop.index0 | string + '<|tool_call_argument_begin|>' + ${values} + '<|tool_call_end|>' }}`)}{{ '<|tool_calls_section_end|>' }}`,
      "{{ '<|observation|>result ## Return of ' + m.tool_call_id + '\\n' + m.content + '<|end|>' }}",
    ),
    write: joined(
      (call, at) =>
        `<|tool_call_begin|>functions.${call.name}:${at}<|tool_call_argument_begin|>${asJson(call.arguments)}<|tool_call_end|>`,
      ["<|tool_calls_section_begin|>", "", "<|tool_calls_section_end|>"],
    ),
    several: true,
    ids: ["functions.lookup:0", "functions.lookup:1"],
    stops: true,
  },
];
