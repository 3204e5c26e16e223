/** The emulated CUDA driver. With it, the engine finds a device. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { buildNativeTests } from "./gtest.js";

const inBuild = (name: string) => fileURLToPath(new URL(`../../native/build/${name}`, import.meta.url));

/** Environment of a process whose engine uses the emulator; undefined, with the reason, if it cannot be built. */
export async function emulatedCuda(): Promise<{ environment?: Record<string, string>; reason?: string }> {
  const { reason } = await buildNativeTests(["emulated-cuda", "emulated-cublas"]);
  if (reason !== undefined) return { reason };
  const ENGINE_LIBCUDA = inBuild("libemulated-cuda.so");
  if (!existsSync(ENGINE_LIBCUDA)) return { reason: "expected an emulated driver, which is built on Linux alone" };
  return { environment: { ENGINE_LIBCUDA, ENGINE_KERNELS: inBuild("emulated-kernels") } };
}
