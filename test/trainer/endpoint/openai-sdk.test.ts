/** A policy learns behind OpenAI's JavaScript SDK, in a program like a user's. */
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { engineOfFile, temporaryFolder } from "../../native/tiny-models.js";
import { type Dialogue, writeAgentModel } from "./agent-model.js";
import { learn } from "./learning.js";
import type { Invitation } from "./serving.js";

const engine = await engineOfFile(1);
const colours = ["red", "green", "blue", "yellow"];

/** The model is cloned to answer a colour with any colour, the same one three times as often as each other. */
const dialogues: Dialogue[] = colours.flatMap((asked) =>
  [...colours, asked, asked].flatMap((said) => {
    const other = colours[(colours.indexOf(asked) + 1) % 4] as string;
    return [...colours, other, other].map((again) => ({
      messages: [
        { role: "user", content: asked },
        { role: "assistant", content: said },
        { role: "user", content: other },
        { role: "assistant", content: again },
      ],
    }));
  }),
);
const texts = colours.flatMap((colour) => [colour, ` ${colour}`]);
const folder = engine && (await writeAgentModel(engine, temporaryFolder(), { texts, dialogues, epochs: 40 }));

function clientOf({ base_url }: Invitation): OpenAI {
  return new OpenAI({ baseURL: base_url, apiKey: "any", maxRetries: 0 });
}

describe("the policy behind OpenAI's SDK", () => {
  test("learns to repeat a colour over two turns, one streamed and one not", async () => {
    const { before, after, steps } = await learn({
      engine,
      model: folder,
      tasks: colours,
      // Each reply is credited with its own reward.
      settings: { turn_discount: 0, max_new_tokens: 6 },
      agent: async (rollout, task) => {
        const client = clientOf(rollout);
        const messages: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: task }];
        const first = await client.chat.completions.create({ model: "gpt-4o", messages });
        const said = first.choices[0]?.message as OpenAI.ChatCompletionMessage;
        const other = colours[(colours.indexOf(task) + 1) % 4] as string;
        messages.push(said, { role: "user", content: other });
        let again = "";
        for await (const chunk of await client.chat.completions.create({ model: "gpt-4o", messages, stream: true })) {
          again += chunk.choices[0]?.delta.content ?? "";
        }
        return [{ call: first.id, reward: said.content === task ? 0.5 : 0 }, { reward: again === other ? 0.5 : 0 }];
      },
    });
    console.info(
      `OpenAI's SDK: ${(100 * before).toFixed(0)} % before, ${(100 * after).toFixed(0)} % after ${steps.length} train steps`,
    );
    expect(before).toBeLessThanOrEqual(0.5);
    expect(after).toBeGreaterThanOrEqual(0.9);
    // Two calls that continue each other are one row.
    const rows = steps.flatMap(({ groups }) => groups.flatMap(({ trajectories }) => trajectories));
    expect(rows.every(({ row, steps }) => row === undefined && steps.length === 2)).toBe(true);
  }, 300_000);
});
