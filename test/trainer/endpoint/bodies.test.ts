/** Bodies of any shape: each protocol refuses them with status 400 in its own form, and never fails. */
import { describe, expect, test } from "vitest";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";
import { post } from "./serving.js";
import { toolModel, user } from "./tool-model.js";

const { evaluation } = await toolModel();

/** Bodies that each protocol accepts, from which random bodies are made. */
const accepted: Record<string, object> = {
  "chat/completions": {
    model: "m",
    messages: [user("greet"), { role: "assistant", content: [{ type: "text", text: "hello" }] }, user("find")],
    tools: [{ type: "function", function: { name: "lookup", parameters: {} } }],
    stop: ["x"],
    max_tokens: 2,
  },
  responses: {
    model: "m",
    instructions: "find",
    input: [
      user("greet"),
      { type: "function_call", call_id: "1", name: "lookup", arguments: "{}" },
      { type: "function_call_output", call_id: "1", output: [{ type: "input_text", text: "key" }] },
      { type: "reasoning", summary: [] },
    ],
    tools: [{ type: "function", name: "lookup", parameters: {} }, { type: "web_search" }],
    text: { format: { type: "text" } },
    max_output_tokens: 2,
  },
  messages: {
    model: "m",
    system: [{ type: "text", text: "find" }],
    messages: [
      user("greet"),
      { role: "assistant", content: [{ type: "tool_use", id: "1", name: "lookup", input: {} }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "1", content: "key" }] },
    ],
    tools: [
      { name: "lookup", input_schema: {} },
      { type: "bash_20250124", name: "bash" },
    ],
    tool_choice: { type: "auto" },
    max_tokens: 2,
  },
};
const odd: unknown[] = [
  null,
  0,
  -1,
  1e300,
  "",
  "x",
  true,
  [],
  {},
  [[]],
  [null],
  { type: "x" },
  { constructor: 1 },
  "\uD800",
];

/** Replaces, removes or adds one value somewhere in a JSON value. */
function mutated(value: unknown, random: () => number): unknown {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  const isLeaf = typeof value !== "object" || value === null || Object.keys(value).length === 0;
  if (isLeaf || random() < 0.15) return pick(odd);
  const copy = Array.isArray(value) ? [...value] : { ...value };
  const entries = copy as Record<string, unknown>;
  const key = pick(Object.keys(entries));
  if (random() < 0.15) delete entries[key];
  else entries[key] = mutated(entries[key], random);
  return copy;
}

describe.each(Object.keys(accepted))("a body of /%s", (path) => {
  test("that is accepted is the base of the others", async () => {
    const { rollout } = await evaluation();
    expect((await post(`${rollout.base_url}/${path}`, accepted[path])).status).toBe(200);
  });

  test("with random values is answered or refused, never with a fault", async () => {
    const { rollout } = await evaluation();
    const random = keyedRandom(7, path.length);
    const statuses = new Map<number, number>();
    for (let at = 0; at < 400; at++) {
      let body: unknown = accepted[path];
      for (let changes = 0; changes < 1 + (at % 3); changes++) body = mutated(body, random);
      const response = await fetch(`${rollout.base_url}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
      const text = await response.text();
      expect([200, 400, 404], JSON.stringify([body, text])).toContain(response.status);
      if (response.status !== 200) expect(JSON.parse(text).error.message).toMatch(/^\S/);
      statuses.set(response.status, (statuses.get(response.status) ?? 0) + 1);
    }
    expect(statuses.get(200)).toBeGreaterThan(20);
    expect(statuses.get(400)).toBeGreaterThan(100);
  });

  test("that is nested deeply is answered or refused, never with a fault", async () => {
    const { rollout } = await evaluation();
    const deep = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
    const base = JSON.stringify(accepted[path]);
    const send = async (body: string) => {
      expect(body.length).toBeGreaterThan(base.length + 5000);
      const response = await fetch(`${rollout.base_url}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body,
      });
      return [response.status, ((await response.json()) as { error?: { message: string } }).error?.message];
    };
    expect(await send(base.replace("{", `{"vendor":${deep},`))).toEqual([200, undefined]);
    // Arguments that are text stay text; arguments and schemas that are values have a limit.
    const values = base.replace(/"(parameters|input_schema)":\{\}/, `"$1":${deep}`);
    expect(await send(values)).toEqual([400, "tools: expected at most 128 levels of nested values, but received more"]);
    if (path === "responses") {
      expect(await send(base.replace('"arguments":"{}"', `"arguments":${JSON.stringify(deep)}`))).toEqual([
        ...[400, expect.stringContaining("messages of at most")],
      ]);
    }
  });
});
