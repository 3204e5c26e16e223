/** Parsing of actions in user-defined tasks. */
import { describe, expect, test } from "vitest";
import { ActionReader } from "#palestra/envs/custom/actions.js";
import type { ObjectSchema, Tool } from "#palestra/envs/env.js";
import { calculateTool } from "#palestra/envs/shared/tools/calculate.js";
import { pythonKit } from "#palestra/envs/shared/tools/machine-tools.js";
import { cpuMs } from "../../support/cpu-time.js";

const parameters: ObjectSchema = {
  type: "object",
  properties: { city: { type: "string" }, days: { type: "integer" } },
  required: ["city"],
};
const weather: Tool = { name: "weather", description: "The weather.", parameters, action: "weather {arguments}" };
const [python] = pythonKit({ timeoutMs: 1_000 }).tools as [Tool];
const reader = new ActionReader([weather, calculateTool, python]);

test.each([
  ['weather {"city": "Rome"}', "weather", { city: "Rome" }],
  ['\n weather\n{\n  "city": "Rome",\n  "days": 3\n}\n', "weather", { city: "Rome", days: 3 }],
  ['weather ```json\n{"city": "a\\nb"}\n```', "weather", { city: "a\nb" }],
  ['weather\n```\n{"city": "Rome"}\n```\n', "weather", { city: "Rome" }],
  ["calculate 1 + 2\n+ 3", "calculate", { formula: "1 + 2\n+ 3" }],
  ["python\nfor a in b:\n  print(a)\n", "python", { code: "for a in b:\n  print(a)" }],
])("%j is read as a call", (text, name, given) => {
  expect(reader.read(text)).toMatchObject({ kind: "call", tool: { name }, given });
});

describe("an invalid action is answered with its fault", () => {
  test.each([
    ["I think so.\nweather {}", /begins with weather, calculate, python, submit, but received "I think so/],
    ["weather", /arguments of weather that match its schema \(they must have required property 'city'\)/],
    ['weather {"city": 1}', /\(city must be string\)/],
    ['weather {"city": "a"} and more', /weather with its arguments as a JSON object/],
    ['weather ["Rome"]', /weather with its arguments as a JSON object/],
    ["calculate", /expected calculate \{formula\}, but received/],
    ["__proto__ {}", /begins with/],
    ["", /begins with/],
    ["submit", /begins with/],
    ["\ud800".repeat(300), /begins with/],
  ])("%j", (text, reason) => {
    expect(reader.read(text)).toEqual({ kind: "refused", observation: expect.stringMatching(reason) });
  });
});

test("arguments named __proto__ are ordinary arguments", () => {
  const action = reader.read('weather {"city": "a", "__proto__": {"days": "no number"}, "constructor": 1}');
  expect(action).toMatchObject({ kind: "call" });
  expect(({} as { days?: unknown }).days).toBeUndefined();
});

test("arguments that are nested too deeply are refused", () => {
  const nested = (depth: number) => `weather {"city": "a", "more": ${"[".repeat(depth)}${"]".repeat(depth)}}`;
  expect(reader.read(nested(99))).toMatchObject({ kind: "call" });
  for (const depth of [100, 200_000])
    expect(reader.read(nested(depth))).toMatchObject({ observation: expect.stringMatching(/at most 100 deep/) });
});

test("a fence with many blank lines is read quickly", () => {
  const text = `weather \`\`\`${"\n".repeat(300_000)}x`;
  // Quadratic time would take a minute.
  expect(cpuMs(() => expect(reader.read(text)).toMatchObject({ kind: "refused" }))).toBeLessThan(5_000);
  expect(reader.read(`weather \`\`\`json\n\n\n{"city": "Rome"}\n\n\`\`\``)).toMatchObject({ given: { city: "Rome" } });
});

test("two tools may have schemas with the same $id", () => {
  const schema = { ...parameters, $id: "https://schemas.test/weather" };
  const tools = ["one", "two"].map((name) => ({ ...weather, name, parameters: schema }));
  expect(() => new ActionReader([...tools, ...tools])).not.toThrow();
});

test("a schema that is validated asynchronously is refused", () => {
  const schema = { ...parameters, $async: true };
  expect(() => new ActionReader([{ ...weather, parameters: schema }])).toThrow(/of weather.*\$async/);
});
