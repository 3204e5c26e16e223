/** Turns the text or the tool call of an outside protocol into an action. */
import { expect, test } from "vitest";
import type { Tool } from "#palestra/envs/env.js";
import { actionOf, MoveError } from "#palestra/server/adapter/moves.js";

const list = { type: "array", items: { type: "string" } } as const;
const tool = (action: string): Tool => ({
  name: "use",
  description: "Uses things.",
  parameters: { type: "object", properties: { things: list, count: { type: "number" } }, required: ["things"] },
  action,
});
const call = { name: "use", arguments: { things: ["a log", "an axe"], count: 2 } };

test.each([
  ["use {things} {count} times", "use a log, an axe 2 times"],
  ['use "{things}"', 'use ["a log","an axe"]'],
  ["use {arguments}", 'use {"things":["a log","an axe"],"count":2}'],
])("a tool with the template %s turns the call into the action %s", async (template, action) => {
  expect(await actionOf(call, [tool(template)])).toBe(action);
});

test("a text becomes the action unchanged", async () => {
  expect(await actionOf("{things}", [tool("use {things}")])).toBe("{things}");
});

test("a call of an unknown tool, or with wrong arguments, is refused", async () => {
  const refused = (move: typeof call) => actionOf(move, [tool("use {things}")]).catch((error: unknown) => error);
  expect(await refused({ ...call, name: "eat" })).toMatchObject({ fault: "tool_unknown" });
  const unfit = await refused({ ...call, arguments: { things: "a log" } as never });
  expect(unfit).toBeInstanceOf(MoveError);
  expect(unfit).toMatchObject({ fault: "arguments_invalid" });
});
