/** Loads `palestra.node` and declares the types of its exports. */
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { fromAddon, NativeError } from "./errors.js";
import type {
  RawAdamW,
  RawGeneratorOptions,
  RawGeneratorStatistics,
  RawLoss,
  RawLossInputs,
  RawLossStatistics,
  RawModelConfig,
  RawTrainerOptions,
} from "./structs.js";

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

/** Source of a tensor: `palestra_tensor_source` of engine.h. */
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
  parents: Int32Array | null;
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
  /** Table of a grammar; empty for none. */
  grammar: Int32Array;
  presencePenalty: number;
  frequencyPenalty: number;
  repetitionPenalty: number;
  biasTokens: Int32Array;
  biases: Float32Array;
  topTokens: number;
}

/** Top tokens of events: the number of each event, and the tokens of all events. */
export interface RawTops {
  counts: Int32Array;
  tokens: Int32Array;
  logprobs: Float32Array;
}

export type RawEvents = (
  sequences: Float64Array,
  tokens: Int32Array,
  finishes: Int32Array,
  logprobs: Float32Array,
  modelLogprobs: Float32Array,
  versions: Float64Array,
  tops: RawTops | undefined,
) => void;

/** Number of a pending call, the argument of `cancel`. */
type Ticket = number;

export interface Addon {
  createEngine(options: Record<string, unknown>): EngineHandle;
  describeEngine(engine: EngineHandle): Record<string, number | string>;
  setShares(engine: EngineHandle, train: number, generate: number): void;
  closeEngine(engine: EngineHandle): Promise<void>;
  cancel(engine: EngineHandle, ticket: Ticket): void;
  keepAlive(engine: EngineHandle, change: 1 | -1): void;

  createModel(engine: EngineHandle, config: RawModelConfig): Promise<ModelHandle>;
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

  createTrainer(model: ModelHandle, options: RawTrainerOptions): Promise<TrainerHandle>;
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
    loss: RawLoss,
    inputs: RawLossInputs,
    ticket: Ticket,
  ): Promise<RawLossStatistics>;
  accumulateGradients(
    trainer: TrainerHandle,
    pack: RawPack,
    temperature: number,
    logprob: Float32Array | null,
    entropy: Float32Array | null,
    value: Float32Array | null,
    ticket: Ticket,
  ): Promise<void>;
  step(trainer: TrainerHandle, rule: RawAdamW, ticket: Ticket): Promise<number>;
  zeroGradients(trainer: TrainerHandle, ticket: Ticket): Promise<void>;
  saveTrainer(trainer: TrainerHandle, path: string, ticket: Ticket): Promise<void>;
  loadTrainer(trainer: TrainerHandle, path: string, ticket: Ticket): Promise<void>;
  closeTrainer(trainer: TrainerHandle): void;

  createGenerator(
    model: ModelHandle,
    adapters: TrainerHandle | null,
    options: RawGeneratorOptions,
    events: RawEvents,
  ): Promise<GeneratorHandle>;
  setVocabulary(generator: GeneratorHandle, bytes: Uint8Array, offsets: BigUint64Array, special: Uint8Array): void;
  submit(generator: GeneratorHandle, request: RawRequest, count: number): Float64Array;
  extend(generator: GeneratorHandle, sequence: number, request: RawRequest): void;
  abort(generator: GeneratorHandle, sequence: number): void;
  release(generator: GeneratorHandle, sequence: number): void;
  pause(generator: GeneratorHandle, ticket: Ticket): Promise<void>;
  resume(generator: GeneratorHandle): void;
  update(generator: GeneratorHandle, onUpdate: number, ticket: Ticket): Promise<void>;
  describeGenerator(generator: GeneratorHandle): RawGeneratorStatistics;
  /** Returns the error of the last step that failed. */
  generatorFailure(generator: GeneratorHandle): Error;
  closeGenerator(generator: GeneratorHandle): void;
}

const root = packageRoot(dirname(fileURLToPath(import.meta.url)));
const require = createRequire(import.meta.url);

/** Addon that `npm run build:native` builds in a clone. */
const builtFile = join(root, "native/build/palestra.node");
/** Package with the addon, which is installed beside the package palestra. */
const enginePackage = `@palestra/engine-${process.platform}-${process.arch}`;

function packageRoot(folder: string): string {
  const isRoot = existsSync(join(folder, "package.json")) || dirname(folder) === folder;
  return isRoot ? folder : packageRoot(dirname(folder));
}

let loaded: Addon | undefined;

/** Loads the addon. Fails with NATIVE_MISSING, whose message tells how to get the addon. */
export function loadAddon(): Addon {
  if (loaded) return loaded;
  const file = packagedFile() ?? builtFile;
  if (!existsSync(file)) throw new NativeError("NATIVE_MISSING", `The engine is not installed. ${remedy()}`);
  useKernelsOfPackage();
  try {
    loaded = require(file) as Addon;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const message = `expected ${file} to load, but received: ${reason}. ${remedy()}`;
    throw new NativeError("NATIVE_MISSING", message, { cause: error });
  }
  return loaded;
}

/** Returns the addon of the engine's package; undefined if the package is not installed. */
function packagedFile(): string | undefined {
  const about = resolved(`${enginePackage}/package.json`);
  if (about === undefined) return undefined;
  const [own, other] = [join(root, "package.json"), about].map((path) => versionIn(path));
  if (own === other) return join(dirname(about), "palestra.node");
  throw new NativeError("NATIVE_MISSING", `expected ${enginePackage} ${own}, but received ${other}. ${remedy()}`);
}

/** Tells the engine where the package with the CUDA kernels is. Without the package, it looks beside the addon. */
function useKernelsOfPackage(): void {
  const about = resolved(`${enginePackage}-cuda/package.json`);
  if (about !== undefined) process.env.ENGINE_KERNELS ??= join(dirname(about), "kernels");
}

function resolved(name: string): string | undefined {
  try {
    return require.resolve(name);
  } catch {
    return undefined;
  }
}

function versionIn(path: string): string {
  return (JSON.parse(readFileSync(path, "utf8")) as { version: string }).version;
}

function remedy(): string {
  if (existsSync(join(root, ".config/build-native.mjs")))
    return `Build it with \`npm run build:native\`, which names missing tools.`;
  const tarball = `palestra-engine-${process.platform}-${process.arch}-${versionIn(join(root, "package.json"))}.tgz`;
  return `Install it with \`npm install ./${tarball}\`. In a clone of Palestra on this kind of machine, \`npm run pack\` makes that file.`;
}

/** Calls a synchronous function of the addon and converts its error to a NativeError. */
export function call<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw fromAddon(error);
  }
}
