/** What a run says of the device that it computes on. */
import { expect, test } from "vitest";
import type { EngineInfo } from "#palestra/native/index.js";
import { whyNoGpu } from "#palestra/trainer/engine.js";

const info = (device: string, noCuda: string) => ({ device, noCuda }) as EngineInfo;
const tooOld = "expected a CUDA device of compute capability 8.0 or higher, but received P100 of 6.0";

test.each([
  ["a GPU that cannot be used, by auto", info("cpu", tooOld), "auto", true, tooOld],
  ["no GPU, by auto", info("cpu", "expected libcuda.so.1, but received none"), "auto", false, ""],
  ["a GPU, but the CPU was asked for", info("cpu", "the device is to be the CPU"), "cpu", true, ""],
  ["a GPU that is used", info("cuda:0 H200", ""), "auto", true, ""],
])("%s", (_, engine, asked, hasGpu, why) => {
  expect(whyNoGpu(engine, asked, hasGpu)).toBe(why);
});
