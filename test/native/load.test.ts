/** Checkpoints in and out: every number as it was, and everything that may be wrong with a file. */
import { readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Engine } from "#palestra/native/index.js";
import {
  code,
  configs,
  type Json,
  needsEngine,
  randomTensors,
  temporaryFolder,
  writeCheckpoint,
} from "./tiny-models.js";

needsEngine();
const folder = temporaryFolder();
let engine: Engine;
beforeAll(async () => {
  engine = await Engine.create({ threads: 1 }).catch(() => undefined as never);
});
afterAll(() => engine?.close());

const kinds = ["llama", "qwen2", "qwen3"] as const;
const tokens = [3, 1, 4, 1, 5, 9, 2, 6];

async function score(path: string): Promise<Float32Array> {
  const model = await engine.loadModel(path);
  const trainer = await model.trainer({ maxTokens: 16 });
  const { logprob } = await trainer.score({ tokens });
  model.close();
  return logprob;
}

test.each(kinds.flatMap((kind) => [false, true].map((sharded) => ({ kind, sharded }))))(
  "$kind, sharded: $sharded: every parameter is read as it was written, and written as it was read",
  async ({ kind, sharded }) => {
    const tensors = randomTensors(configs[kind], 7);
    const path = writeCheckpoint(join(folder, `${kind}-${sharded}`), configs[kind], tensors, { sharded });
    const model = await engine.loadModel(path);
    expect(model.parameters.map(({ name }) => name).sort()).toEqual([...tensors.keys()].sort());
    for (const { name, shape } of model.parameters) {
      expect({ shape, values: await model.parameter(name) }).toEqual(tensors.get(name));
    }

    const saved = `${path}-saved`;
    await model.save(saved, sharded ? { maxShardBytes: 20_000 } : {});
    const shards = readdirSync(saved).filter((name) => name.endsWith(".safetensors"));
    expect(shards.length > 1).toBe(sharded);
    const expected = /^(config\.json|model(-\d+-of-\d+)?\.safetensors(\.index\.json)?)$/;
    expect(readdirSync(saved).filter((name) => !expected.test(name))).toEqual([]);
    const again = await engine.loadModel(saved);
    for (const { name } of again.parameters) expect(await again.parameter(name)).toEqual(tensors.get(name)?.values);
    model.close();
    again.close();
    expect(await score(saved)).toEqual(await score(path));
  },
);

test("what is saved as bf16 is the nearest of bf16", async () => {
  const tensors = randomTensors(configs.llama);
  const model = await engine.loadModel(writeCheckpoint(join(folder, "bf16"), configs.llama, tensors));
  await model.save(join(folder, "bf16-saved"), { dtype: "bf16" });
  const saved = await engine.loadModel(join(folder, "bf16-saved"));
  const [exact, rounded] = [await model.parameter("model.norm.weight"), await saved.parameter("model.norm.weight")];
  for (const [index, value] of exact.entries()) {
    const bits = new Uint32Array(Float32Array.of(rounded[index] as number).buffer)[0] as number;
    expect(bits & 0xffff).toBe(0);
    expect(Math.abs((rounded[index] as number) - value)).toBeLessThanOrEqual(Math.abs(value) / 256);
  }
});

test("a seed gives the same random weights, another seed others", async () => {
  const weights = async (seed: number) => {
    const model = await engine.loadModel({ config: configs.qwen3, seed });
    const values = await model.parameter("model.layers.0.mlp.down_proj.weight");
    model.close();
    return values;
  };
  expect(await weights(5)).toEqual(await weights(5));
  expect(await weights(5)).not.toEqual(await weights(6));
});

type Damage = (path: string) => void;
const edit =
  (change: (config: Json) => Json): Damage =>
  (path) =>
    writeFileSync(
      join(path, "config.json"),
      JSON.stringify(change(JSON.parse(readFileSync(join(path, "config.json"), "utf8")) as Json)),
    );
const tensor =
  (change: (tensors: ReturnType<typeof randomTensors>) => void): Damage =>
  (path) => {
    const tensors = randomTensors(configs.llama);
    change(tensors);
    writeCheckpoint(path, configs.llama, tensors);
  };

test.each<[string, Damage, string, string | RegExp]>([
  ["a missing tensor", tensor((all) => all.delete("model.norm.weight")), "NATIVE_FORMAT", "model.norm.weight"],
  [
    "a tensor of another shape",
    tensor((all) => all.set("model.norm.weight", { shape: [3], values: new Float32Array(3) })),
    "NATIVE_FORMAT",
    /model.norm.weight.*\(1, 32\).*\(1, 3\)/,
  ],
  [
    "a tensor of no model",
    tensor((all) => all.set("model.other", { shape: [3], values: new Float32Array(3) })),
    "NATIVE_FORMAT",
    "model.other",
  ],
  [
    "a NaN",
    tensor((all) => all.get("model.layers.1.mlp.up_proj.weight")?.values.fill(Number.NaN, 40, 41)),
    "NATIVE_NOT_FINITE",
    /model.layers.1.mlp.up_proj.weight.*\(1, 8\)/,
  ],
  [
    "an infinity",
    tensor((all) => all.get("lm_head.weight")?.values.fill(Number.POSITIVE_INFINITY, 0, 1)),
    "NATIVE_NOT_FINITE",
    "lm_head.weight",
  ],
  ["a truncated file", (path) => truncateSync(join(path, "model.safetensors"), 9000), "NATIVE_FORMAT", "9000 bytes"],
  ["a file cut in its header", (path) => truncateSync(join(path, "model.safetensors"), 100), "NATIVE_FORMAT", "header"],
  ["an empty file", (path) => truncateSync(join(path, "model.safetensors"), 0), "NATIVE_FORMAT", "header"],
  [
    "an unknown architecture",
    edit((config) => ({ ...config, model_type: "mamba" })),
    "NATIVE_FORMAT",
    /model_type.*mamba/,
  ],
  ["another activation", edit((config) => ({ ...config, hidden_act: "gelu" })), "NATIVE_FORMAT", "hidden_act"],
  [
    "a vocabulary that does not fit the embedding",
    edit((config) => ({ ...config, vocab_size: 60 })),
    "NATIVE_FORMAT",
    "(60, 32)",
  ],
  [
    "heads that do not divide",
    edit((config) => ({ ...config, num_key_value_heads: 3 })),
    "NATIVE_INVALID_ARGUMENT",
    "num_key_value_heads",
  ],
  ["a config without sizes", edit(() => ({ model_type: "llama" })), "NATIVE_FORMAT", "hidden_size"],
  ["a config that is no JSON", (path) => writeFileSync(join(path, "config.json"), "{"), "NATIVE_FORMAT", "JSON"],
])("%s is refused, and the engine goes on", async (title, damage, expectedCode, message) => {
  const path = writeCheckpoint(join(folder, title.replaceAll(" ", "-")), configs.llama);
  damage(path);
  const before = engine.info().memoryUsed;
  const failure = await engine.loadModel(path).catch((error: unknown) => error);
  expect(failure).toEqual(code(expectedCode));
  expect((failure as Error).message).toMatch(message);
  expect(engine.info().memoryUsed).toBe(before);
  await engine.loadModel({ config: configs.llama, seed: 1 }).then((model) => model.close());
});

test("a folder that is not there is NATIVE_IO", async () => {
  await expect(engine.loadModel(join(folder, "nowhere"))).rejects.toEqual(code("NATIVE_IO"));
});

test("a shard outside of the folder is refused", async () => {
  const path = writeCheckpoint(join(folder, "outside"), configs.llama, undefined, { sharded: true });
  writeFileSync(
    join(path, "model.safetensors.index.json"),
    JSON.stringify({ weight_map: { a: "../model.safetensors" } }),
  );
  await expect(engine.loadModel(path)).rejects.toEqual(code("NATIVE_FORMAT"));
});

test("a model past the budget is NATIVE_OUT_OF_MEMORY with what was asked, and a smaller one fits", async () => {
  const small = await Engine.create({ memoryBytes: 64 << 20, threads: 1 });
  await expect(small.loadModel({ config: { ...configs.llama, vocab_size: 1_000_000 }, seed: 1 })).rejects.toEqual(
    code("NATIVE_OUT_OF_MEMORY"),
  );
  const model = await small.loadModel({ config: configs.llama, seed: 1 });
  await expect(model.trainer({ maxTokens: 100_000 })).rejects.toEqual(code("NATIVE_OUT_OF_MEMORY"));
  await model.trainer({ maxTokens: 16 });
  await small.close();
});

test("a folder that cannot be written to is NATIVE_IO", async () => {
  const model = await engine.loadModel({ config: configs.llama, seed: 1 });
  writeFileSync(join(folder, "a-file"), "");
  await expect(model.save(join(folder, "a-file", "model"))).rejects.toEqual(code("NATIVE_IO"));
  model.close();
});
