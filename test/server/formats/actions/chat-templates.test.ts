/** Calls as the chat templates of public models write them, recorded by test/peers/chat-templates.py. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { actionFormat } from "#palestra/server/formats/actions/action-formats.js";
import { actionOf, type ToolCall } from "#palestra/server/formats/actions/tool-call.js";
import type { Tool } from "#palestra/trainer/gym/gym.js";

interface Recorded {
  tools: { function: Omit<Tool, "action"> }[];
  templates: { model: string; replies: { call: ToolCall; reply: string }[] }[];
}

const path = new URL("../../../fixtures/replies/chat-templates.json", import.meta.url);
const recorded: Recorded = JSON.parse(readFileSync(path, "utf8"));
const actions: Record<string, string> = {
  get: "get {count} {item}",
  write_file: "write_file {path}\n{content}",
  inventory: "inventory",
};
const tools = recorded.tools.map((tool): Tool => ({ ...tool.function, action: actions[tool.function.name] as string }));

test.each(recorded.templates)("calls as the template of $model writes them are read", ({ replies }) => {
  const { read } = actionFormat("tool_call");
  for (const { call, reply } of replies)
    expect(read(reply, tools), JSON.stringify(reply)).toEqual(actionOf(call, tools));
});

test("the record has more than ten forms and four hundred replies", () => {
  const { templates } = recorded;
  expect(templates.reduce((sum, { replies }) => sum + replies.length, 0)).toBeGreaterThan(400);
});
