/** The emulated CUDA driver, which the C++ tests are built with: in its place the engine finds a device to use. */
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const driver = new URL("../../.config/build-native.mjs", import.meta.url);
const { buildNativeTests } = (await import(driver.href)) as {
  buildNativeTests(): Promise<{ program?: string; reason?: string }>;
};
const inBuild = (name: string) => fileURLToPath(new URL(`../../native/build/${name}`, import.meta.url));

/** What the environment of an engine's process has to be; undefined, and why, where it cannot be built. */
export async function emulatedCuda(): Promise<{ environment?: Record<string, string>; reason?: string }> {
  const { reason } = await buildNativeTests();
  if (reason !== undefined) return { reason };
  const ENGINE_LIBCUDA = inBuild("libemulated-cuda.so");
  if (!existsSync(ENGINE_LIBCUDA)) return { reason: "expected an emulated driver, which is built on Linux alone" };
  return { environment: { ENGINE_LIBCUDA, ENGINE_KERNELS: inBuild("emulated-kernels") } };
}
