/** The README's table of parameters: each row is sent to each protocol. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { samplingShape, unsupportedShape } from "#palestra/trainer/endpoint/protocol/reading.js";
import { root } from "../../support/server-process.js";
import { toolModel, user } from "./tool-model.js";

const { evaluation } = await toolModel();
const page = readFileSync(join(root, "trainer/endpoint/README.md"), "utf8");
const paths = ["chat/completions", "responses", "messages"] as const;

interface Row {
  name: string;
  value: unknown;
  treated: string[];
}

const rows: Row[] = [...page.matchAll(/^\| `(\w+)` \| `([^`]+)` \| [a-z, ]+ \| (\w+) \| (\w+) \| (\w+) \|$/gm)].map(
  ([, name = "", value = "", ...treated]) => ({ name, value: JSON.parse(value), treated }),
);

const bases: Record<(typeof paths)[number], object> = {
  "chat/completions": { model: "m", messages: [user("greet")] },
  responses: { model: "m", input: "greet" },
  messages: { model: "m", max_tokens: 8, messages: [user("greet")] },
};
const schema = { type: "object" };
/** Parameters that others need beside them, by protocol. */
const needs: Record<string, Record<(typeof paths)[number], object>> = {
  top_logprobs: {
    "chat/completions": { logprobs: true },
    responses: { include: ["message.output_text.logprobs"] },
    messages: {},
  },
  tool_choice: {
    "chat/completions": { tools: [{ type: "function", function: { name: "lookup", parameters: schema } }] },
    responses: { tools: [{ type: "function", name: "lookup", parameters: schema }] },
    messages: { tools: [{ name: "lookup", input_schema: schema }] },
  },
};

test("the table has each parameter once, and all that have an effect in any protocol or would change a reply", () => {
  const names = rows.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const [, section = ""] = /\n### Parameters of vLLM\n(.*?)\n## /s.exec(page) ?? [];
  expect(section.split("\n").filter((line) => line.startsWith("| `"))).toHaveLength(names.length);
  expect(names).toEqual(expect.arrayContaining([...Object.keys(samplingShape), ...Object.keys(unsupportedShape)]));
});

describe.each(rows)("$name", ({ name, value, treated }) => {
  const isIt = (named: string) => named === name || named.startsWith(`${name}.`) || named.startsWith(`${name}[`);

  test(`is treated as the table says: ${treated.join(", ")}`, async () => {
    const { rollout } = await evaluation();
    for (const [at, path] of paths.entries()) {
      const response = await fetch(`${rollout.base_url}/${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...bases[path], ...needs[name]?.[path], [name]: value }),
      });
      const text = await response.text();
      const ignored = response.headers.get("x-palestra-ignored")?.split(", ").some(isIt) === true;
      const refused = response.status === 400 && isIt(JSON.parse(text).error.param);
      if (!refused) expect([path, response.status, text]).toEqual([path, 200, text]);
      expect([path, refused ? "refuses" : ignored ? "ignores" : "accepts"]).toEqual([path, treated[at]]);
    }
  });
});
