/**
 * The model that is trained where none is given: a Qwen3 decoder of about a million parameters, small enough that two
 * CPU cores clone and improve it within minutes.
 */
import type { Engine, HfConfig, Model, Tokenizer } from "../../native/index.js";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export interface DefaultModelShape {
  hiddenSize: number;
  layers: number;
  /** Tokens of the longest conversation. */
  context: number;
}

const headSize = 32;

export function defaultConfig(tokenizer: Tokenizer, { hiddenSize, layers, context }: DefaultModelShape): HfConfig {
  const heads = hiddenSize / headSize;
  if (!Number.isInteger(heads / 2)) {
    throw new RangeError(`expected a hidden size that is a multiple of ${2 * headSize}, but received ${hiddenSize}`);
  }
  return {
    model_type: "qwen3",
    vocab_size: tokenizer.size,
    hidden_size: hiddenSize,
    intermediate_size: 3 * hiddenSize,
    num_hidden_layers: layers,
    num_attention_heads: heads,
    num_key_value_heads: heads / 2,
    head_dim: headSize,
    max_position_embeddings: context,
    rms_norm_eps: 1e-6,
    rope_theta: 10_000,
    tie_word_embeddings: true,
    hidden_act: "silu",
  };
}

/** Random weights, with the tokenizer as if both had been loaded from one folder. */
export async function createDefaultModel(
  engine: Engine,
  tokenizer: Tokenizer,
  shape: DefaultModelShape,
  seed: number,
): Promise<Model> {
  const random = await engine.loadModel({ config: defaultConfig(tokenizer, shape), seed });
  // What is made of a config alone has no tokenizer; what is read from a folder has.
  const folder = await mkdtemp(join(tmpdir(), "palestra-model-"));
  try {
    await random.save(folder);
    await writeTokenizer(folder, tokenizer);
    return await engine.loadModel(folder);
  } finally {
    random.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** As Hugging Face's libraries read it. */
export async function writeTokenizer(folder: string, { definition, config }: Tokenizer): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "tokenizer.json"), JSON.stringify(definition));
  await writeFile(join(folder, "tokenizer_config.json"), JSON.stringify(config));
}
