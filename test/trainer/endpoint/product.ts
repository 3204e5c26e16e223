/**
 * A live product of four programs with OpenAI's SDK, as it is. Its users answer some replies with a reward, in another
 * order and later, and others never.
 */
import OpenAI from "openai";
import { keyedRandom } from "#palestra/trainer/keyed-random.js";
import type { Dialogue } from "./agent-model.js";
import { post } from "./serving.js";

export const colours = ["red", "green", "blue", "yellow"];
export const colourTexts = colours.flatMap((colour) => [colour, ` ${colour}`]);

/** The model is cloned to answer a color with any color, the same one twice as often as each other. */
export const colourDialogues: Dialogue[] = colours.flatMap((asked) =>
  [...colours, asked].map((said) => ({
    messages: [
      { role: "user", content: asked },
      { role: "assistant", content: said },
    ],
  })),
);

export interface Product {
  /** Status of each confirmed reward, by the conversation. */
  readonly confirmed: Map<string, string>;
  /** Number of replies that nobody rewarded. */
  readonly unrewarded: () => number;
  /** Resolves once the endpoint has closed. */
  readonly closed: Promise<void>;
}

/** Replies that wait for a reward at most. */
const mostPending = 12;

/** Starts the product, which ends when the endpoint closes. */
export function startProduct(url: string, seed: number): Product {
  const confirmed = new Map<string, string>();
  const random = keyedRandom(seed);
  const pending: { id: string; reward: number }[] = [];
  let unrewarded = 0;
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "any", maxRetries: 0 });
  const ask = async () => {
    const asked = colours[Math.floor(random() * colours.length)] as string;
    const messages = [{ role: "user" as const, content: asked }];
    const { id, choices } = await client.chat.completions.create({ model: "any", messages });
    pending.push({ id, reward: Number(choices[0]?.message.content === asked) });
    if (pending.length < mostPending) return;
    const [rated] = pending.splice(Math.floor(random() * pending.length), 1);
    if (!rated || random() < 0.2) {
      unrewarded += 1;
      return;
    }
    const { status, body } = await post(`${url}/v1/rewards`, rated);
    if (status !== 200) throw new Error(`expected a confirmed reward, but received ${JSON.stringify(body)}`);
    confirmed.set(body.rollout, body.status);
  };
  const program = async () => {
    for (;;) await ask();
  };
  const closed = Promise.all(Array.from({ length: 4 }, program)).then(
    () => {},
    (error) => {
      const isClosed = error instanceof OpenAI.APIConnectionError || error.status === 503 || error instanceof TypeError;
      if (!isClosed && !/endpoint_closed/.test(String(error))) throw error;
    },
  );
  return { confirmed, unrewarded: () => unrewarded, closed };
}
