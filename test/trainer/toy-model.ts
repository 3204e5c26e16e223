/** A small model with its tokenizer, in a folder that is removed after the tests of the file. */
import { afterAll, beforeAll } from "vitest";
import { Engine, type EngineOptions, type Model } from "#palestra/native/api/index.js";
import { writeDefaultModel } from "#palestra/trainer/data/default-model.js";
import { buildTokenizer } from "#palestra/trainer/data/default-tokenizer.js";
import { temporaryFolder } from "../native/tiny-models.js";

export const texts = [
  "Crafting commands:\ncraft 4 oak planks using 1 oak logs\n\nGoal: craft oak planks.",
  "get 1 oak logs",
  "Got 1 oak logs",
  "craft 4 oak planks using 1 oak logs",
];

export interface Toy {
  readonly engine: Engine;
  readonly model: Model;
}

/** One model for all tests of a file. Empty if the engine is not built, and then all of the tests are skipped. */
export function toyModel(options: EngineOptions = {}): Toy {
  const toy: { engine?: Engine; model?: Model } = {};
  const folder = temporaryFolder();
  beforeAll(async () => {
    toy.engine = await Engine.create({ threads: 1, deterministic: true, ...options }).catch(() => undefined as never);
    if (!toy.engine) return;
    const tokenizer = buildTokenizer(texts, { leastWordCount: 1 });
    await writeDefaultModel(toy.engine, tokenizer, { hiddenSize: 64, layers: 1, context: 256 }, 5, folder);
    toy.model = await toy.engine.loadModel(folder);
  });
  afterAll(() => toy.engine?.close());
  return toy as Toy;
}
