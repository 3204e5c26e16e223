/** Creates and describes the engine of a run. */
import { existsSync } from "node:fs";
import { availableParallelism } from "node:os";
import { Engine, type EngineInfo } from "../../native/api/index.js";
import { buildEngine } from "../engine-build.js";
import type { TrainSettings } from "../settings/settings.js";

export type EngineSettings = Pick<
  TrainSettings,
  "device" | "dtype" | "deterministic" | "threads" | "train_share" | "generate_share"
>;

/** Creates the engine, building it first if necessary. The caller closes it. */
export async function createEngine(settings: EngineSettings): Promise<Engine> {
  await buildEngine();
  const { dtype, deterministic, train_share: train, generate_share: generate } = settings;
  const device = settings.device as "auto";
  const options = { device, deterministic, threads: threadsOf(settings), shares: { train, generate } };
  if (dtype !== undefined && dtype !== "auto") return Engine.create({ ...options, dtype });
  // The engine's own default is bf16 on a GPU and f32 on a CPU.
  const engine = await Engine.create(options);
  if (dtype === undefined || engine.info().dtype === "bf16" || !multipliesBf16(engine.info())) return engine;
  await engine.close();
  return Engine.create({ ...options, dtype: "bf16" });
}

/** Describes device, data type and matrix-multiplication backend in one line. @param asked device in the settings */
export function describeEngine(info: EngineInfo, asked: string): string {
  const { device, dtype, gemm } = info;
  const unused = whyNoGpu(info, asked);
  return `computing in ${dtype} on ${device} by ${gemm}${unused && `, not on a GPU: ${unused}`}`;
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
 * Returns whether the device multiplies bf16. Other processors round to bf16 and multiply f32, which is less exact and
 * not faster.
 */
export function multipliesBf16({ device, instructionSet }: Pick<EngineInfo, "device" | "instructionSet">): boolean {
  return device !== "cpu" || instructionSet === "avx512bf16";
}

/** Returns the number of threads. On a machine with more than four cores, one core is left for rollouts and the gym. */
function threadsOf({ threads }: EngineSettings): number {
  if (threads > 0) return threads;
  const cores = availableParallelism();
  return cores > 4 ? cores - 1 : cores;
}
