/** The engine: one native thread with its thread pool and memory budget, on one device. */
import { z } from "zod";
import { call, type EngineHandle, loadAddon } from "../addon/addon.js";
import { boolean, check, dtypes, integer, numberAbove, numberOf, oneOf, table } from "../format/options.js";
import { Handle } from "./handle.js";
import { loadModel, type Model, type ModelOptions, type ModelSource } from "./model.js";

export interface EngineOptions {
  /**
   * Device of the engine. `auto`, the default, is the first usable GPU, or `cpu` if no GPU is usable;
   * `engine.info().noCuda` has the reason why no GPU is used.
   */
  device?: "auto" | "cpu" | `cuda:${number}`;
  /**
   * Data type. On a CPU, the type to which the operands of matrix products are rounded, by default `f32`. On CUDA, the
   * type of weights and activations, by default `bf16`. Master weights and sums are always `f32`.
   */
  dtype?: "f32" | "bf16";
  /** Number of CPU threads. 0, the default, uses all cores. */
  threads?: number;
  /** Limit in bytes for weights, activations, optimizer state, keys and values. Default: 0.9 of the free memory. */
  memoryBytes?: number;
  /** Shares of the engine's time for training and generation when both have work. Default: 1 to 1. */
  shares?: Shares;
  /**
   * Measures `shares` in jobs instead of time, so that the same calls always run in the same order. On CUDA,
   * `deterministic` also turns cuBLAS off, because cuBLAS results depend on the number of rows in a batch.
   */
  deterministic?: boolean;
  /** Newest CPU instruction set to use, to compare instruction sets. */
  instructionSet?: InstructionSet;
}

export interface Shares {
  train: number;
  generate: number;
}

const instructionSets = ["scalar", "avx2", "avx512", "avx512bf16", "amxbf16"] as const;
export type InstructionSet = (typeof instructionSets)[number];

export interface EngineInfo {
  /** Name of the device: `cpu`, or `cuda:0` and the GPU's name. */
  device: string;
  instructionSet: InstructionSet;
  /** Name of the kernels that multiply matrices. */
  gemm: string;
  /** Reason why CUDA is not in use. Empty when CUDA is in use. */
  noCuda: string;
  /**
   * Reason why the first decode step without a CUDA graph launched its kernels one by one. Empty when every decode step
   * used a CUDA graph.
   */
  noGraphs: string;
  /** Data type in use: `dtype` of the options, or the device's default. */
  dtype: (typeof dtypes)[number];
  threads: number;
  /** Memory budget in bytes. */
  memoryBudget: number;
  memoryUsed: number;
  memoryHighest: number;
  /**
   * Seconds since the engine was created in which its thread trained. `generateSeconds` counts generation; the thread
   * was idle in the remaining time.
   */
  trainSeconds: number;
  generateSeconds: number;
}

const shareTable = table({ train: numberAbove(0), generate: numberAbove(0) });

const deviceNames = "one of auto, cpu, cuda:0";

const engineTable = table({
  device: z
    .string(deviceNames)
    .regex(/^(auto|cpu|cuda:\d{1,4})$/, deviceNames)
    .default("auto"),
  dtype: oneOf(dtypes).optional(),
  threads: integer(0, 1024).default(0),
  memoryBytes: integer(1, Number.MAX_SAFE_INTEGER).default(0),
  shares: shareTable.default({ train: 1, generate: 1 }),
  deterministic: boolean.default(false),
  instructionSet: oneOf(instructionSets).optional(),
});

export class Engine {
  readonly #handle: Handle<EngineHandle>;
  #closing: Promise<void> | undefined;

  private constructor(handle: Handle<EngineHandle>) {
    this.#handle = handle;
  }

  /**
   * Creates an engine. Fails with NATIVE_MISSING when the addon is not built, with NATIVE_DEVICE when the requested
   * CUDA device cannot be used, and with NATIVE_INVALID_ARGUMENT when an option is invalid.
   */
  static async create(options: EngineOptions = {}): Promise<Engine> {
    const checked = check("the options of Engine.create", engineTable, options);
    const addon = loadAddon();
    const { shares, dtype, instructionSet = null, ...rest } = checked;
    const raw = {
      ...rest,
      instructionSet,
      dtype: numberOf(dtype),
      trainShare: shares.train,
      generateShare: shares.generate,
    };
    const engine = call(() => addon.createEngine(raw));
    return new Engine(Handle.ofEngine(addon, engine));
  }

  info(): EngineInfo {
    return this.#handle.use((addon, raw) => addon.describeEngine(raw)) as unknown as EngineInfo;
  }

  setShares(shares: Shares): void {
    const { train, generate } = check("shares", shareTable, shares);
    this.#handle.use((addon, raw) => addon.setShares(raw, train, generate));
  }

  /**
   * @param source a folder in Hugging Face's layout (config.json, *.safetensors, tokenizer.json), a GGUF file, or the
   *   content of a config.json with the seed of random weights
   */
  loadModel(source: ModelSource, options: ModelOptions = {}): Promise<Model> {
    return loadModel(this.#handle, source, options);
  }

  /**
   * Closes the engine with its models, trainers and generators, and frees its memory and thread. Running calls fail
   * with NATIVE_CLOSED.
   */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await this.#handle.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}
