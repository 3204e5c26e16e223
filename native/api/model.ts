/** The weights of a decoder. A model loads and saves weights, and creates trainers and generators for them. */
import { join, resolve } from "node:path";
import type { EngineHandle, ModelHandle, RawParameter } from "../addon/addon.js";
import { invalid } from "../addon/errors.js";
import { type GgufType, ggufTypes, writeGguf } from "../format/gguf-writer.js";
import { completeConfig, type HfConfig, type ModelConfig, readConfig } from "../format/hf-config.js";
import { replaceModel, type Shard, shardsOf, writeIndex, writeJson, writeTokenizer } from "../format/hf-folder.js";
import { expectVocabulary, type Found, findModel, randomModel, sourcesIn, wanted } from "../format/model-source.js";
import {
  boolean,
  check,
  dtypes,
  filePath,
  integer,
  oneOf,
  type SignalOption,
  signal,
  signalOf,
  table,
} from "../format/options.js";
import { writeHeader } from "../format/safetensors.js";
import type { Tokenizer } from "../format/tokenizer.js";
import { Generator } from "./generator.js";
import type { Handle } from "./handle.js";
import type { GeneratorOptions } from "./request.js";
import { createTrainer, type Trainer, type TrainerOptions, targetsOf, trainerOption } from "./trainer.js";

/**
 * A folder in Hugging Face's layout, a checkpoint's folder with the files of `Model.describe`, a GGUF file, or the content of a
 * config.json with the seed of random weights.
 */
export type ModelSource = string | { config: HfConfig; seed: number | bigint };

export interface ModelOptions {
  /**
   * Whether the model has a critic's scalar head on the last hidden state. The head's weights are zero at first unless
   * the files contain a head. Default: the config's `value_head`.
   */
  valueHead?: boolean;
  signal?: AbortSignal;
}

export interface SaveOptions {
  /** Type of the saved weights. Default `f32`, which restores the weights bit for bit. */
  dtype?: "f32" | "bf16";
  /** A trainer with LoRA, whose adapters are merged into the written weights. */
  adapters?: Trainer;
  /**
   * Maximum size of a weights file in bytes. Larger weights are split into several files with an index. Default 5 GB.
   */
  maxShardBytes?: number;
  signal?: AbortSignal;
}

export interface Parameter {
  /** Name in Hugging Face's layout: `model.layers.0.self_attn.q_proj.weight`. */
  name: string;
  /** Shape of the parameter: [rows, columns], or [size] for a vector. */
  shape: number[];
}

interface Parts {
  engine: Handle<EngineHandle>;
  handle: Handle<ModelHandle>;
  config: ModelConfig;
  found: Found;
}

const ggufTable = table({ dtype: oneOf(ggufTypes).default("f16") });
const withoutAdapters = "a model without the adapters of a checkpoint (save it to merge them)";

const saveTable = table({
  dtype: oneOf(dtypes).default("f32"),
  adapters: trainerOption,
  maxShardBytes: integer(1, Number.MAX_SAFE_INTEGER).default(5e9),
  signal: signal.optional(),
});

export class Model {
  readonly config: Readonly<ModelConfig>;
  /** Tokenizer of the model. Undefined when the model's files contain no tokenizer. */
  readonly tokenizer: Tokenizer | undefined;
  /**
   * Tokens that end a text or a turn: every `eos_token_id` of config.json and generation_config.json, and the tokenizer's
   * `eos_token`.
   */
  readonly endTokens: readonly number[];
  /** Adapters of the checkpoint from which the model was read. They are merged when the model is saved or generates. */
  adapters: Trainer | undefined;
  readonly #parts: Parts;
  readonly #handle: Handle<ModelHandle>;

  /** @internal */
  constructor(parts: Parts) {
    this.#parts = parts;
    this.#handle = parts.handle;
    this.config = parts.config;
    this.tokenizer = parts.found.tokenizer;
    this.endTokens = [...new Set(parts.found.endTokens)].filter((id) => id >= 0 && id < parts.config.vocabSize);
  }

  /** Version of the weights: the number of trainer steps that have changed them. */
  get version(): number {
    return this.#handle.use((addon, handle) => addon.modelVersion(handle));
  }

  get parameters(): Parameter[] {
    return this.#rawParameters().map(({ name, rows, columns, isVector }) => ({
      name,
      shape: isVector ? [columns] : [rows, columns],
    }));
  }

  /** Returns a copy of a parameter, row-major. Fails with NATIVE_INVALID_ARGUMENT when no parameter has the name. */
  async parameter(name: string, options: SignalOption = {}): Promise<Float32Array> {
    const end = signalOf("parameter", options);
    const found = this.#rawParameters().find((parameter) => parameter.name === name);
    if (!found) throw invalid("the name of a parameter", name);
    return this.#handle.wait(end, (addon, handle, ticket) =>
      addon.getParameter(handle, name, found.rows * found.columns, ticket),
    );
  }

  /**
   * Writes config.json, the weights as safetensors and the tokenizer's files. A model that is already in the folder stays
   * valid until the new model is complete on disk, so the disk needs room for both. Fails with NATIVE_IO.
   */
  async save(folder: string, options: SaveOptions = {}): Promise<void> {
    const { dtype, maxShardBytes, ...rest } = check("the options of save", saveTable, options);
    const target = resolve(check("folder", filePath, folder));
    this.#handle.expectOpen();
    await replaceModel(target, async (staging) => {
      const shards = shardsOf(this.#rawParameters(), dtype, maxShardBytes);
      for (const shard of shards) await this.#write(staging, shard, dtype, { adapters: this.adapters, ...rest });
      await writeIndex(staging, shards, dtype);
      await this.describe(staging, dtype);
    });
  }

  /**
   * Writes a GGUF file, with matrices of the given type and vectors as f32. Fails with NATIVE_IO, with NATIVE_FORMAT when GGUF
   * cannot state the model, and with NATIVE_INVALID_ARGUMENT when the model has adapters of a checkpoint.
   */
  async saveGguf(path: string, options: { dtype?: GgufType } = {}): Promise<void> {
    const { dtype } = check("the options of saveGguf", ggufTable, options);
    const target = resolve(check("path", filePath, path));
    if (this.adapters) throw invalid(withoutAdapters, this.adapters);
    const { hfConfig, tokenizer } = this.#parts.found;
    const parameters = this.#rawParameters();
    const read = (name: string) => this.parameter(name);
    await writeGguf(target, { hfConfig, config: this.config, tokenizer, parameters, read }, dtype);
  }

  /**
   * Writes config.json and the tokenizer's files, without weights. A folder with these files and the file of `Trainer.save`,
   * named trainer.bin, can be loaded as a model. Fails with NATIVE_IO.
   *
   * @param dtype type of the weights that config.json names
   */
  async describe(folder: string, dtype: "f32" | "bf16" = "f32"): Promise<void> {
    const { hfConfig, tokenizer, folder: source } = this.#parts.found;
    const { valueHead } = this.config;
    await writeTokenizer(folder, tokenizer, source);
    await writeJson(
      join(folder, "config.json"),
      completeConfig(hfConfig, { valueHead, dtype, endTokens: this.endTokens }),
    );
  }

  async #write(
    folder: string,
    { file, parameters }: Shard,
    dtype: "f32" | "bf16",
    { adapters, signal: end }: { adapters?: Trainer | undefined; signal?: AbortSignal | undefined },
  ): Promise<void> {
    const header = writeHeader(parameters, dtype);
    const names = parameters.map(({ name }) => name);
    const type = dtype === "f32" ? 0 : 1;
    await this.#handle.wait(end, (addon, handle, ticket) =>
      addon.writeModel(handle, adapters?.handle.raw ?? null, join(folder, file), header, names, type, ticket),
    );
  }

  /**
   * Makes a trainer. Fails with NATIVE_OUT_OF_MEMORY when gradients, moments and activations do not fit, and with
   * NATIVE_INVALID_ARGUMENT when the model has adapters of a checkpoint, which the trainer would not see.
   */
  async trainer(options: TrainerOptions): Promise<Trainer> {
    if (this.adapters) throw invalid(withoutAdapters, this.adapters);
    return createTrainer(this.#handle, options);
  }

  /** Makes a generator. Fails with NATIVE_OUT_OF_MEMORY when keys and values do not fit. */
  generator(options: GeneratorOptions = {}): Promise<Generator> {
    const { config, tokenizer, endTokens } = this;
    const { engine, handle } = this.#parts;
    const adapted = this.adapters && { adapters: this.adapters };
    return Generator.create({ engine, handle, config, tokenizer, endTokens }, { ...adapted, ...options });
  }

  close(): void {
    void this.#handle.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  #rawParameters(): RawParameter[] {
    return this.#handle.use((addon, handle) => addon.parameters(handle));
  }
}

const loadTable = table({ valueHead: boolean.optional(), signal: signal.optional() });

export async function loadModel(
  engine: Handle<EngineHandle>,
  source: ModelSource,
  options: ModelOptions,
): Promise<Model> {
  const { valueHead, signal: end } = check("the options of loadModel", loadTable, options);
  const found =
    typeof source === "string" ? await findModel(resolve(check("source", filePath, source))) : randomModel(source);
  const { hfConfig, tokenizer } = found;
  const config = readConfig(hfConfig);
  config.valueHead = valueHead ?? config.valueHead;
  expectVocabulary(tokenizer, config);
  const handle = await engine.create(
    "model",
    (addon, own) => addon.createModel(own, config),
    (addon, own) => addon.closeModel(own),
  );
  const model = new Model({ engine, handle, config, found });
  try {
    await readWeights(handle, model, found, end);
  } catch (error) {
    model.close();
    throw error;
  }
  return model;
}

async function readWeights(
  handle: Handle<ModelHandle>,
  model: Model,
  { weights }: Found,
  end: AbortSignal | undefined,
): Promise<void> {
  if ("seed" in weights)
    return handle.wait(end, (addon, own, ticket) => addon.initialiseModel(own, weights.seed, ticket));
  await handle.wait(end, (addon, own, ticket) => {
    const all = "sources" in weights ? weights.sources : sourcesIn(weights.checkpoint, addon.parameters(own));
    return addon.readModel(own, wanted(all, model.config), ticket);
  });
  const { path, lora } = "checkpoint" in weights ? weights.checkpoint : {};
  if (path === undefined || !lora) return;
  const { rank, alpha, targets } = lora;
  const adapters = await createTrainer(handle, { maxTokens: 1, lora: { rank, alpha, targets: targetsOf(targets) } });
  await adapters.load(path, end && { signal: end });
  model.adapters = adapters;
}
