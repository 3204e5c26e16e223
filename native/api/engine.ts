/** The engine: one native thread, its pool and its memory, on one device. */
import { type Addon, call, type EngineHandle, loadAddon } from "../addon/addon.js";
import { closed, fromAddon, NativeError } from "../addon/errors.js";
import { boolean, checkOptions, dtypes, integer, numberAbove, numberOf, oneOf, optional } from "../format/options.js";
import { loadModel, type Model, type ModelOptions, type ModelSource } from "./model.js";
import { onAbort } from "./on-abort.js";

export interface EngineOptions {
  /** `auto`, the default: the first GPU that can be used, else `cpu`; `engine.info().noCuda` tells why not. */
  device?: "auto" | "cpu" | `cuda:${number}`;
  /**
   * On a CPU what factors of matrix products are rounded to, by default `f32`. On CUDA the type of weights and
   * activations, by default `bf16`; master weights and sums are `f32` always.
   */
  dtype?: "f32" | "bf16";
  /** Of a CPU. 0, the default: all that the machine has. */
  threads?: number;
  /** The most that weights, activations, optimiser and keys and values take, in bytes. Default: 0.9 of what is free. */
  memoryBytes?: number;
  /** How training and generation share the engine's time where both have work. Default: 1 to 1. */
  shares?: Shares;
  /**
   * Shares are counted in jobs, not in time, so that the same calls give the same order of jobs. On CUDA no cuBLAS is
   * used either, whose results depend on how many rows are side by side.
   */
  deterministic?: boolean;
  /** At most this instruction set, for comparisons. */
  instructionSet?: InstructionSet;
}

export interface Shares {
  train: number;
  generate: number;
}

const instructionSets = ["scalar", "avx2", "avx512", "avx512bf16"] as const;
export type InstructionSet = (typeof instructionSets)[number];

export interface EngineInfo {
  /** `cpu`, or `cuda:0` and the device's name. */
  device: string;
  instructionSet: InstructionSet;
  /** Which kernels multiply matrices. */
  gemm: string;
  /** Why CUDA is not in use; empty where it is. */
  noCuda: string;
  /** Why a decoding step could not become a CUDA graph and is launched kernel by kernel; empty where all could. */
  noGraphs: string;
  /** What the option says of the device, or the device's own. */
  dtype: (typeof dtypes)[number];
  threads: number;
  /** Bytes. */
  memoryBudget: number;
  memoryUsed: number;
  memoryHighest: number;
  /** How long the engine's thread has trained and generated since it was made. What is left of that time it was idle. */
  trainSeconds: number;
  generateSeconds: number;
}

const share = numberAbove(0);

export class Engine {
  readonly #addon: Addon;
  readonly #handle: EngineHandle;
  readonly #children = new Set<{ close(): void }>();
  #lastTicket = 0;
  #closing: Promise<void> | undefined;

  private constructor(addon: Addon, handle: EngineHandle) {
    this.#addon = addon;
    this.#handle = handle;
  }

  /**
   * Fails with NATIVE_MISSING where the addon is not built, with NATIVE_DEVICE where a CUDA device that is asked for
   * cannot be used, and with NATIVE_INVALID_ARGUMENT.
   */
  static async create(options: EngineOptions = {}): Promise<Engine> {
    const checked = checkOptions("the options of Engine.create", options, {
      device: optional((value, name) => oneOf(["auto", "cpu", deviceOf(value)])(value, name), "auto"),
      dtype: optional(oneOf(dtypes), null),
      threads: optional(integer(0, 1024), 0),
      memoryBytes: optional(integer(1, Number.MAX_SAFE_INTEGER), 0),
      shares: optional(checkShares, { train: 1, generate: 1 }),
      deterministic: optional(boolean, false),
      instructionSet: optional(oneOf(instructionSets), null),
    });
    const addon = loadAddon();
    const { shares, dtype, ...rest } = checked;
    const raw = { ...rest, dtype: numberOf(dtype), trainShare: shares.train, generateShare: shares.generate };
    return new Engine(
      addon,
      call(() => addon.createEngine(raw)),
    );
  }

  info(): EngineInfo {
    return this.use((addon, handle) => addon.describeEngine(handle)) as unknown as EngineInfo;
  }

  setShares(shares: Shares): void {
    const { train, generate } = checkShares(shares, "shares");
    this.use((addon, handle) => addon.setShares(handle, train, generate));
  }

  /**
   * @param source a folder in Hugging Face's layout (config.json, *.safetensors, tokenizer.json), a GGUF file, or a
   *   config.json's content with the seed of random weights
   */
  loadModel(source: ModelSource, options: ModelOptions = {}): Promise<Model> {
    return loadModel(this, source, options);
  }

  /** Ends what is under way with NATIVE_CLOSED, closes models, trainers and generators, and gives memory and thread back. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    for (const child of this.#children) child.close();
    await this.#addon.closeEngine(this.#handle);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  /** @internal Calls the addon, which answers at once. */
  use<T>(work: (addon: Addon, handle: EngineHandle) => T): T {
    if (this.#closing) throw closed("engine");
    return call(() => work(this.#addon, this.#handle));
  }

  /** @internal Makes a handle, which waits for the engine's thread. */
  async create<T>(work: (addon: Addon, handle: EngineHandle) => Promise<T>): Promise<T> {
    try {
      return await this.use(work);
    } catch (error) {
      throw fromAddon(error);
    }
  }

  /** @internal Calls the addon, which answers by a promise; the signal ends it. */
  async wait<T>(signal: AbortSignal | undefined, work: (addon: Addon, ticket: number) => Promise<T>): Promise<T> {
    if (this.#closing) throw closed("engine");
    if (signal?.aborted) throw cancelled(signal);
    this.#lastTicket += 1;
    const ticket = this.#lastTicket;
    const stopListening = onAbort(signal, () => this.#addon.cancel(this.#handle, ticket));
    try {
      return await work(this.#addon, ticket);
    } catch (error) {
      const ours = fromAddon(error);
      const isCancelled = ours instanceof NativeError && ours.code === "NATIVE_CANCELLED" && signal;
      throw isCancelled ? cancelled(signal) : ours;
    } finally {
      stopListening();
    }
  }

  /** @internal Sequences under way keep the process alive. After `close` there are none. */
  keepAlive(change: 1 | -1): void {
    this.#addon.keepAlive(this.#handle, change);
  }

  /** @internal */
  adopt(child: { close(): void }): void {
    this.#children.add(child);
  }

  /** @internal */
  disown(child: { close(): void }): void {
    this.#children.delete(child);
  }
}

function cancelled(signal: AbortSignal): NativeError {
  return new NativeError("NATIVE_CANCELLED", "expected to finish, but the signal ended the call", {
    cause: signal.reason,
  });
}

function deviceOf(value: unknown): string {
  return typeof value === "string" && /^cuda:\d+$/.test(value) ? value : "cuda:0";
}

function checkShares(value: unknown, name: string): Shares {
  return checkOptions(name, value, { train: share, generate: share });
}
