/** The engine's API on an emulated CUDA device, and its errors without a device. */
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { Engine, type Model } from "#palestra/native/api/index.js";
import { emulatedCuda } from "./emulated-cuda.js";
import { code, configs, needsEngine, temporaryFolder } from "./tiny-models.js";

needsEngine();
const { environment, reason } = await emulatedCuda();
beforeEach((context) => context.skip(reason !== undefined, reason));
Object.assign(process.env, environment, { EMULATED_CUDA_MEMORY: String(256 << 20) });

const folder = temporaryFolder();
const config = { ...configs.qwen3, head_dim: 64, max_position_embeddings: 64 };
const prompt = [3, 1, 4, 1, 5];

async function withModel<T>(options: object, use: (model: Model, engine: Engine) => Promise<T>): Promise<T> {
  await using engine = await Engine.create({ device: "cuda:0", ...options });
  return await use(await engine.loadModel({ config, seed: 3 }), engine);
}

/** Results of a few steps of training and sampling. */
async function learn(model: Model, file?: string) {
  const trainer = await model.trainer({ maxTokens: 64 });
  const generator = await model.generator({ kvBytes: 8 << 20, maxSequences: 8 });
  const pack = { tokens: [...prompt, 9, 2, 6, ...prompt, 5, 3], starts: [0, 8, 15] };
  const before = (await trainer.score(pack)).logprob;
  for (let step = 0; step < 3; step += 1) {
    await trainer.accumulate(pack, { policy: "cross-entropy" }, { weight: pack.tokens.map(() => 1) });
    await trainer.step({ lr: 1e-2 });
  }
  await generator.update();
  if (file) await trainer.save(file);
  const group = generator.submitGroup({ tokens: prompt, maxNewTokens: 6, seed: 1 }, 3);
  const results = await Promise.all(group.map(({ result }) => result));
  return { before, after: (await trainer.score(pack)).logprob, results, trainer };
}

const index = fileURLToPath(new URL("../../dist/.modules/native/api/index.js", import.meta.url));

/** Runs a program in a process that has no driver yet, and returns its output. */
function run(program: string, more: Record<string, string>): string {
  const options = { encoding: "utf8", env: { ...process.env, ...more } } as const;
  return execFileSync(process.execPath, ["--input-type=module", "-e", program], options);
}

const mean = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

test("info describes the device, and `auto` selects it", async () => {
  for (const device of ["auto", "cuda:0"] as const) {
    await using engine = await Engine.create({ device });
    const info = engine.info();
    expect(info.device).toMatch(/^cuda:0 \S/);
    expect([info.noCuda, info.noGraphs, info.dtype]).toEqual(["", "", "bf16"]);
    expect(info.gemm).toContain("mma.sync");
    expect(info.memoryBudget).toBeLessThanOrEqual(256 << 20);
  }
  await using cpu = await Engine.create({ device: "cpu" });
  expect(cpu.info()).toMatchObject({ device: "cpu", dtype: "f32", noCuda: "the device is to be the CPU" });
  await using float = await Engine.create({ dtype: "f32" });
  expect(float.info()).toMatchObject({ device: expect.stringMatching(/^cuda:0/), dtype: "f32" });
});

test("training and sampling in float on the device give the tokens of the CPU", async () => {
  const onDevice = await withModel({ dtype: "f32" }, (model) => learn(model));
  const onCpu = await withModel({ device: "cpu" }, (model) => learn(model));
  expect(mean(onDevice.after)).toBeGreaterThan(mean(onDevice.before) + 0.1);
  for (const [index, value] of onDevice.after.entries()) expect(value).toBeCloseTo(onCpu.after[index] as number, 3);
  expect(onDevice.results.map(({ tokens }) => [...tokens])).toEqual(onCpu.results.map(({ tokens }) => [...tokens]));
});

test("training in bf16 raises log-probabilities, and the generator and the trainer agree on them up to rounding", async () => {
  await withModel({}, async (model) => {
    const { before, after, results, trainer } = await learn(model);
    expect(mean(after)).toBeGreaterThan(mean(before) + 0.1);
    for (const { tokens, modelLogprobs, versions } of results) {
      const { logprob } = await trainer.score({ tokens: [...prompt, ...tokens] });
      for (const [index, value] of modelLogprobs.entries()) {
        expect(value).toBeCloseTo(logprob[prompt.length + index] as number, 1);
      }
      expect(new Set(versions)).toEqual(new Set([3]));
    }
  });
});

test("the CPU loads a checkpoint and a model that were saved on a device", async () => {
  const file = join(folder, "trainer");
  const saved = join(folder, "model");
  const { after } = await withModel({ dtype: "f32" }, async (model) => {
    const learned = await learn(model, file);
    await model.save(saved);
    return learned;
  });
  expect(statSync(file).size).toBeGreaterThan(0);
  await using engine = await Engine.create({ device: "cpu" });
  const pack = { tokens: [...prompt, 9, 2, 6, ...prompt, 5, 3], starts: [0, 8, 15] };
  const read = await engine.loadModel(saved);
  const resumed = await engine.loadModel({ config, seed: 8 });
  const trainer = await resumed.trainer({ maxTokens: 64 });
  await trainer.load(file);
  for (const scores of [await (await read.trainer({ maxTokens: 64 })).score(pack), await trainer.score(pack)]) {
    for (const [index, value] of scores.logprob.entries()) expect(value).toBeCloseTo(after[index] as number, 3);
  }
});

test("keys and values are stored as fp8 if the device supports it, and refused otherwise", async () => {
  const sample = async (model: Model) => {
    const generator = await model.generator({ kvBytes: 4 << 20, keysValues: "fp8" });
    return generator.submit({ tokens: prompt, maxNewTokens: 8, seed: 2 }).result;
  };
  expect((await withModel({}, sample)).tokens).toHaveLength(8);
  await expect(withModel({ device: "cpu" }, sample)).rejects.toEqual(code("NATIVE_INVALID_ARGUMENT"));
});

test("weights of another type than the device's are refused", async () => {
  const make = (model: Model) => model.generator({ kvBytes: 4 << 20, weights: "f32" });
  await expect(withModel({}, make)).rejects.toEqual(code("NATIVE_INVALID_ARGUMENT"));
});

test("a request for more memory than the device has fails with the free amount, and the engine keeps working", async () => {
  await withModel({}, async (model) => {
    const asked = expect(model.generator({ kvBytes: 100e9, maxSequences: 4096 })).rejects;
    await asked.toMatchObject({ code: "NATIVE_OUT_OF_MEMORY", message: expect.stringMatching(/\d+ bytes.* free/) });
    const generator = await model.generator({ kvBytes: 1 << 20 });
    expect((await generator.submit({ tokens: prompt, maxNewTokens: 2 }).result).tokens).toHaveLength(2);
  });
});

test("a missing device fails with NATIVE_DEVICE", async () => {
  await expect(Engine.create({ device: "cuda:7" })).rejects.toEqual(code("NATIVE_DEVICE"));
});

test("a step that cannot become a CUDA graph still decodes, and the engine reports the reason", () => {
  const program = `
    const { Engine } = await import(${JSON.stringify(index)});
    const engine = await Engine.create({ device: "cuda:0" });
    const model = await engine.loadModel(${JSON.stringify({ config, seed: 3 })});
    const generator = await model.generator({ kvBytes: ${4 << 20} });
    const { tokens } = await generator.submit({ tokens: ${JSON.stringify(prompt)}, maxNewTokens: 8, seed: 2 }).result;
    console.log(JSON.stringify([tokens.length, engine.info().noGraphs]));
    await engine.close();
  `;
  const [length, noGraphs] = JSON.parse(run(program, { EMULATED_CUDA_FAULTS: "cuStreamEndCapture:1=901" }));
  expect(length).toBe(8);
  expect(noGraphs).toContain(
    "expected cuStreamEndCapture to succeed, but received CUDA_ERROR_STREAM_CAPTURE_INVALIDATED",
  );
});

test("without a driver, `auto` selects the CPU and reports the reason, and `cuda:0` fails", () => {
  const program = `
    const { Engine } = await import(${JSON.stringify(index)});
    const engine = await Engine.create();
    console.log(JSON.stringify(engine.info()));
    await engine.close();
    await Engine.create({ device: "cuda:0" }).catch((error) => console.log(JSON.stringify([error.code, error.message])));
  `;
  const [info, failure] = run(program, { ENGINE_LIBCUDA: "/nowhere/libcuda.so.1" })
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(info.device).toBe("cpu");
  expect(info.noCuda).toContain("/nowhere/libcuda.so.1");
  expect(failure).toEqual(["NATIVE_DEVICE", expect.stringContaining("/nowhere/libcuda.so.1")]);
});
