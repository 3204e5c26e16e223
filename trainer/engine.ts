/** The engine that settings ask for. */
import { availableParallelism } from "node:os";
import { Engine, type EngineInfo } from "../native/index.js";
import { buildEngine } from "./engine-build.js";
import type { TrainSettings } from "./settings.js";

export type EngineSettings = Pick<
  TrainSettings,
  "device" | "dtype" | "deterministic" | "threads" | "train_share" | "generate_share"
>;

/** The caller closes it. In a clone it is built first where that is needed. */
export async function createEngine(settings: EngineSettings): Promise<Engine> {
  await buildEngine();
  const { dtype, deterministic, train_share: train, generate_share: generate } = settings;
  const device = settings.device as "auto";
  const options = { device, deterministic, threads: threadsOf(settings), shares: { train, generate } };
  if (dtype === undefined) return Engine.create(options);
  if (dtype !== "auto") return Engine.create({ ...options, dtype });
  const engine = await Engine.create({ ...options, dtype: "bf16" });
  if (multipliesBf16(engine.info())) return engine;
  await engine.close();
  return Engine.create({ ...options, dtype: "f32" });
}

/** What it computes with, in a line. */
export function describeEngine({ device, dtype, gemm, noCuda }: EngineInfo): string {
  return `computing in ${dtype} on ${device} by ${gemm}${noCuda && `, not on a GPU: ${noCuda}`}`;
}

/** Elsewhere it is converted first, which costs more than it saves. */
function multipliesBf16({ device, instructionSet }: EngineInfo): boolean {
  return device !== "cpu" || instructionSet === "avx512bf16";
}

/** A core of a larger machine is left for rollouts and the gym. */
function threadsOf({ threads }: EngineSettings): number {
  if (threads > 0) return threads;
  const cores = availableParallelism();
  return cores > 4 ? cores - 1 : cores;
}
