/** What models write, by their own chat templates and against them, and how each reply is read. */
import { describe, expect, test } from "vitest";
import textcraft from "#palestra/envs/textcraft/index.js";
import workbench from "#palestra/envs/workbench/index.js";
import { actionFormat } from "#palestra/server/formats/actions/action-formats.js";
import { writtenCall } from "#palestra/server/formats/actions/function-calling.js";
import type { Tool } from "#palestra/trainer/gym/gym.js";
import { cpuMs } from "../../../support/cpu-time.js";
import { replyForms } from "../../../support/reply-forms.js";
import { script } from "../../../support/textcraft-scripts.js";

const tools = textcraft.tools as unknown as readonly Tool[];
const offered = workbench.tools as unknown as readonly Tool[];
const actions = Array.from({ length: 5 }, (_, number) => script(number, 5).actions).flat();
/** Actions whose arguments have quotation marks, line ends, marks of templates and the words of the formats. */
const programs = [
  'write_file a.py\nprint("Action: go")\n# Thought: done',
  "write_file b.md\n- a `b`\n\n<b>'quoted'</b> \\n {path}",
  "write_file c d.txt\n  two spaces  ",
  "write_file empty.txt\n",
  "python for i in range(3):\n    print(i, end=', ')",
  "submit",
];

describe.each(replyForms)("$name", ({ format, write }) => {
  test(`is read as ${format}`, () => {
    const { read } = actionFormat(format);
    expect(actions).toHaveLength(25);
    for (const action of actions) expect(read(write(action, tools), tools)).toEqual({ action });
  });

  test("keeps programs of many lines letter for letter", () => {
    if (format === "react") return;
    const { read } = actionFormat(format);
    for (const action of programs) expect(read(write(action, offered), offered)).toEqual({ action });
  });

  test("with a call that no tool takes is refused", () => {
    const { read } = actionFormat(format);
    const [fly] = [{ ...tools[0], name: "fly", action: "fly {count} {item}" }] as Tool[];
    const reply = write("fly 2 oak log", [fly as Tool]);
    if (format === "react") return;
    expect(read(reply, tools)).toEqual({ refusal: expect.stringMatching(/expected a call of .*but received "fly"/) });
  });
});

test("a call that an adapter writes is read in every format but plain", () => {
  const call = { name: "get", arguments: { count: 2, item: "oak log" } };
  for (const format of ["react", "tool_call", "code"])
    expect(actionFormat(format).read(writtenCall(call), tools)).toEqual({ action: "get 2 oak log" });
});

test("texts that repeat a mark are read in linear time", () => {
  const n = 2 ** 18;
  const texts = [
    `\`\`\`${" ".repeat(n)}x`,
    `f(${"1".repeat(n)}x)`,
    '<tool_call>{"a":1</tool_call>'.repeat(n / 16),
    "Action:\n".repeat(n / 8),
    `<|tool_call_start|>[f(${"a='".repeat(n / 3)}`,
    `<|tool_call_start|>[f(${"a='',".repeat(n / 5)}`,
    `<|tool_call>call:f{${"a:".repeat(n / 2)}`,
    '<invoke name="'.repeat(n / 14),
    `Action: ${"`".repeat(n)}`,
    `Action:${" \n".repeat(n)}`,
    "<｜tool▁call▁begin｜>".repeat(n / 16),
    "<function=".repeat(n / 8),
    "<arg_key>".repeat(n / 8),
    "[TOOL_CALLS]".repeat(n / 8),
    " to=functions.".repeat(n / 8),
    "</think>".repeat(n / 8),
    `<tool_call>{"name":"get","arguments":${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}}</tool_call>`,
    `<tool_call>{"name":"get","arguments":{"a":${"[".repeat(50_000)}${"]".repeat(50_000)}}}</tool_call>`,
  ];
  // Quadratic time would take minutes.
  for (const text of texts)
    for (const format of ["react", "tool_call", "code"])
      expect(cpuMs(() => actionFormat(format).read(text, tools))).toBeLessThan(5_000);
});
