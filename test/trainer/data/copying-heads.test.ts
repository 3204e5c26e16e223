import { join } from "node:path";
import { expect, test } from "vitest";
import { Engine } from "#palestra/native/api/index.js";
import { writeDefaultModel } from "#palestra/trainer/data/default-model.js";
import { buildTokenizer } from "#palestra/trainer/data/default-tokenizer.js";
import { scratch } from "../../support/serving.js";

const words = Array.from("abcdefghijklmnop", (letter) => ` ${letter.repeat(3)}`);
const shape = { hiddenSize: 128, layers: 2, context: 64 };

/** Returns a model without training, by the factor of its copying heads. */
async function untrained(engine: Engine, copyingScale: number) {
  const folder = join(scratch(), "model");
  const tokenizer = buildTokenizer([...words, ...words]);
  await writeDefaultModel(engine, tokenizer, { ...shape, copyingScale }, 1, folder);
  return engine.loadModel(folder);
}

test("o_proj of each query head is a multiple of the transposed v_proj of its key and value head", async () => {
  await using engine = await Engine.create({ threads: 1 });
  await using model = await untrained(engine, 3);
  await using random = await untrained(engine, 0);
  for (const layer of [0, 1]) {
    const name = (map: string) => `model.layers.${layer}.self_attn.${map}_proj.weight`;
    const [output, value] = await Promise.all(["o", "v"].map((map) => model.parameter(name(map))));
    expect(value).toEqual(await random.parameter(name("v")));
    // 4 query heads of 32, 2 key and value heads.
    for (const [hidden, column] of [
      [0, 0],
      [5, 31],
      [7, 40],
      [99, 64],
      [127, 127],
    ] as const) {
      const row = Math.floor(column / 64) * 32 + (column % 32);
      expect(output?.[hidden * 128 + column]).toBe(Math.fround(3 * (value?.[row * 128 + hidden] as number)));
    }
  }
});

const mean = (values: number[]) => values.reduce((sum, one) => sum + one, 0) / values.length;

test("a model with copying heads expects the words of its context, and one with random heads does not", async () => {
  await using engine = await Engine.create({ threads: 1 });
  const preference = async (scale: number) => {
    await using model = await untrained(engine, scale);
    const tokenizer = model.tokenizer;
    const ids = words.map((word) => tokenizer?.encode(word)[0] as number);
    const trainer = await model.trainer({ maxTokens: 64 });
    // Each word is in half of the contexts, so that a word that the model prefers anyway does not count.
    const differences = ids.map(async (_, first) => {
      const turned = [...ids.slice(first), ...ids.slice(0, first)];
      const logprobs = await Promise.all(
        turned.map(async (id) => {
          const tokens = Int32Array.from([...turned.slice(0, 8), id]);
          return (await trainer.score({ tokens }, {})).logprob[8] as number;
        }),
      );
      return mean(logprobs.slice(0, 7)) - mean(logprobs.slice(8));
    });
    return mean(await Promise.all(differences));
  };
  const [copying, random] = [await preference(3), await preference(0)];
  expect(copying).toBeGreaterThan(0.3);
  expect(Math.abs(random)).toBeLessThan(0.15);
});
