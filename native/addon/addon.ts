/** Loads `palestra.node`, and has the types of what it exports. Only the classes of this folder call it. */
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fromAddon, NativeError } from "./errors.js";

declare const kind: unique symbol;
type Handle<Kind extends string> = { readonly [kind]: Kind };
export type EngineHandle = Handle<"engine">;
export type ModelHandle = Handle<"model">;
export type TrainerHandle = Handle<"trainer">;
export type GeneratorHandle = Handle<"generator">;

export interface RawParameter {
  name: string;
  rows: number;
  columns: number;
  isVector: boolean;
}

/** As `palestra_tensor_source` of engine.h. */
export interface RawSource {
  name: string;
  path: string;
  offset: number;
  bytes: number;
  type: number;
  rows: number;
  columns: number;
  interleavedHeads: number;
}

export interface RawPack {
  tokens: Int32Array;
  starts: Int32Array;
  mask: Uint8Array;
}

export interface RawRequest {
  tokens: Int32Array;
  maxNewTokens: number;
  temperature: number;
  topK: number;
  topP: number;
  minP: number;
  seed: bigint;
  stream: bigint;
  stopTokens: Int32Array;
  stopStrings: string[];
  allowed: Uint32Array | null;
}

export type RawEvents = (
  sequences: Float64Array,
  tokens: Int32Array,
  finishes: Int32Array,
  logprobs: Float32Array,
  modelLogprobs: Float32Array,
  versions: Float64Array,
) => void;

/** What a call that waits is found by, to cancel it. */
type Ticket = number;
type Numbers = Record<string, number>;

export interface Addon {
  createEngine(options: Record<string, unknown>): EngineHandle;
  describeEngine(engine: EngineHandle): Record<string, number | string>;
  setShares(engine: EngineHandle, train: number, generate: number): void;
  closeEngine(engine: EngineHandle): Promise<void>;
  cancel(engine: EngineHandle, ticket: Ticket): void;
  keepAlive(engine: EngineHandle, change: 1 | -1): void;

  createModel(engine: EngineHandle, config: object): Promise<ModelHandle>;
  initialiseModel(model: ModelHandle, seed: bigint, ticket: Ticket): Promise<void>;
  readModel(model: ModelHandle, sources: RawSource[], ticket: Ticket): Promise<void>;
  parameters(model: ModelHandle): RawParameter[];
  getParameter(model: ModelHandle, name: string, size: number, ticket: Ticket): Promise<Float32Array>;
  writeModel(
    model: ModelHandle,
    adapters: TrainerHandle | null,
    path: string,
    header: Uint8Array,
    names: string[],
    dtype: number,
    ticket: Ticket,
  ): Promise<void>;
  modelVersion(model: ModelHandle): number;
  closeModel(model: ModelHandle): void;

  createTrainer(model: ModelHandle, options: Record<string, number | bigint>): Promise<TrainerHandle>;
  score(
    trainer: TrainerHandle,
    pack: RawPack,
    temperature: number,
    entropy: boolean,
    value: boolean,
    ticket: Ticket,
  ): Promise<{ logprob: Float32Array; entropy: Float32Array | null; value: Float32Array | null }>;
  accumulate(
    trainer: TrainerHandle,
    pack: RawPack,
    loss: Numbers,
    inputs: Record<string, Float32Array | null>,
    ticket: Ticket,
  ): Promise<Numbers>;
  accumulateGradients(
    trainer: TrainerHandle,
    pack: RawPack,
    temperature: number,
    logprob: Float32Array | null,
    entropy: Float32Array | null,
    value: Float32Array | null,
    ticket: Ticket,
  ): Promise<void>;
  step(trainer: TrainerHandle, rule: Numbers, ticket: Ticket): Promise<number>;
  zeroGradients(trainer: TrainerHandle, ticket: Ticket): Promise<void>;
  saveTrainer(trainer: TrainerHandle, path: string, ticket: Ticket): Promise<void>;
  loadTrainer(trainer: TrainerHandle, path: string, ticket: Ticket): Promise<void>;
  closeTrainer(trainer: TrainerHandle): void;

  createGenerator(
    model: ModelHandle,
    adapters: TrainerHandle | null,
    options: Numbers,
    events: RawEvents,
  ): Promise<GeneratorHandle>;
  setVocabulary(generator: GeneratorHandle, bytes: Uint8Array, offsets: BigUint64Array): void;
  submit(generator: GeneratorHandle, request: RawRequest, count: number): Float64Array;
  extend(generator: GeneratorHandle, sequence: number, request: RawRequest): void;
  abort(generator: GeneratorHandle, sequence: number): void;
  release(generator: GeneratorHandle, sequence: number): void;
  pause(generator: GeneratorHandle, ticket: Ticket): Promise<void>;
  resume(generator: GeneratorHandle): void;
  update(generator: GeneratorHandle, onUpdate: number, ticket: Ticket): Promise<void>;
  describeGenerator(generator: GeneratorHandle): Numbers;
  /** Of the last step that failed. */
  generatorFailure(generator: GeneratorHandle): Error;
  closeGenerator(generator: GeneratorHandle): void;
}

/** In the package's own folder, wherever in it this file runs. */
const file = join(packageRoot(dirname(fileURLToPath(import.meta.url))), "native/build/palestra.node");

function packageRoot(folder: string): string {
  const isRoot = existsSync(join(folder, "package.json")) || dirname(folder) === folder;
  return isRoot ? folder : packageRoot(dirname(folder));
}

let loaded: Addon | undefined;

/** Fails with NATIVE_MISSING, and what to do. */
export function loadAddon(): Addon {
  if (loaded) return loaded;
  if (!existsSync(file)) {
    throw new NativeError(
      "NATIVE_MISSING",
      `expected the engine at ${file}, but it is not built: run \`npm run build:native\`, which says what it lacks`,
    );
  }
  try {
    loaded = createRequire(import.meta.url)(file) as Addon;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const advice = "build it again with `npm run build:native`";
    throw new NativeError("NATIVE_MISSING", `expected ${file} to load, but received: ${reason}: ${advice}`, {
      cause: error,
    });
  }
  return loaded;
}

/** Runs a call of the addon that answers at once. */
export function call<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fromAddon(error);
  }
}
