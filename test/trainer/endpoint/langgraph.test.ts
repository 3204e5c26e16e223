/** A LangGraph agent with a tool, written like a user's program, learns the right argument of the tool. */
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
/** The tool's schema as LangChain sends it. */
const sent = { type: "function", function: { ...description, parameters: z.toJSONSchema(schema) } };

/** The model is cloned to call the tool and to repeat the result, but it looks at a random shelf. */
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

// The sampled tokens depend on the speed of the machine, and after some samples the model unlearns the call. So the
// test may run twice.
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
      // The reward does not depend on the agent's text, since the model would learn to claim success without a call. An
      // agent that calls the tool for ever, or past the context, gets no reward.
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
  // The framework sends the tool call back, and the endpoint recognises it: both replies are one row.
  const rows = steps.flatMap(({ groups }) => groups.flatMap(({ trajectories }) => trajectories));
  const twoSteps = rows.filter(({ row, steps }) => row === undefined && steps.length === 2);
  expect(twoSteps.length / rows.length).toBeGreaterThan(0.9);
});
