/**
 * The default model: a Qwen3 decoder of about a million parameters, small enough to be trained in minutes on two CPU
 * cores.
 */

import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Engine, HfConfig, ModelSource, Tokenizer } from "../../native/api/index.js";
import { TrainerError } from "../errors.js";
import { writeCopyingHeads } from "./copying-heads.js";

export interface DefaultModelShape {
  hiddenSize: number;
  layers: number;
  /** Maximum number of tokens in a conversation. */
  context: number;
  /** Factor of the copying heads. Default: 0, which leaves the heads random. */
  copyingScale?: number;
}

const headSize = 32;

export function defaultConfig(tokenizer: Tokenizer, { hiddenSize, layers, context }: DefaultModelShape): HfConfig {
  const heads = hiddenSize / headSize;
  if (!Number.isInteger(heads / 2)) {
    throw new TrainerError(
      "SETTINGS_INVALID",
      `expected a hidden size that is a multiple of ${2 * headSize}, but received ${hiddenSize}`,
    );
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
    ...endOf(tokenizer),
  };
}

/** Returns the end of a turn, at which other programs than this one stop generating, too. It also fills short rows. */
function endOf({ endTokens: [end] }: Tokenizer): HfConfig {
  return { bos_token_id: null, ...(end !== undefined && { eos_token_id: end, pad_token_id: end }) };
}

/** Writes random weights and the tokenizer as a folder in Hugging Face's layout. */
export async function writeDefaultModel(
  engine: Engine,
  tokenizer: Tokenizer,
  shape: DefaultModelShape,
  seed: number,
  folder: string,
): Promise<void> {
  const config = defaultConfig(tokenizer, shape);
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, "tokenizer.json"), JSON.stringify(tokenizer.definition));
  await writeFile(join(folder, "tokenizer_config.json"), JSON.stringify(tokenizer.config));
  if (!shape.copyingScale) return save(engine, { config, seed }, folder);
  const random = join(folder, "random");
  await save(engine, { config, seed }, random);
  await writeCopyingHeads(random, headSize, shape.copyingScale);
  // The model is written last: its config.json marks the folder as complete.
  await save(engine, random, folder);
  await rm(random, { recursive: true });
}

async function save(engine: Engine, source: ModelSource, folder: string): Promise<void> {
  const model = await engine.loadModel(source);
  try {
    await model.save(folder);
  } finally {
    model.close();
  }
}
