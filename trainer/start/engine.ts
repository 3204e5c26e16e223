/** Creates and describes the engine of a run. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Engine, type EngineInfo } from "../../native/api/index.js";
import { buildEngine } from "../engine-build.js";
import type { TrainSettings } from "../settings/settings.js";
import { hiddenSizeOf, measureType, typeOfRun } from "./engine-type.js";

export type EngineSettings = Pick<
  TrainSettings,
  | "device"
  | "dtype"
  | "deterministic"
  | "threads"
  | "train_share"
  | "generate_share"
  | "output"
  | "model"
  | "hidden_size"
>;

export interface StartedEngine {
  readonly engine: Engine;
  /** Reason for the data type, if it was chosen by a measurement or by an earlier start of the run. */
  readonly why: string | undefined;
}

/** Creates the engine, building it first if necessary. The caller closes it. */
export async function createEngine(settings: EngineSettings): Promise<StartedEngine> {
  await buildEngine();
  const { dtype, deterministic, train_share: train, generate_share: generate } = settings;
  const device = settings.device as "auto";
  const options = { device, deterministic, threads: threadsOf(settings), shares: { train, generate } };
  if (dtype !== undefined && dtype !== "auto")
    return { engine: await Engine.create({ ...options, dtype }), why: undefined };
  // The engine's own default is bf16 on a GPU and f32 on a CPU.
  const engine = await Engine.create(options);
  if (dtype === undefined || engine.info().dtype === "bf16" || !multipliesBf16(engine.info()))
    return { engine, why: undefined };
  return fasterOf(engine, await Engine.create({ ...options, dtype: "bf16" }), settings);
}

/** Returns the engine of the faster type, or of the run's earlier type, and closes the other one. */
async function fasterOf(f32: Engine, bf16: Engine, settings: EngineSettings): Promise<StartedEngine> {
  const { dtype, why } = await chosenType(f32, bf16, settings);
  const [engine, other] = dtype === "f32" ? [f32, bf16] : [bf16, f32];
  await other.close();
  return { engine, why };
}

async function chosenType(f32: Engine, bf16: Engine, settings: EngineSettings) {
  const before = typeOfRun(settings.output, f32.info());
  if (before) return { dtype: before, why: "as the run before" };
  // A measurement may decide otherwise in the next run, whose weights would then differ.
  if (settings.deterministic) return { dtype: "f32", why: "as `deterministic` asks" } as const;
  return measureType({ f32, bf16 }, hiddenSizeOf(settings));
}

/**
 * Describes device, data type and matrix-multiplication backend in one line.
 *
 * @param asked device in the settings @param why reason for the data type
 */
export function describeEngine(info: EngineInfo, asked: string, why?: string): string {
  const { device, dtype, gemm } = info;
  const unused = whyNoGpu(info, asked);
  return `computing in ${dtype}${why ? ` (${why})` : ""} on ${device} by ${gemm}${unused && `, not on a GPU: ${unused}`}`;
}

/** Returns the facts about the engine that determine its speed. */
export function factsOfEngine(engine: EngineInfo, asked: string): Record<string, unknown> {
  const { device, dtype, gemm, instructionSet, threads, memoryBudget } = engine;
  const unused = whyNoGpu(engine, asked);
  const onCpu = device === "cpu" && {
    "instruction set": instructionSet,
    threads,
    ...(unused && { "not on a GPU": unused }),
  };
  return { device, dtype, products: gemm, "memory budget, bytes": memoryBudget, ...onCpu };
}

/** Files of NVIDIA's driver on Linux and in WSL. If one exists, the machine has a GPU. */
const gpuFiles = ["/dev/nvidiactl", "/dev/dxg"];

/**
 * Explains why a GPU of this machine is not used. Empty if the machine has no GPU or the settings select the CPU.
 *
 * @param asked device in the settings
 */
export function whyNoGpu(
  { device, noCuda }: EngineInfo,
  asked: string,
  hasGpu = gpuFiles.some((path) => existsSync(path)),
): string {
  return device === "cpu" && asked === "auto" && hasGpu ? noCuda : "";
}

/**
 * Returns whether the device multiplies bf16, which may be faster. Other processors round to bf16 and multiply f32, which is
 * less exact and not faster.
 */
export function multipliesBf16({ device, instructionSet }: Pick<EngineInfo, "device" | "instructionSet">): boolean {
  return device !== "cpu" || instructionSet === "avx512bf16" || instructionSet === "amxbf16";
}

/** Returns the number of threads. On a machine with more than four cores, one core is left for rollouts and the gym. */
function threadsOf({ threads }: EngineSettings): number {
  if (threads > 0) return threads;
  const cores = availableParallelism();
  return cores > 4 ? cores - 1 : cores;
}
