import { describe, expect, test } from "vitest";
import { actionFormat, actionFormats, expectPlayable } from "#palestra/server/formats/actions/action-formats.js";
import type { Tool } from "#palestra/trainer/gym/gym.js";
import { cpuMs } from "../../../support/cpu-time.js";
import { tools } from "../../../trainer/support/tools.js";

const twice = "Thought:\nfirst\n\nAction:\nget 1 log\n\nAction:\ninventory";
const craft = "craft 4 oak planks using 1 oak log, 2 stick";

describe("the action in a reply", () => {
  test.each([
    ["react", "Thought:\nI need logs.\n\nAction:\nget 1 oak log", "get 1 oak log"],
    ["react", "Action: get 1 oak log\nObservation: Got 1 oak log", "get 1 oak log"],
    ["react", "Action:\n\n  click [12] \n", "click [12]"],
    ["react", twice, "inventory"],
    ["react", "Thought: logs.\n**Action:** `get 1 oak log`", "get 1 oak log"],
    ["react", "Action:\n```text\nget 1 oak log\n```", "get 1 oak log"],
    ["react", "Action: ```inventory```", "inventory"],
    ["react", "<think>\nAction: craft?\n</think>\n\nThought: look.\nAction: inventory<|im_end|>", "inventory"],
    ["react", "inventory</s>", "inventory"],
    ["react", " a plain action\nof two lines \n", " a plain action\nof two lines \n"],
    ["react", '<tool_call>\n{"name": "inventory", "arguments": {}}\n</tool_call>', "inventory"],
    ["plain", "  turn left\n", "turn left"],
    ["agentgym", "Action:\nget 1 oak  log.", "get 1 oak log"],
    ["agentgym", 'Action: "craft 4 oak planks using 1 oak log"', "craft 4 oak planks using 1 oak log"],
    ["agentgym", "I do not know.", ""],
    ["agentgym-sciworld", "Action:\nopen door to kitchen\n", "open door to kitchen"],
    [
      "agentgym-sciworld",
      "Action: wait\nAction:\nlook at [lamp].\nObservation: A lamp.",
      "look at [lamp].\nObservation: A lamp.",
    ],
    ["agentgym-sciworld", "I do not know.", ""],
  ])("is read by %s from %j as %j", (name, text, action) => {
    expect(actionFormat(name).read(text, tools)).toEqual({ action });
  });

  test.each(["Action:", "Thought: I do not know.", "Thought:\nlogs\n\nAction:\n", "Action: ``"])(
    "is refused by react in %j, which has the form but no action",
    (text) => {
      expect(actionFormat("react").read(text, tools)).toEqual({
        refusal: `Error: expected "Thought:", then "Action:" and the action on its next line, but received ${JSON.stringify(text)}.`,
      });
    },
  );

  test("two actions are refused as AgentGym's clients refuse them", () => {
    const refusal = "Error: Only one 'Action' is allowed per response. Please adjust your response.";
    expect(actionFormat("agentgym").read(twice, [])).toEqual({ refusal });
  });

  test.each([...actionFormats.keys()])("%s reads back the actions that it writes", (name) => {
    const { read, write } = actionFormat(name);
    for (const action of ["get 1 oak log", "inventory", craft]) {
      expect(read(write(action, tools) as string, tools)).toEqual({ action });
    }
  });

  test("an unknown format is refused", () => {
    expect(() => actionFormat("json")).toThrow(
      'expected one of the action formats react, plain, agentgym, agentgym-sciworld, tool_call, code, but received "json"',
    );
  });
});

describe("formats of text alone", () => {
  test.each(["plain", "react", "agentgym", "agentgym-sciworld"])(
    "do not change the environment's prompt: %s",
    (name) => {
      const prompt = "Craft.\n\nReminder: \n\n";
      expect(actionFormat(name).opening(prompt, tools)).toEqual({ prompt });
      expect(() => expectPlayable(actionFormat(name), "maze@1", [])).not.toThrow();
    },
  );
});

describe("function calling", () => {
  const { read, write, opening } = actionFormat("tool_call");
  const call = (body: string) => `Logs first.\n<tool_call>\n${body}\n</tool_call>`;

  test.each([
    [call('{"name": "get", "arguments": {"count": 2, "item": "oak log"}}'), "get 2 oak log"],
    [call('{"arguments": {"item": "oak log", "count": 2}, "name": "get"}'), "get 2 oak log"],
    ['<tool_call>{"name": "inventory", "arguments": {}}', "inventory"],
    ['{"name": "get", "parameters": {"count": 2, "item": "oak log"}}', "get 2 oak log"],
    [call('{"name": "inventory"}'), "inventory"],
  ])("is read in %j", (text, action) => {
    expect(read(text, tools)).toEqual({ action });
  });

  test.each([
    ["get 2 oak log", /expected one call as <tool_call>.*, but received none/s],
    [call('{"name": "inventory"}') + call('{"name": "inventory"}'), /expected one call as .*, but received 2/s],
    [call('{"name": "get", "arguments": {"count": 2'), /expected a call as JSON with name and arguments/],
    [call('{"name": "fly", "arguments": {}}'), /expected a call of get, craft or inventory, but received "fly"/],
    [call('{"name": "get", "arguments": {"count": "2", "item": "log"}}'), /where count must be integer/],
    [call('{"name": "get", "arguments": {"item": "log"}}'), /must have required property 'count'/],
    [call('{"name": "inventory", "arguments": {"all": true}}'), /must NOT have additional properties/],
    [call('{"name": "get", "arguments": {"count": 1, "item": "log", "__proto__": {}}}'), /additional properties/],
    [call('{"name": "constructor", "arguments": {}}'), /expected a call of/],
    ["", /received none/],
  ])("%j is refused with a helpful message", (text, reason) => {
    expect(read(text, tools)).toEqual({ refusal: expect.stringMatching(reason) });
  });

  test("is written in the form of Qwen's template", () => {
    expect(write("get 2 oak log", tools)).toBe(
      '<tool_call>\n{"name": "get", "arguments": {"count": 2, "item": "oak log"}}\n</tool_call>',
    );
    expect(write(craft, tools)).toContain('"ingredients": ["1 oak log", "2 stick"]');
  });

  test("an action without a tool cannot be written", () => {
    for (const action of ["fly", "get 02 oak log", "inventory now", ""]) expect(write(action, tools)).toBeUndefined();
  });

  test("shows the tools, and tells the model to ignore the prompt's own format", () => {
    const shown = opening("Craft.\nAnswer as Action: ...", tools);
    expect(shown.prompt).toMatch(/^Craft\.\nAnswer as Action: \.\.\.\n\nIn place of any format/);
    expect(shown.tools).toBe(tools);
  });
});

describe("code as action", () => {
  const { read, write, opening } = actionFormat("code");
  const block = (code: string) => `First logs.\n\`\`\`python\n${code}\n\`\`\`\nDone.`;

  test.each([
    ['get(item="oak log", count=2)', "get 2 oak log"],
    [block("# logs first\nget(2, 'oak log')  # two"), "get 2 oak log"],
    [block("get(\n  count=2,\n  item='oak log',\n)"), "get 2 oak log"],
    ["```\ninventory()\n```", "inventory"],
    ["```python\ninventory()", "inventory"],
    [block('craft(4, "oak planks", ingredients=["1 oak log", "2 stick",])'), craft],
    [block("craft(4, 'oak planks', ('1 oak log', '2 stick'))"), craft],
    [block('get(1, "d\\u0069rt")'), "get 1 dirt"],
    [block('get(1, """dirt""")'), "get 1 dirt"],
  ])("is read in %j", (text, action) => {
    expect(read(text, tools)).toEqual({ action });
  });

  test.each([
    ["I would get a log.", /expected one call with values as they are/],
    ["", /expected one call with values as they are, .* but received ""/],
    [block("n = 2\nget(n, 'log')"), /expected one call/],
    [block("get(n, 'log')"), /expected a literal: text, a number, .* but received "n, 'log'/],
    [block("get(1 + 1, 'log')"), /expected one call/],
    [block("get(1, 'log')\nget(1, 'log')"), /but received more/],
    [block("__import__('os').system('rm -rf /')"), /but received more|expected a call of/],
    [block("get(count=1, 'log')"), /no positional argument after a keyword argument/],
    [block("get(count=1, count=2, item='log')"), /expected one value for count, but received two/],
    [block("get(1, 'log', count=2)"), /expected one value for count, but received two/],
    [block("get(1, 'log', 3)"), /expected at most 2 arguments of get, but received 3/],
    [block("fly()"), /expected a call of get, craft or inventory, but received "fly"/],
    [block("get('2', 'log')"), /where count must be integer/],
    [block("get(2, None)"), /where item must be string/],
    [block("get(2, 'log"), /expected a literal: text, a number/],
    [block("get(2, f'log')"), /expected a literal: text, a number/],
    [block(`get(${"[".repeat(99)}`), /expected values at most 16 deep/],
    [block("get(1, log)"), /expected a literal: text, a number/],
    [block("get(1, 'log', __proto__='x')"), /must NOT have additional properties/],
    [block("inventory()") + block("inventory()"), /expected one block of Python, but received 2/],
  ])("%j is refused with a helpful message", (text, reason) => {
    expect(read(text, tools)).toEqual({ refusal: expect.stringMatching(reason) });
  });

  test("text that never ends is refused at once", () => {
    const texts = [`get(1, '${"\\".repeat(200_001)}${"a\\".repeat(200_000)}`, "<".repeat(500_000)];
    // Quadratic time would take minutes.
    for (const text of texts) expect(cpuMs(() => read(text, tools))).toBeLessThan(5_000);
  });

  test("is written with names, and any text reads back unchanged", () => {
    expect(write("get 2 oak log", tools)).toBe('```python\nget(count=2, item="oak log")\n```');
    for (const item of ['say "hi"', "back\\slash", "tab\there", "it's", "ѐ 🦜", "# no comment"]) {
      const action = `get 1 ${item}`;
      expect(read(write(action, tools) as string, tools)).toEqual({ action });
    }
  });

  test("shows the functions with their types", () => {
    const { prompt, tools: shown } = opening("Craft.\n\n", tools);
    expect(prompt.startsWith("Craft.\n\nIn place of any format")).toBe(true);
    expect(prompt).toContain("craft(count: int, item: str, ingredients: list[str])\n    Craft an item");
    expect(shown).toBeUndefined();
  });
});

describe("a tool whose arguments are one JSON object", () => {
  const forecast: Tool = {
    name: "forecast",
    description: "Tells the weather.",
    parameters: {
      type: "object",
      properties: {
        place: { type: "object", description: "Where.", properties: { city: { type: "string" } } },
        days: { type: "number" },
        units: { type: "array", items: { type: "string" } },
        exact: { type: "boolean" },
      },
      required: ["place"],
    },
    action: "forecast {arguments}",
  };
  const calls = [
    { place: { city: "Rome" } },
    { place: { city: 'say "so" {place}' }, days: 1.5, units: ["C", "m/s"], exact: true },
  ];

  test.each(["tool_call", "code"])("is called by %s, and read back", (name) => {
    const { read, write } = actionFormat(name);
    for (const given of calls) {
      const action = `forecast ${JSON.stringify(given)}`;
      expect(read(write(action, [forecast]) as string, [forecast])).toEqual({ action });
    }
  });

  test("is refused if the arguments do not fit its schema", () => {
    const call = (given: string) => `<tool_call>{"name": "forecast", "arguments": ${given}}</tool_call>`;
    const { read, write } = actionFormat("tool_call");
    expect(read(call('{"days": 1}'), [forecast])).toMatchObject({ refusal: expect.stringContaining("'place'") });
    expect(read(call('{"place": "Rome"}'), [forecast])).toMatchObject({ refusal: expect.stringContaining("object") });
    expect(write("forecast Rome", [forecast])).toBeUndefined();
    expect(write('forecast ["Rome"]', [forecast])).toBeUndefined();
  });

  test("is shown with its types and optional parameters", () => {
    const { prompt } = actionFormat("code").opening("Play.", [forecast]);
    expect(prompt).toContain(
      "forecast(place: dict, days: float = None, units: list[str] = None, exact: bool = None)\n    Tells the weather.",
    );
  });
});

describe("an environment without tools", () => {
  test.each(["tool_call", "code"])("cannot be played by %s", (name) => {
    expect(() => expectPlayable(actionFormat(name), "maze@1", [])).toThrow(
      `expected an environment with tools for the format ${name}, but received maze@1, which has no tools`,
    );
    expect(() => expectPlayable(actionFormat(name), "maze@1", tools)).not.toThrow();
  });

  test("or with an invalid tool schema is refused", () => {
    const parameters = {
      type: "object",
      properties: { x: { type: "tree" } },
      required: [],
      additionalProperties: false,
    };
    const broken = [{ name: "grow", description: "Grow.", parameters, action: "grow" } as (typeof tools)[0]];
    expect(() => expectPlayable(actionFormat("tool_call"), "maze@1", broken)).toThrow(
      "expected the parameters of grow as a valid JSON Schema",
    );
  });
});
