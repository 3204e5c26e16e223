/** Loading and saving checkpoints: exact round trips, and malformed files. */
import { mkdirSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { Engine } from "#palestra/native/api/index.js";
import {
  code,
  configs,
  engineOfFile,
  type Json,
  randomTensors,
  temporaryFolder,
  writeCheckpoint,
} from "./tiny-models.js";

const folder = temporaryFolder();
const engine = await engineOfFile(1);

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
  "$kind, sharded: $sharded: loading and saving keeps every parameter bit for bit",
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

test("saving to a folder again leaves only the weights of the last model", async () => {
  const target = join(folder, "again");
  const weights = () => readdirSync(target).filter((name) => name.includes(".safetensors"));
  const model = await engine.loadModel({ config: configs.llama, seed: 1 });
  await model.save(target);
  await model.save(target, { maxShardBytes: 20_000 });
  expect(weights()).not.toContain("model.safetensors");
  expect(weights()).toContain("model.safetensors.index.json");
  await model.save(target);
  expect(weights()).toEqual(["model.safetensors"]);
  model.close();
});

test("a save removes the staging folders of killed processes and no others", async () => {
  const model = await engine.loadModel({ config: configs.llama, seed: 1 });
  const target = join(folder, "abandoned");
  // No process has the first of these ids.
  const [abandoned, another] = [".saving-999999999-0a", `.saving-${process.pid}-0a`];
  for (const name of [abandoned, another]) mkdirSync(join(target, name), { recursive: true });
  await model.save(target);
  expect(readdirSync(target).filter((name) => name.startsWith("."))).toEqual([another]);
  model.close();
});

test("a cancelled save leaves the earlier model unchanged", async () => {
  const target = join(folder, "interrupted");
  const [first, second] = await Promise.all([1, 2].map((seed) => engine.loadModel({ config: configs.llama, seed })));
  if (!first || !second) throw new Error("expected two models");
  await first.save(target, { maxShardBytes: 1 });
  const [files, scores] = [readdirSync(target), await score(target)];
  const abort = new AbortController();
  const saving = second.save(target, { maxShardBytes: 1, signal: abort.signal });
  // Wait until the first of many shards exists.
  while (readdirSync(target, { recursive: true }).length < files.length + 2) await setImmediate();
  abort.abort();
  await expect(saving).rejects.toEqual(code("NATIVE_CANCELLED"));
  expect(readdirSync(target)).toEqual(files);
  expect(await score(target)).toEqual(scores);
  for (const model of [first, second]) model.close();
});

test("a tokenizer is saved even if its source folder no longer exists", async () => {
  const source = writeCheckpoint(join(folder, "gone"), configs.llama);
  writeTokenizer(source);
  const model = await engine.loadModel(source);
  rmSync(source, { recursive: true });
  await model.save(join(folder, "kept"));
  const again = await engine.loadModel(join(folder, "kept"));
  expect([...(again.tokenizer?.encode("ab") ?? [])]).toEqual([1, 2]);
  model.close();
  again.close();
});

test("a text ends at every end token that any file names", async () => {
  const config = { ...configs.llama, eos_token_id: 7 };
  const path = writeCheckpoint(join(folder, "ends"), config);
  writeTokenizer(path);
  writeFileSync(join(path, "generation_config.json"), JSON.stringify({ eos_token_id: [9, 7, 4000] }));
  const model = await engine.loadModel(path);
  expect(model.endTokens).toEqual([7, 9, 0]);
  const generator = await model.generator({ kvBytes: 1 << 20 });
  const { tokens: sampled, finish } = await generator.submit({ tokens, allowedTokens: [1, 9] }).result;
  expect({ finish, last: sampled.at(-1) }).toEqual({ finish: "stop-token", last: 9 });
  model.close();
  const random = await engine.loadModel({ config, seed: 1 });
  expect(random.endTokens).toEqual([7]);
  random.close();
});

test("weights saved as bf16 are rounded to the nearest bf16", async () => {
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

test("equal seeds give equal random weights, and other seeds give others", async () => {
  const weights = async (seed: number) => {
    const model = await engine.loadModel({ config: configs.qwen3, seed });
    const values = await model.parameter("model.layers.0.mlp.down_proj.weight");
    model.close();
    return values;
  };
  expect(await weights(5)).toEqual(await weights(5));
  expect(await weights(5)).not.toEqual(await weights(6));
});

/** Four tokens: the end token and three letters. */
function writeTokenizer(path: string): void {
  const vocab = { "<end>": 0, a: 1, b: 2, c: 3 };
  const definition = {
    added_tokens: [{ id: 0, content: "<end>", special: true }],
    normalizer: null,
    pre_tokenizer: { type: "ByteLevel", add_prefix_space: false, use_regex: true },
    post_processor: null,
    decoder: { type: "ByteLevel" },
    model: { type: "BPE", vocab, merges: [] },
  };
  writeFileSync(join(path, "tokenizer.json"), JSON.stringify(definition));
  writeFileSync(join(path, "tokenizer_config.json"), JSON.stringify({ eos_token: "<end>" }));
}

type Damage = (path: string) => void;
/** Changes the header of a safetensors file. */
const header =
  (change: (all: Record<string, { data_offsets: number[] }>) => void): Damage =>
  (path) => {
    const file = join(path, "model.safetensors");
    const bytes = readFileSync(file);
    const end = 8 + Number(bytes.readBigUInt64LE());
    const all = JSON.parse(bytes.toString("utf8", 8, end));
    change(all);
    const json = Buffer.from(JSON.stringify(all));
    const length = Buffer.alloc(8);
    length.writeBigUInt64LE(BigInt(json.length));
    writeFileSync(file, Buffer.concat([length, json, bytes.subarray(end)]));
  };
const [queries, outputs] = ["q", "o"].map((name) => `model.layers.0.self_attn.${name}_proj.weight`) as [string, string];
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
    "a tensor of the wrong shape",
    tensor((all) => all.set("model.norm.weight", { shape: [3], values: new Float32Array(3) })),
    "NATIVE_FORMAT",
    /model.norm.weight.*\(1, 32\).*\(1, 3\)/,
  ],
  [
    "a tensor that the model does not have",
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
  [
    "a file that ends within its header",
    (path) => truncateSync(join(path, "model.safetensors"), 100),
    "NATIVE_FORMAT",
    "header",
  ],
  ["an empty file", (path) => truncateSync(join(path, "model.safetensors"), 0), "NATIVE_FORMAT", "header"],
  [
    "two tensors that overlap",
    header((all) => Object.assign(all[queries] as object, { data_offsets: all[outputs]?.data_offsets })),
    "NATIVE_FORMAT",
    "where the one before it ends",
  ],
  [
    "bytes after the last tensor",
    (path) => writeFileSync(join(path, "model.safetensors"), Buffer.alloc(8), { flag: "a" }),
    "NATIVE_FORMAT",
    "its last byte",
  ],
  [
    "a folder instead of a weights file",
    (path) => {
      rmSync(join(path, "model.safetensors"));
      mkdirSync(join(path, "model.safetensors"));
    },
    "NATIVE_IO",
    "model.safetensors",
  ],
  [
    "an architecture named like an inherited property of objects",
    edit((config) => ({ ...config, model_type: "constructor" })),
    "NATIVE_FORMAT",
    /model_type.*constructor/,
  ],
  [
    "a config with quantised weights",
    edit((config) => ({ ...config, quantization_config: {} })),
    "NATIVE_FORMAT",
    "GGUF",
  ],
  [
    "a partial rotation of each head",
    edit((config) => ({ ...config, partial_rotary_factor: 0.5 })),
    "NATIVE_FORMAT",
    "partial_rotary_factor",
  ],
  [
    "an unknown architecture",
    edit((config) => ({ ...config, model_type: "mamba" })),
    "NATIVE_FORMAT",
    /model_type.*mamba/,
  ],
  [
    "an unsupported activation function",
    edit((config) => ({ ...config, hidden_act: "gelu" })),
    "NATIVE_FORMAT",
    "hidden_act",
  ],
  [
    "a vocabulary of another size than the embedding",
    edit((config) => ({ ...config, vocab_size: 60 })),
    "NATIVE_FORMAT",
    "(60, 32)",
  ],
  [
    "a number of heads that the key-value heads do not divide",
    edit((config) => ({ ...config, num_key_value_heads: 3 })),
    "NATIVE_INVALID_ARGUMENT",
    "num_key_value_heads",
  ],
  [
    "a head of another size than a multiple of 8",
    edit((config) => ({ ...config, head_dim: 12 })),
    "NATIVE_INVALID_ARGUMENT",
    "head_dim",
  ],
  [
    "a number of layers below 0",
    edit((config) => ({ ...config, num_hidden_layers: -1 })),
    "NATIVE_FORMAT",
    "num_hidden_layers",
  ],
  [
    "a rope_theta that a float rounds to infinity",
    edit((config) => ({ ...config, rope_theta: 1e300 })),
    "NATIVE_FORMAT",
    "rope_theta",
  ],
  ["a config without sizes", edit(() => ({ model_type: "llama" })), "NATIVE_FORMAT", "hidden_size"],
  ["a config that is not JSON", (path) => writeFileSync(join(path, "config.json"), "{"), "NATIVE_FORMAT", "JSON"],
])("%s is refused, and the engine keeps working", async (title, damage, expectedCode, message) => {
  const path = writeCheckpoint(join(folder, title.replaceAll(" ", "-")), configs.llama);
  damage(path);
  const before = engine.info().memoryUsed;
  const failure = await engine.loadModel(path).catch((error: unknown) => error);
  expect(failure).toEqual(code(expectedCode));
  expect((failure as Error).message).toMatch(message);
  expect(engine.info().memoryUsed).toBe(before);
  await engine.loadModel({ config: configs.llama, seed: 1 }).then((model) => model.close());
});

test("loading a missing folder fails with NATIVE_IO", async () => {
  await expect(engine.loadModel(join(folder, "nowhere"))).rejects.toEqual(code("NATIVE_IO"));
});

test.each(["../model.safetensors", "..", ""])(
  "a shard that is not a file of the folder, %j, is refused",
  async (shard) => {
    const path = writeCheckpoint(join(folder, "outside"), configs.llama, undefined, { sharded: true });
    writeFileSync(join(path, "model.safetensors.index.json"), JSON.stringify({ weight_map: { a: shard } }));
    await expect(engine.loadModel(path)).rejects.toEqual(code("NATIVE_FORMAT"));
  },
);

test("a model beyond the memory budget fails with NATIVE_OUT_OF_MEMORY and the requested amount, and a smaller one fits", async () => {
  const small = await Engine.create({ memoryBytes: 256 << 20, threads: 1 });
  await expect(small.loadModel({ config: { ...configs.llama, vocab_size: 4_000_000 }, seed: 1 })).rejects.toEqual(
    code("NATIVE_OUT_OF_MEMORY"),
  );
  const model = await small.loadModel({ config: configs.llama, seed: 1 });
  await expect(model.trainer({ maxTokens: 1_000_000 })).rejects.toEqual(code("NATIVE_OUT_OF_MEMORY"));
  await model.trainer({ maxTokens: 16 });
  await small.close();
});

test("saving to a folder that cannot be written fails with NATIVE_IO", async () => {
  const model = await engine.loadModel({ config: configs.llama, seed: 1 });
  writeFileSync(join(folder, "a-file"), "");
  await expect(model.save(join(folder, "a-file", "model"))).rejects.toEqual(code("NATIVE_IO"));
  await expect(model.save(`${folder}/cut\0off`)).rejects.toEqual(code("NATIVE_INVALID_ARGUMENT"));
  model.close();
});
