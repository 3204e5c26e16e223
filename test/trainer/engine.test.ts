/** The type that the trainer's engine multiplies, by `dtype` and device. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createEngine, type EngineSettings, multipliesBf16 } from "#palestra/trainer/engine.js";

async function dtypeOf(dtype: EngineSettings["dtype"]): Promise<string> {
  const settings = { device: "cpu", deterministic: false, threads: 1, train_share: 1, generate_share: 1 };
  const engine = await createEngine({ ...settings, dtype });
  const { dtype: chosen } = engine.info();
  await engine.close();
  return chosen;
}

test("auto takes bf16 on a CPU that multiplies it and f32 on any other", async () => {
  const hasBf16 = process.platform === "linux" && /\bavx512_bf16\b/.test(readFileSync("/proc/cpuinfo", "utf8"));
  expect(await dtypeOf("auto")).toBe(hasBf16 ? "bf16" : "f32");
});

test("on a CPU the default is f32, and what is asked for is taken", async () => {
  expect(await dtypeOf(undefined)).toBe("f32");
  expect(await dtypeOf("f32")).toBe("f32");
  expect(await dtypeOf("bf16")).toBe("bf16");
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
