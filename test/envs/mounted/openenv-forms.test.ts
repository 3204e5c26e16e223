import { describe, expect, test } from "vitest";
import { actionForm, messageOf, observationText, promptFor } from "#palestra/envs/mounted/openenv-forms.js";
import { cpuMs } from "../../support/cpu-time.js";

const text = { properties: { message: { type: "string" }, metadata: { type: "object" } }, required: ["message"] };
const point = {
  type: "object",
  properties: { x: { type: "integer" }, metadata: { type: "object" } },
  required: ["x"],
  additionalProperties: false,
};

describe("actions", () => {
  test("a schema with a single required string takes the whole text", () => {
    const form = actionForm(text, []);
    expect(form.tools).toEqual([]);
    expect(messageOf(form, ' {"a": 1} ')).toEqual({ data: { message: ' {"a": 1} ' } });
    expect(promptFor(form, "Echo.")).toBe("Echo.\n\nYour whole reply is the action's field `message`.");
  });

  test("a slow pattern in a server's schema delays no caller", () => {
    const slow = { type: "string", pattern: "^(a+)+$" };
    const form = actionForm({ properties: { name: slow, other: {} }, required: ["name", "other"] }, []);
    // The pattern tries 2^32 ways to match this name, which takes a minute.
    const data = { name: `${"a".repeat(32)}!`, other: 1 };
    expect(cpuMs(() => expect(messageOf(form, JSON.stringify(data))).toEqual({ data }))).toBeLessThan(5_000);
  });

  test("other actions are JSON that fits the schema", () => {
    const form = actionForm(point, []);
    expect(form.tools).toMatchObject([{ name: "act", action: "act {arguments}" }]);
    expect(form.tools[0]?.parameters.properties).toEqual({ x: { type: "integer" } });
    for (const action of ['act {"x": 3}', '{"x": 3}', ' act\n{"x":3}'])
      expect(messageOf(form, action)).toEqual({ data: { x: 3 } });
    for (const action of ["", "act", "jump {}", "act [1]", "act {", 'act {"x": "3"}', 'act {"x": 1, "y": 2}', "3"])
      expect(messageOf(form, action)).toEqual({ wrong: expect.stringMatching(/^expected /) });
  });

  test("the server checks an action whose schema cannot be compiled", () => {
    const form = actionForm({ properties: { x: { $ref: "#/nowhere" } }, required: [] }, []);
    expect(messageOf(form, 'act {"x": 1}')).toEqual({ data: { x: 1 } });
  });

  test("tools get names that every protocol accepts, and calls are sent with the server's names", () => {
    const form = actionForm({ title: "CallToolAction" }, [
      { name: "echoMessage", description: "Echoes.", inputSchema: { properties: { text: { type: "string" } } } },
      { name: "2nd-tool" },
      { name: "echo_message" },
    ]);
    expect(form.tools.map(({ name }) => name)).toEqual(["echo_message", "tool_2nd_tool"]);
    expect(messageOf(form, 'echo_message {"text": "hi"}')).toEqual({
      data: { type: "call_tool", tool_name: "echoMessage", arguments: { text: "hi" } },
    });
    for (const action of ["", "{}", "constructor {}", "echo_message {", "echo_message 3"])
      expect(messageOf(form, action)).toEqual({ wrong: expect.stringMatching(/^expected /) });
  });
});

describe("observations", () => {
  test.each([
    ["hi", undefined, "hi", false],
    [{ hint: "hi", left: null, metadata: { a: 1 } }, undefined, "hi", false],
    [{ text: "hi", score: 3 }, undefined, "hi", true],
    [{ hint: "hi", score: 3 }, undefined, '{"hint":"hi","score":3}', false],
    [{ hint: "hi", score: 3 }, "hint", "hi", true],
    [{ hint: "hi", score: 3 }, "nothing", '{"hint":"hi","score":3}', false],
    [[1], undefined, "[1]", false],
    [{ tool_name: "add", result: { data: "3", content: [] }, error: null }, undefined, "3", false],
    [{ tool_name: "add", result: { content: [{ type: "text", text: "3" }] } }, undefined, "3", false],
    [{ tool_name: "add", result: { data: { sum: 3 } } }, undefined, '{"sum":3}', false],
    [{ tool_name: "add", result: null, error: { error_type: "x", message: "no" } }, undefined, "Error: no", false],
  ])("%j with the field %s is %s", (observation, field, expected, hasPart) => {
    const shown = observationText(observation as never, field);
    expect(shown.observation).toBe(expected);
    expect(shown.parts !== undefined).toBe(hasPart);
  });
});
