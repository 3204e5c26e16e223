/** A decoder's weights: loaded, saved, and what trainers and generators are made of. */
import { join, resolve } from "node:path";
import type { Addon, ModelHandle, RawParameter } from "../addon/addon.js";
import { closed, invalid } from "../addon/errors.js";
import { completeConfig, type HfConfig, type ModelConfig, readConfig } from "../format/hf-config.js";
import { replaceModel, type Shard, shardsOf, writeIndex, writeJson, writeTokenizer } from "../format/hf-folder.js";
import { expectVocabulary, type Found, findModel, randomModel, wanted } from "../format/model-source.js";
import {
  boolean,
  checkOptions,
  filePath,
  instance,
  integer,
  oneOf,
  optional,
  type SignalOption,
  signal,
  signalOf,
} from "../format/options.js";
import { writeHeader } from "../format/safetensors.js";
import type { Tokenizer } from "../format/tokenizer.js";
import type { Engine } from "./engine.js";
import { Generator } from "./generator.js";
import type { GeneratorOptions } from "./request.js";
import { createTrainer, Trainer, type TrainerOptions } from "./trainer.js";

/** A folder in Hugging Face's layout, a GGUF file, or random weights: a config.json's content and a seed. */
export type ModelSource = string | { config: HfConfig; seed: number | bigint };

export interface ModelOptions {
  /** A scalar on the last hidden state, for a critic. It begins at zero where the files have none. Default: as the config. */
  valueHead?: boolean;
  signal?: AbortSignal;
}

export interface SaveOptions {
  /** Default `f32`: what is read back is the same bit for bit. */
  dtype?: "f32" | "bf16";
  /** A trainer with LoRA, whose adapters are merged into what is written. */
  adapters?: Trainer;
  /** Past it the weights go into several files with an index. Default 5 GB. */
  maxShardBytes?: number;
  signal?: AbortSignal;
}

export interface Parameter {
  /** Hugging Face's: `model.layers.0.self_attn.q_proj.weight`. */
  name: string;
  /** [rows, columns], or [size] for a vector. */
  shape: number[];
}

interface Parts {
  engine: Engine;
  handle: ModelHandle;
  config: ModelConfig;
  found: Found;
}

export class Model {
  readonly config: Readonly<ModelConfig>;
  /** Undefined where none came with the weights. */
  readonly tokenizer: Tokenizer | undefined;
  /**
   * The tokens that end a text or a turn: every `eos_token_id` of config.json and generation_config.json, and the
   * tokenizer's `eos_token`.
   */
  readonly endTokens: readonly number[];
  readonly #parts: Parts;
  readonly #children = new Set<{ close(): void }>();
  #isClosed = false;

  /** @internal */
  constructor(parts: Parts) {
    this.#parts = parts;
    this.config = parts.config;
    this.tokenizer = parts.found.tokenizer;
    this.endTokens = [...new Set(parts.found.endTokens)].filter((id) => id >= 0 && id < parts.config.vocabSize);
    parts.engine.adopt(this);
  }

  /** How often a trainer's step changed the weights. */
  get version(): number {
    return this.use((addon, handle) => addon.modelVersion(handle));
  }

  get parameters(): Parameter[] {
    return this.#rawParameters().map(({ name, rows, columns, isVector }) => ({
      name,
      shape: isVector ? [columns] : [rows, columns],
    }));
  }

  /** A copy of a parameter, row-major. Fails with NATIVE_INVALID_ARGUMENT on a name that is none. */
  async parameter(name: string, options: SignalOption = {}): Promise<Float32Array> {
    const end = signalOf("parameter", options);
    const found = this.#rawParameters().find((parameter) => parameter.name === name);
    if (!found) throw invalid("the name of a parameter", name);
    return this.wait(end, (addon, handle, ticket) =>
      addon.getParameter(handle, name, found.rows * found.columns, ticket),
    );
  }

  /**
   * Writes config.json, the weights as safetensors and the tokenizer's files. A model that was there before stays as it
   * was until all of this one is on the disk, and is then replaced: there has to be room for both. Fails with NATIVE_IO.
   */
  async save(folder: string, options: SaveOptions = {}): Promise<void> {
    const { dtype, maxShardBytes, ...rest } = checkOptions("the options of save", options, {
      dtype: optional(oneOf(["f32", "bf16"]), "f32"),
      adapters: optional(instance(Trainer, "a Trainer"), undefined),
      maxShardBytes: optional(integer(1, Number.MAX_SAFE_INTEGER), 5e9),
      signal: optional(signal, undefined),
    });
    const target = resolve(filePath(folder, "folder"));
    this.use(() => undefined);
    const { hfConfig, tokenizer, folder: source } = this.#parts.found;
    await replaceModel(target, async (staging) => {
      const shards = shardsOf(this.#rawParameters(), dtype, maxShardBytes);
      for (const shard of shards) await this.#write(staging, shard, dtype, rest);
      await writeIndex(staging, shards, dtype);
      await writeTokenizer(staging, tokenizer, source);
      await writeJson(join(staging, "config.json"), completeConfig(hfConfig, this.config.valueHead, dtype));
    });
  }

  async #write(
    folder: string,
    { file, parameters }: Shard,
    dtype: "f32" | "bf16",
    { adapters, signal: end }: { adapters: Trainer | undefined; signal: AbortSignal | undefined },
  ): Promise<void> {
    const header = writeHeader(parameters, dtype);
    const names = parameters.map(({ name }) => name);
    const type = dtype === "f32" ? 0 : 1;
    await this.wait(end, (addon, handle, ticket) =>
      addon.writeModel(handle, adapters?.handle ?? null, join(folder, file), header, names, type, ticket),
    );
  }

  /** Fails with NATIVE_OUT_OF_MEMORY where gradients, moments and activations do not fit. */
  trainer(options: TrainerOptions): Promise<Trainer> {
    return createTrainer(this, options);
  }

  /** Fails with NATIVE_OUT_OF_MEMORY where keys and values do not fit. */
  generator(options: GeneratorOptions = {}): Promise<Generator> {
    return Generator.create(this, options);
  }

  close(): void {
    if (this.#isClosed) return;
    for (const child of this.#children) child.close();
    this.use((addon, handle) => addon.closeModel(handle));
    this.#isClosed = true;
    this.#parts.engine.disown(this);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
  }

  /** @internal */
  get engine(): Engine {
    return this.#parts.engine;
  }

  /** @internal */
  use<T>(work: (addon: Addon, handle: ModelHandle) => T): T {
    if (this.#isClosed) throw closed("model");
    return this.engine.use((addon) => work(addon, this.#parts.handle));
  }

  /** @internal */
  async create<T>(work: (addon: Addon, handle: ModelHandle) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw closed("model");
    return this.engine.create((addon) => work(addon, this.#parts.handle));
  }

  /** @internal */
  async wait<T>(
    end: AbortSignal | undefined,
    work: (addon: Addon, handle: ModelHandle, ticket: number) => Promise<T>,
  ): Promise<T> {
    if (this.#isClosed) throw closed("model");
    return this.engine.wait(end, (addon, ticket) => work(addon, this.#parts.handle, ticket));
  }

  /** @internal */
  adopt(child: { close(): void }): void {
    this.#children.add(child);
  }

  /** @internal */
  disown(child: { close(): void }): void {
    this.#children.delete(child);
  }

  #rawParameters(): RawParameter[] {
    return this.use((addon, handle) => addon.parameters(handle));
  }
}

export async function loadModel(engine: Engine, source: ModelSource, options: ModelOptions): Promise<Model> {
  const { valueHead, signal: end } = checkOptions("the options of loadModel", options, {
    valueHead: optional(boolean, undefined),
    signal: optional(signal, undefined),
  });
  const found = typeof source === "string" ? await findModel(resolve(filePath(source, "source"))) : randomModel(source);
  const { hfConfig, tokenizer, weights } = found;
  const config = { ...readConfig(hfConfig) };
  config.valueHead = valueHead ?? config.valueHead;
  expectVocabulary(tokenizer, config);
  const handle = await engine.create((addon, own) => addon.createModel(own, config));
  const model = new Model({ engine, handle, config, found });
  try {
    await model.wait(end, (addon, own, ticket) =>
      "sources" in weights
        ? addon.readModel(own, wanted(weights.sources, config), ticket)
        : addon.initialiseModel(own, weights.seed, ticket),
    );
  } catch (error) {
    model.close();
    throw error;
  }
  return model;
}
