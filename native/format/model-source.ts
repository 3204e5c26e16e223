/** The source of a model: a folder in Hugging Face's layout, a checkpoint, a GGUF file, or a seed. */
import { existsSync } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { RawParameter, RawSource } from "../addon/addon.js";
import { misformed, unreadable } from "../addon/errors.js";
import { readGguf } from "./gguf.js";
import { tokenizerOfGguf } from "./gguf-tokenizer.js";
import { type HfConfig, type ModelConfig, readConfig } from "./hf-config.js";
import { check, seed, table } from "./options.js";
import { isRecord, readJson, readJsonIfThere, readSafetensors } from "./safetensors.js";
import { Tokenizer } from "./tokenizer.js";
import { readTrainerFile, type TrainerFile, trainerFileName } from "./trainer-file.js";

/** A model's facts that are known before its weights are read. */
export interface Found {
  hfConfig: HfConfig;
  tokenizer: Tokenizer | undefined;
  /** End-of-text tokens that the model's files name, with possible duplicates. */
  endTokens: number[];
  /** The folder from which the model was read, if any. */
  folder: string | undefined;
  weights: { sources: RawSource[] } | { seed: bigint } | { checkpoint: TrainerFile };
}

const randomTable = table({ config: z.custom<HfConfig>(isRecord, "the content of a config.json"), seed });

export function randomModel(source: unknown): Found {
  const { config, seed: drawn } = check("the source of a model", randomTable, source);
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
  const [weights, tokenizer, generation] = await Promise.all([
    weightsIn(folder),
    Tokenizer.read(folder),
    readJsonIfThere(join(folder, "generation_config.json")),
  ]);
  const endTokens = [...tokensAt(hfConfig), ...tokensAt(generation ?? {}), ...(tokenizer?.endTokens ?? [])];
  return { hfConfig, tokenizer, endTokens, folder, weights };
}

/** Locates the weights of a folder: safetensors, or the trainer's file of a checkpoint. */
async function weightsIn(folder: string): Promise<Found["weights"]> {
  const isThere = (name: string) => existsSync(join(folder, name));
  const isModel = isThere("model.safetensors") || isThere("model.safetensors.index.json");
  if (!isModel && isThere(trainerFileName)) return { checkpoint: await readTrainerFile(join(folder, trainerFileName)) };
  return { sources: await readSafetensors(folder) };
}

/** Returns the sources of a model's parameters in a checkpoint. */
export function sourcesIn({ path, weights }: TrainerFile, parameters: readonly RawParameter[]): RawSource[] {
  return parameters.flatMap(({ name, rows, columns }) => {
    const stored = weights.get(name);
    return stored ? [{ name, path, ...stored, type: 0, rows, columns, interleavedHeads: 0 }] : [];
  });
}

/**
 * Returns the end tokens of a config: one id, or several for chat models, whose turns and texts end with different
 * tokens.
 */
function tokensAt({ eos_token_id: ids }: HfConfig): number[] {
  return [ids].flat().filter((id): id is number => Number.isInteger(id));
}

/** Drops tensors that are not parameters: a tied head's copy, and rotary frequencies, which follow from the config. */
export function wanted(sources: RawSource[], config: ModelConfig): RawSource[] {
  return sources.filter(({ name }) => {
    if (name === "lm_head.weight") return !config.tiedHead;
    if (name.startsWith("value_head.")) return config.valueHead;
    return !name.endsWith(".rotary_emb.inv_freq");
  });
}

/**
 * Fails with NATIVE_FORMAT when the head is narrower than the vocabulary. A wider head is allowed, since heads may be
 * padded.
 */
export function expectVocabulary(tokenizer: Tokenizer | undefined, config: ModelConfig): void {
  if (!tokenizer || tokenizer.size <= config.vocabSize) return;
  throw misformed(
    `a tokenizer of at most ${config.vocabSize} tokens, the width of the head`,
    `${tokenizer.size} tokens`,
  );
}
