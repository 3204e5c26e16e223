/** A LangGraph agent with a tool, as its users write it, learns what to ask the tool for. */
import { tool } from "@langchain/core/tools";
import { createReactAgent } from "@langchain/langgraph/prebuilt";
import { ChatOpenAI } from "@langchain/openai";
import { expect, test } from "vitest";
import { z } from "zod";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { type Dialogue, writeAgentModel } from "./agent-model.js";
import { learn } from "./learning.js";

const engine = await engineOfFile(1);
const shelves: Record<string, string> = { red: "dust", green: "dust", blue: "key", yellow: "dust" };

const schema = z.object({ shelf: z.string() });
const description = { name: "lookup", description: "What lies on a shelf" };
const lookup = tool(({ shelf }) => shelves[shelf] ?? "nothing", { ...description, schema });
/** As LangChain sends it. */
const sent = { type: "function", function: { ...description, parameters: z.toJSONSchema(schema) } };

/** It can call the tool and say what that said, but looks at any shelf. */
const dialogues: Dialogue[] = Object.entries(shelves).map(([shelf, thing]) => ({
  tools: [sent],
  messages: [
    { role: "user", content: "find" },
    { role: "assistant", content: "", tool_calls: [{ function: { name: "lookup", arguments: { shelf } } }] },
    { role: "tool", content: thing },
    { role: "assistant", content: thing },
  ],
}));
const words = Object.entries(shelves).flat();
const texts = [JSON.stringify(sent), "find", ...words, ...words.map((word) => ` ${word}`)];

// Which samples are drawn depends on the machine's pace, and of some it unlearns to look. So it may try twice.
test("a LangGraph agent learns on which shelf to look", { timeout: 300_000, retry: 1 }, async () => {
  const folder = await writeAgentModel(engine, temporaryFolder(), { texts, dialogues, epochs: 120 });
  const { before, after, steps } = await learn({
    engine,
    model: folder,
    tasks: ["find"],
    settings: { lr: 5e-4, batch_size: 4, max_concurrent_groups: 8 },
    agent: async ({ base_url }, task) => {
      const configuration = { baseURL: base_url };
      const llm = new ChatOpenAI({ model: "gpt-4o", apiKey: "any", maxRetries: 0, configuration });
      const agent = createReactAgent({ llm, tools: [lookup] });
      // What it says is not asked: it would learn to say so without looking. Whoever goes on looking, for ever or past the context, has found nothing.
      const found = await agent
        .invoke({ messages: [{ role: "user", content: task }] }, { recursionLimit: 4 })
        .then(({ messages }) => messages.some((message) => message.type === "tool" && message.content === "key"))
        .catch(() => false);
      return [{ reward: found ? 1 : 0 }];
    },
  });
  console.info(
    `LangGraph: ${(100 * before).toFixed(0)} % before, ${(100 * after).toFixed(0)} % after ${steps.length} train steps`,
  );
  expect(before).toBeLessThanOrEqual(0.4);
  expect(after).toBeGreaterThanOrEqual(0.9);
  // The call of the tool comes back from the framework and is recognised: both replies are one row.
  const rows = steps.flatMap(({ groups }) => groups.flatMap(({ trajectories }) => trajectories));
  const twoSteps = rows.filter(({ row, steps }) => row === undefined && steps.length === 2);
  expect(twoSteps.length / rows.length).toBeGreaterThan(0.9);
});
