/** Where a model comes from: a folder in Hugging Face's layout, a GGUF file, or a seed. */
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { RawSource } from "../addon/addon.js";
import { invalid, misformed, unreadable } from "../addon/errors.js";
import { readGguf } from "./gguf.js";
import { tokenizerOfGguf } from "./gguf-tokenizer.js";
import { type HfConfig, type ModelConfig, readConfig } from "./hf-config.js";
import { checkOptions, seed } from "./options.js";
import { isRecord, readJson, readJsonIfThere, readSafetensors } from "./safetensors.js";
import { Tokenizer } from "./tokenizer.js";

/** What is known of a model before its weights are read. */
export interface Found {
  hfConfig: HfConfig;
  tokenizer: Tokenizer | undefined;
  /** That of a text, by every file that names one. */
  endTokens: number[];
  /** That it was read from, if any. */
  folder: string | undefined;
  weights: { sources: RawSource[] } | { seed: bigint };
}

export function randomModel(source: unknown): Found {
  const { config, seed: drawn } = checkOptions("the source of a model", source, {
    config: (value) => {
      if (isRecord(value)) return value;
      throw invalid("config as the content of a config.json", value);
    },
    seed,
  });
  return {
    hfConfig: config,
    tokenizer: undefined,
    endTokens: tokensAt(config),
    folder: undefined,
    weights: { seed: drawn },
  };
}

export async function findModel(path: string): Promise<Found> {
  const status = await stat(path).catch((error) => {
    throw unreadable(path, error);
  });
  return status.isDirectory() ? findInFolder(path) : findInGguf(path);
}

async function findInGguf(path: string): Promise<Found> {
  const { config, sources, metadata } = await readGguf(path);
  const tokenizer = tokenizerOfGguf(metadata);
  return { hfConfig: config, tokenizer, endTokens: tokensAt(config), folder: undefined, weights: { sources } };
}

async function findInFolder(folder: string): Promise<Found> {
  const path = join(folder, "config.json");
  const hfConfig = await readJson(path);
  if (!isRecord(hfConfig)) throw misformed(`a JSON object in ${path}`, hfConfig);
  readConfig(hfConfig);
  const [sources, tokenizer, generation] = await Promise.all([
    readSafetensors(folder),
    Tokenizer.read(folder),
    readJsonIfThere(join(folder, "generation_config.json")),
  ]);
  const endTokens = [...tokensAt(hfConfig), ...tokensAt(generation ?? {}), ...(tokenizer?.endTokens ?? [])];
  return { hfConfig, tokenizer, endTokens, folder, weights: { sources } };
}

/** An id, or several: chat models end a turn by one token and a text by another. */
function tokensAt({ eos_token_id: ids }: HfConfig): number[] {
  return [ids].flat().filter((id): id is number => Number.isInteger(id));
}

/** What checkpoints carry beside the parameters: a tied head again, and rotary frequencies, which follow from the config. */
export function wanted(sources: RawSource[], config: ModelConfig): RawSource[] {
  return sources.filter(({ name }) => {
    if (name === "lm_head.weight") return !config.tiedHead;
    if (name.startsWith("value_head.")) return config.valueHead;
    return !name.endsWith(".rotary_emb.inv_freq");
  });
}

/** A head may be wider than its vocabulary, for padding; never narrower. */
export function expectVocabulary(tokenizer: Tokenizer | undefined, config: ModelConfig): void {
  if (!tokenizer || tokenizer.size <= config.vocabSize) return;
  throw misformed(`a tokenizer of at most ${config.vocabSize} tokens, as the head has`, `${tokenizer.size} tokens`);
}
