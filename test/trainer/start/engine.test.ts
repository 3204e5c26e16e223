/** The engine's data type, by the settings and the device. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Engine, EngineInfo } from "#palestra/native/api/index.js";
import { writeRunFile } from "#palestra/trainer/report/run-file.js";
import {
  createEngine,
  describeEngine,
  type EngineSettings,
  multipliesBf16,
  whyNoGpu,
} from "#palestra/trainer/start/engine.js";
import { chooseType, measureType, typeOfRun } from "#palestra/trainer/start/engine-type.js";
import { needsEngine } from "../../native/tiny-models.js";
import { scratch } from "../../support/serving.js";
import { tinySettings } from "../support/training.js";

async function dtypeOf(
  dtype: EngineSettings["dtype"],
  { output = scratch(), deterministic = false } = {},
): Promise<string> {
  const settings = {
    device: "cpu",
    deterministic,
    threads: 1,
    train_share: 1,
    generate_share: 1,
    hidden_size: 64,
  };
  const { engine, why } = await createEngine({ ...settings, dtype, output });
  const info = engine.info();
  await engine.close();
  return describeEngine(info, "cpu", why);
}

describe("the type", () => {
  needsEngine();

  test("with auto is the faster one on a CPU that multiplies bf16, with a message, and f32 on any other CPU", async () => {
    const hasBf16 = process.platform === "linux" && /\bavx512_bf16\b/.test(readFileSync("/proc/cpuinfo", "utf8"));
    const measured = /^computing in (f32|bf16) \(measured: f32 [\d.]+ ms, bf16 [\d.]+ ms\) on cpu by /;
    expect(await dtypeOf("auto")).toMatch(hasBf16 ? measured : /^computing in f32 on cpu by /);
  });

  test("with auto is f32 in a deterministic run, since a measurement could decide differently in an equal run", async () => {
    expect(await dtypeOf("auto", { deterministic: true })).toMatch(
      /^computing in f32 (\(as `deterministic` asks\) )?on cpu by /,
    );
  });

  test.each([
    [{ f32: 10, bf16: 12.4 }, "f32"],
    [{ f32: 10, bf16: 9.8 }, "f32"],
    [{ f32: 10, bf16: 9.4 }, "bf16"],
  ])("of %o is %s, since bf16 is less exact", (ms, dtype) => {
    expect(chooseType(ms).dtype).toBe(dtype);
  });

  test.each(["f32", "bf16"])(
    "of a run that began in %s is kept when it resumes on the same processor",
    async (dtype) => {
      const output = scratch();
      const info = { device: "cpu", instructionSet: "avx512bf16" } as EngineInfo;
      expect(typeOfRun(output, info)).toBeUndefined();
      const engine = { device: "cpu", "instruction set": "avx512bf16", dtype };
      writeRunFile({ settings: tinySettings(output), engine, hasEnded: false });
      expect(typeOfRun(output, info)).toBe(dtype);
      expect(typeOfRun(output, { ...info, instructionSet: "avx2" })).toBeUndefined();
    },
  );

  test("is f32 on a CPU by default, or the requested one", async () => {
    expect(await dtypeOf(undefined)).toMatch(/^computing in f32 on cpu/);
    expect(await dtypeOf("f32")).toMatch(/^computing in f32 on cpu/);
    expect(await dtypeOf("bf16")).toMatch(/^computing in bf16 on cpu/);
  });
});

test.each([
  ["cuda:0 (NVIDIA H100)", "avx2", true],
  ["cpu", "amxbf16", true],
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

/** A fake engine whose passes take as long as the given function. */
const engineThat = (pass: () => Promise<void>) =>
  ({
    loadModel: async () => ({
      trainer: async () => ({ accumulate: pass }),
      generator: async () => ({ submit: () => ({ result: Promise.resolve() }) }),
      close: () => {},
    }),
  }) as unknown as Engine;

test("the type with less processor time is chosen, even if other programs delay it", async () => {
  const waits = engineThat(() => new Promise((resolve) => setTimeout(resolve, 150)));
  const computes = engineThat(async () => {
    const began = process.cpuUsage();
    while (process.cpuUsage(began).user < 50_000);
  });
  expect((await measureType({ f32: waits, bf16: computes }, 64)).dtype).toBe("f32");
  expect((await measureType({ f32: computes, bf16: waits }, 64)).dtype).toBe("bf16");
});
