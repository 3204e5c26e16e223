/** A decoder's weights: loaded, saved, and what trainers and generators are made of. */
import { randomBytes } from "node:crypto";
import { copyFile, mkdir, open, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Addon, ModelHandle, RawParameter, RawSource } from "./addon.js";
import type { Engine } from "./engine.js";
import { closed, invalid, misformed, NativeError, unreadable } from "./errors.js";
import { Generator, type GeneratorOptions } from "./generator.js";
import { readGguf } from "./gguf.js";
import { tokenizerOfGguf } from "./gguf-tokenizer.js";
import { completeConfig, type HfConfig, type ModelConfig, readConfig } from "./hf-config.js";
import { boolean, checkOptions, instance, integer, oneOf, optional, seed, signal, string } from "./options.js";
import { bytesOf, isRecord, readJson, readSafetensors, writeHeader } from "./safetensors.js";
import { Tokenizer } from "./tokenizer.js";
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

/** What belongs to a model beside weights and config, and is copied when it is saved. */
const companions = [
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "added_tokens.json",
  "vocab.json",
  "merges.txt",
  "chat_template.jinja",
  "generation_config.json",
];

interface Parts {
  engine: Engine;
  handle: ModelHandle;
  config: ModelConfig;
  hfConfig: HfConfig;
  tokenizer: Tokenizer | undefined;
  /** That it was read from, if any. */
  folder: string | undefined;
}

export class Model {
  readonly config: Readonly<ModelConfig>;
  /** Undefined where none came with the weights. */
  readonly tokenizer: Tokenizer | undefined;
  readonly #parts: Parts;
  readonly #children = new Set<{ close(): void }>();
  #isClosed = false;

  /** @internal */
  constructor(parts: Parts) {
    this.#parts = parts;
    this.config = parts.config;
    this.tokenizer = parts.tokenizer;
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
  async parameter(name: string, options: { signal?: AbortSignal } = {}): Promise<Float32Array> {
    const found = this.#rawParameters().find((parameter) => parameter.name === name);
    if (!found) throw invalid("the name of a parameter", name);
    return this.wait(options.signal, (addon, handle, ticket) =>
      addon.getParameter(handle, name, found.rows * found.columns, ticket),
    );
  }

  /**
   * Writes config.json, the weights as safetensors and the tokenizer's files. Each file is there as a whole or not at
   * all; the config comes last. Fails with NATIVE_IO.
   */
  async save(folder: string, options: SaveOptions = {}): Promise<void> {
    const { dtype, maxShardBytes, ...rest } = checkOptions("the options of save", options, {
      dtype: optional(oneOf(["f32", "bf16"]), "f32"),
      adapters: optional(instance(Trainer, "a Trainer"), undefined),
      maxShardBytes: optional(integer(1, Number.MAX_SAFE_INTEGER), 5e9),
      signal: optional(signal, undefined),
    });
    const target = resolve(string(folder, "folder"));
    this.use(() => undefined);
    await writing(target, () => mkdir(target, { recursive: true }));
    const shards = shardsOf(this.#rawParameters(), dtype, maxShardBytes);
    for (const { file, parameters } of shards) {
      const header = writeHeader(parameters, dtype);
      const names = parameters.map(({ name }) => name);
      await this.wait(rest.signal, (addon, handle, ticket) =>
        addon.writeModel(
          handle,
          rest.adapters?.handle ?? null,
          join(target, file),
          header,
          names,
          dtype === "f32" ? 0 : 1,
          ticket,
        ),
      );
    }
    await this.#saveIndex(target, shards, dtype);
    await this.#saveTokenizer(target);
    await writeJson(join(target, "config.json"), completeConfig(this.#parts.hfConfig, this.config.valueHead, dtype));
  }

  async #saveIndex(folder: string, shards: Shard[], dtype: "f32" | "bf16"): Promise<void> {
    const index = join(folder, "model.safetensors.index.json");
    if (shards.length === 1) return rm(index, { force: true });
    const parameters = shards.flatMap((shard) => shard.parameters);
    const total = parameters.reduce((sum, parameter) => sum + bytesOf(parameter, dtype), 0);
    const map = shards.flatMap(({ file, parameters }) => parameters.map(({ name }) => [name, file]));
    await writeJson(index, { metadata: { total_size: total }, weight_map: Object.fromEntries(map) });
  }

  async #saveTokenizer(folder: string): Promise<void> {
    const { tokenizer, folder: source } = this.#parts;
    if (source === folder) return;
    if (source !== undefined) {
      for (const name of companions) await copyIfThere(join(source, name), join(folder, name));
    } else if (tokenizer) {
      await writeJson(join(folder, "tokenizer.json"), tokenizer.definition);
      await writeJson(join(folder, "tokenizer_config.json"), tokenizer.config);
    }
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
  const found = typeof source === "string" ? await findModel(resolve(source)) : randomModel(source);
  const config = { ...readConfig(found.hfConfig) };
  config.valueHead = valueHead ?? config.valueHead;
  expectVocabulary(found.tokenizer, config);
  const handle = await engine.create((addon, own) => addon.createModel(own, config));
  const { hfConfig, tokenizer, folder } = found;
  const model = new Model({ engine, handle, config, hfConfig, tokenizer, folder });
  try {
    await model.wait(end, (addon, own, ticket) =>
      "sources" in found
        ? addon.readModel(own, wanted(found.sources, config), ticket)
        : addon.initialiseModel(own, found.seed, ticket),
    );
  } catch (error) {
    model.close();
    throw error;
  }
  return model;
}

type Found = Pick<Parts, "hfConfig" | "tokenizer" | "folder"> & ({ sources: RawSource[] } | { seed: bigint });

function randomModel(source: unknown): Found {
  const { config, seed: drawn } = checkOptions("the source of a model", source, {
    config: (value) => {
      if (isRecord(value)) return value;
      throw invalid("config as the content of a config.json", value);
    },
    seed,
  });
  return { hfConfig: config, tokenizer: undefined, folder: undefined, seed: drawn };
}

async function findModel(path: string): Promise<Found> {
  const status = await stat(path).catch((error) => {
    throw unreadable(path, error);
  });
  if (!status.isDirectory()) {
    const { config, sources, metadata } = await readGguf(path);
    return { hfConfig: config, sources, tokenizer: tokenizerOfGguf(metadata), folder: undefined };
  }
  const hfConfig = await readJson(join(path, "config.json"));
  if (!isRecord(hfConfig)) throw misformed(`a JSON object in ${join(path, "config.json")}`, hfConfig);
  readConfig(hfConfig);
  const [sources, tokenizer] = await Promise.all([readSafetensors(path), Tokenizer.read(path)]);
  return { hfConfig, sources, tokenizer, folder: path };
}

/** What checkpoints carry beside the parameters: a tied head again, and rotary frequencies, which follow from the config. */
function wanted(sources: RawSource[], config: ModelConfig): RawSource[] {
  return sources.filter(({ name }) => {
    if (name === "lm_head.weight") return !config.tiedHead;
    if (name.startsWith("value_head.")) return config.valueHead;
    return !name.endsWith(".rotary_emb.inv_freq");
  });
}

/** A head may be wider than its vocabulary, for padding; never narrower. */
function expectVocabulary(tokenizer: Tokenizer | undefined, config: ModelConfig): void {
  if (!tokenizer || tokenizer.size <= config.vocabSize) return;
  throw misformed(`a tokenizer of at most ${config.vocabSize} tokens, as the head has`, `${tokenizer.size} tokens`);
}

interface Shard {
  file: string;
  parameters: RawParameter[];
}

function shardsOf(parameters: RawParameter[], dtype: "f32" | "bf16", maxBytes: number): Shard[] {
  const groups: RawParameter[][] = [[]];
  let bytes = 0;
  for (const parameter of parameters) {
    const more = bytesOf(parameter, dtype);
    if (bytes > 0 && bytes + more > maxBytes) {
      groups.push([]);
      bytes = 0;
    }
    bytes += more;
    groups.at(-1)?.push(parameter);
  }
  if (groups.length === 1) return [{ file: "model.safetensors", parameters }];
  const number = (value: number) => String(value).padStart(5, "0");
  return groups.map((group, index) => ({
    file: `model-${number(index + 1)}-of-${number(groups.length)}.safetensors`,
    parameters: group,
  }));
}

/** As the engine writes weights: beside it, flushed, then in its place. */
async function writeJson(path: string, value: unknown): Promise<void> {
  await writing(path, async () => {
    const temporary = `${path}.${randomBytes(6).toString("hex")}`;
    try {
      const file = await open(temporary, "wx");
      await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
      await file.sync();
      await file.close();
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    const folder = await open(dirname(path), "r");
    await folder.sync().finally(() => folder.close());
  });
}

async function copyIfThere(from: string, to: string): Promise<void> {
  await writing(to, () =>
    copyFile(from, to).catch((error) => {
      if (error.code !== "ENOENT") throw error;
    }),
  );
}

async function writing(path: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NativeError("NATIVE_IO", `expected to write ${path}, but received: ${reason}`, { cause: error });
  }
}
