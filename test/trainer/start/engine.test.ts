/** The engine that settings ask for: its type, and what a run says of its device. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { EngineInfo } from "#palestra/native/api/index.js";
import { createEngine, type EngineSettings, multipliesBf16, whyNoGpu } from "#palestra/trainer/start/engine.js";
import { needsEngine } from "../../native/tiny-models.js";

async function dtypeOf(dtype: EngineSettings["dtype"]): Promise<string> {
  const settings = { device: "cpu", deterministic: false, threads: 1, train_share: 1, generate_share: 1 };
  const engine = await createEngine({ ...settings, dtype });
  const { dtype: chosen } = engine.info();
  await engine.close();
  return chosen;
}

describe("the type", () => {
  needsEngine();

  test("auto takes bf16 on a CPU that multiplies it and f32 on any other", async () => {
    const hasBf16 = process.platform === "linux" && /\bavx512_bf16\b/.test(readFileSync("/proc/cpuinfo", "utf8"));
    expect(await dtypeOf("auto")).toBe(hasBf16 ? "bf16" : "f32");
  });

  test("on a CPU the default is f32, and what is asked for is taken", async () => {
    expect(await dtypeOf(undefined)).toBe("f32");
    expect(await dtypeOf("f32")).toBe("f32");
    expect(await dtypeOf("bf16")).toBe("bf16");
  });
});

test.each([
  ["cuda:0 (NVIDIA H100)", "avx2", true],
  ["cpu", "avx512bf16", true],
  ["cpu", "avx512", false],
  ["cpu", "avx2", false],
  ["cpu", "scalar", false],
] as const)("%s with %s multiplies bf16: %s", (device, instructionSet, expected) => {
  expect(multipliesBf16({ device, instructionSet })).toBe(expected);
});

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
