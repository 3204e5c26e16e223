/** Compares the engine with OpenBLAS, PyTorch and llama.cpp, and its training step with its own matrix products. */
import { mkdtemp, rm } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { Engine, type Model, type Sequence } from "#palestra/native/api/index.js";
import { multipliesBf16 } from "#palestra/trainer/start/engine.js";
import { NativePeer, type Shape, type WeightType, weightTypes } from "./native-peer.js";
import type { BenchResult } from "./report.js";

export interface NativeOptions {
  /** Path of a Python with numpy, torch, transformers, gguf and llama_cpp for the comparison. */
  python: string;
  rounds: number;
}

/** Fields of Hugging Face's config.json. */
type Config = Record<string, unknown>;

function llama(
  vocabulary: number,
  hidden: number,
  intermediate: number,
  layers: number,
  heads: [number, number],
): Config {
  return {
    model_type: "llama",
    architectures: ["LlamaForCausalLM"],
    vocab_size: vocabulary,
    hidden_size: hidden,
    intermediate_size: intermediate,
    num_hidden_layers: layers,
    num_attention_heads: heads[0],
    num_key_value_heads: heads[1],
    head_dim: 64,
    max_position_embeddings: 2_048,
    rms_norm_eps: 1e-5,
    rope_theta: 10_000,
    tie_word_embeddings: true,
  };
}

const sizes = {
  "10M": llama(4_096, 320, 864, 7, [5, 5]),
  /** The shape of SmolLM2-135M. */
  "135M": llama(49_152, 576, 1_536, 30, [9, 3]),
};
type Size = keyof typeof sizes;

export async function native(options: NativeOptions): Promise<BenchResult[]> {
  const all = availableParallelism();
  const threadCounts = all > 1 ? [1, 2] : [1];
  const results: BenchResult[] = [];
  for (const threads of threadCounts) {
    const peer = await NativePeer.start(options.python, threads);
    try {
      const peers = [peer.blas ?? "no OpenBLAS", peer.torch ?? "no PyTorch", peer.llama ?? "no llama.cpp"];
      process.stderr.write(`${plural(threads)}: ${peers.join("; ")}\n`);
      results.push(...(await gemm(peer, threads, options.rounds)));
      results.push(...(await training(peer, "10M", 1_024, 4, threads, options.rounds)));
      if (threads < Math.max(...threadCounts)) continue;
      results.push(...(await training(peer, "135M", 2_048, 2, threads, Math.min(options.rounds, 2))));
      results.push(...(await decoding(peer, threads, options.rounds)));
    } finally {
      await peer.stop();
    }
  }
  return [...results, ...(await memory())];
}

/**
 * Returns the best of several rounds of each measurement. They take turns, so that other load on the machine affects
 * all alike.
 */
async function best(rounds: number, measures: (() => Promise<number>)[]): Promise<number[]> {
  const found = measures.map(() => 0);
  for (let round = 0; round < rounds; round++) {
    for (const [i, measure] of measures.entries()) found[i] = Math.max(found[i] as number, await measure());
  }
  return found;
}

const plural = (threads: number) => (threads === 1 ? "1 thread" : `${threads} threads`);
const giga = (value: number) => value / 1e9;

/** Measures matrix products of training, and of generation with few rows and packed weights. */
const shapes: [Shape, WeightType | undefined][] = [
  [{ rows: 1_024, out: 1_024, in: 1_024 }, undefined],
  [{ rows: 1_024, out: 768, in: 256 }, undefined],
  [{ rows: 1_024, out: 4_096, in: 256 }, undefined],
  [{ rows: 16, out: 768, in: 256 }, "f32"],
  [{ rows: 8, out: 768, in: 256 }, "f32"],
];

async function gemm(peer: NativePeer, threads: number, rounds: number): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const [shape, packed] of shapes) {
    const half = packed === undefined ? undefined : "bf16";
    const ours = () => peer.linear(shape, packed);
    const bf16 = () => peer.linear(shape, half, "bf16");
    const blas = peer.blas === null ? absent : () => peer.gemm(shape);
    const torch = peer.torch === null ? absent : () => peer.torchLinear(shape, "bf16");
    const [f32Rate = 0, bf16Rate = 0, blasRate = 0, torchRate = 0] = await best(5 * rounds, [ours, bf16, blas, torch]);
    const name = `${shape.rows} x ${shape.out} x ${shape.in}${packed ? ", packed" : ""}, ${plural(threads)}`;
    results.push(
      gigaflops(`GEMM against OpenBLAS, ${name}`, f32Rate, blasRate, ">= 0.95"),
      gigaflops(`GEMM in bf16 against f32, ${name}`, bf16Rate, f32Rate),
      gigaflops(`GEMM in bf16 against PyTorch, ${name}`, bf16Rate, torchRate, ">= 0.9"),
    );
  }
  return results;
}

/** Measures a peer that this Python lacks. */
const absent = async () => 0;

/** @param baseline FLOP/s of the peer, or 0 without it */
function gigaflops(name: string, rate: number, baseline: number, target?: string): BenchResult {
  const against = baseline === 0 ? {} : { baseline: giga(baseline), ...(target && { target }) };
  return { name, value: giga(rate), unit: "GFLOP/s", ...against };
}

/** Returns the FLOP of a training step per token: 6 per weight, plus causal attention. */
function trainingFlops(config: Config, sequenceLength: number): number {
  const number = (key: string) => config[key] as number;
  const [hidden, layers] = [number("hidden_size"), number("num_hidden_layers")];
  const queries = number("num_attention_heads") * number("head_dim");
  const keys = number("num_key_value_heads") * number("head_dim");
  const layer = hidden * (queries + 2 * keys) + queries * hidden + 3 * hidden * number("intermediate_size");
  return 6 * (layers * layer + number("vocab_size") * hidden) + 6 * layers * queries * sequenceLength;
}

async function training(
  peer: NativePeer,
  size: Size,
  tokens: number,
  sequences: number,
  threads: number,
  rounds: number,
): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  const total = tokens * trainingFlops(sizes[size], tokens / sequences);
  const rates: number[] = [];
  for (const dtype of weightTypes) {
    process.stderr.write(`training ${size} in ${dtype}      \r`);
    const step = await trainingStep(size, dtype, tokens, sequences, threads);
    const product = { rows: 1_024, out: 1_024, in: 1_024 };
    const torch = async () => total / (await peer.torchTrainingStep(sizes[size], dtype, tokens, sequences));
    const [stepRate = 0, gemmRate = 0, torchRate = 0] = await best(rounds, [
      async () => total / (await step.run()),
      () => peer.linear(product, undefined, dtype),
      peer.torch === null ? absent : torch,
    ]);
    await step.close();
    if (torchRate > 0) results.push(againstTorch(`${size} in ${dtype}`, stepRate, torchRate, tokens / total, threads));
    rates.push(stepRate);
    results.push({
      name: `training step of ${size} in ${dtype} against GEMM, ${plural(threads)}`,
      value: giga(stepRate),
      unit: "GFLOP/s",
      baseline: giga(gemmRate),
      ...(dtype === "f32" ? { target: ">= 0.35" } : {}),
    });
  }
  const [f32Rate = 0, bf16Rate = 0] = rates.map((rate) => (rate * tokens) / total);
  const name = `training ${size} in bf16 against f32, ${plural(threads)}`;
  return [...results, { name, value: bf16Rate, unit: "tokens/s", baseline: f32Rate, ...(await bf16Target()) }];
}

/** @param perFlop tokens per FLOP */
function againstTorch(what: string, ours: number, theirs: number, perFlop: number, threads: number): BenchResult {
  const name = `training ${what} against PyTorch, ${plural(threads)}`;
  return { name, value: ours * perFlop, unit: "tokens/s", baseline: theirs * perFlop, target: ">= 1.5" };
}

/** Compares bf16, which must not be slower on processors that multiply it. Elsewhere the trainer's `auto` takes f32. */
async function bf16Target(): Promise<{ target?: string }> {
  const engine = await Engine.create({ device: "cpu" });
  const hasTarget = multipliesBf16(engine.info());
  await engine.close();
  return hasTarget ? { target: ">= 1" } : {};
}

/** Returns the seconds of forward, backward and AdamW on one pack of sequences of equal length. */
async function trainingStep(size: Size, dtype: WeightType, tokens: number, sequences: number, threads: number) {
  const engine = await Engine.create({ threads, dtype });
  const model = await engine.loadModel({ config: sizes[size], seed: 1 });
  const trainer = await model.trainer({ maxTokens: tokens });
  const starts = Array.from({ length: sequences + 1 }, (_, i) => (i * tokens) / sequences);
  const pack = { tokens: someTokens(tokens, model, 0), starts };
  const weight = new Float32Array(tokens).fill(1 / tokens);
  const run = async () => {
    const startedAt = performance.now();
    await trainer.accumulate(pack, { policy: "cross-entropy" }, { weight });
    await trainer.step({ lr: 1e-4, clipNorm: 1 });
    return (performance.now() - startedAt) / 1_000;
  };
  return { run, close: () => engine.close() };
}

function someTokens(count: number, { config }: Model, salt: number): number[] {
  const mixed = (i: number) => Math.imul(i + 1 + 977 * salt, 2_654_435_761) >>> 0;
  return Array.from({ length: count }, (_, i) => mixed(i) % config.vocabSize);
}

const promptTokens = 64;
const newTokens = 64;
const window = 16;
const decodingTargets = { 1: ">= 0.6", 16: ">= 1.5" };

async function decoding(peer: NativePeer, threads: number, rounds: number): Promise<BenchResult[]> {
  const folder = await mkdtemp(join(tmpdir(), "palestra-bench-"));
  const engine = await Engine.create({ threads });
  try {
    const model = await engine.loadModel({ config: sizes["135M"], seed: 1 });
    if (peer.llama !== null) await model.save(folder);
    const results: BenchResult[] = [];
    const rates = new Map<string, number>();
    for (const weights of weightTypes) {
      const file = join(folder, `${weights}.gguf`);
      if (peer.llama !== null) await peer.convert(folder, file, weights);
      for (const batch of [1, 16] as const) {
        process.stderr.write(`decoding in ${weights}, batch ${batch}      \r`);
        const prompts = Array.from({ length: batch }, (_, i) => someTokens(promptTokens, model, i));
        const ours = () => decode(model, weights, prompts);
        const theirs = [false, true].map((flash) => () => llamaDecode(peer, file, prompts, flash));
        const [rate = 0, ...peers] = await best(rounds, peer.llama === null ? [ours] : [ours, ...theirs]);
        rates.set(`${weights} ${batch}`, rate);
        const against = peers.length === 0 ? {} : { baseline: Math.max(...peers), target: decodingTargets[batch] };
        const name = `decoding 135M in ${weights} against llama.cpp, batch ${batch}, ${plural(threads)}`;
        results.push({ name, value: rate, unit: "tokens/s", ...against });
      }
    }
    for (const batch of [1, 16]) {
      const [f32Rate, bf16Rate] = weightTypes.map((weights) => rates.get(`${weights} ${batch}`) as number);
      const name = `decoding 135M in bf16 against f32, batch ${batch}, ${plural(threads)}`;
      const figure = { value: bf16Rate as number, unit: "tokens/s", baseline: f32Rate as number };
      results.push({ name, ...figure, ...(await bf16Target()) });
    }
    return results;
  } finally {
    await engine.close();
    await rm(folder, { recursive: true });
  }
}

/** Measures both kinds of llama.cpp's attention, and returns the faster one. */
async function llamaDecode(peer: NativePeer, file: string, prompts: number[][], flash: boolean): Promise<number> {
  await peer.load(file, prompts.length, promptTokens + newTokens, flash);
  return bestRate(await peer.decode(prompts, newTokens), prompts.length);
}

/** Measures greedy generation, like llama.cpp's. */
async function decode(model: Model, weights: WeightType, prompts: number[][]): Promise<number> {
  // All prompts in one step, so that the sequences start and end together.
  const maxRows = prompts.length * promptTokens;
  const generator = await model.generator({ weights, maxSequences: prompts.length, maxRows, kvBytes: 2 ** 28 });
  const sequences = prompts.map((tokens) => generator.submit({ tokens, maxNewTokens: newTokens, temperature: 0 }));
  const times: number[] = [];
  for await (const _ of sequences.at(-1) as Sequence) times.push(performance.now() / 1_000);
  await Promise.all(sequences.map(({ result }) => result));
  generator.close();
  return bestRate(times, prompts.length);
}

/** Returns tokens per second in the fastest window of steps, since other load on the machine disturbs the steps of both. */
function bestRate(times: readonly number[], batch: number): number {
  const spans = times.slice(window).map((time, i) => time - (times[i] as number));
  return (window * batch) / Math.min(...spans);
}

/** Returns the bytes per parameter in training and generation, without activations, keys and values. */
async function memory(): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  const engine = await Engine.create();
  const model = await engine.loadModel({ config: sizes["135M"], seed: 1 });
  const parameters = model.parameters.reduce((sum, { shape }) => sum + shape.reduce((size, side) => size * side), 0);
  const used = () => engine.info().memoryUsed / parameters;
  const alone = used();
  const trainer = await model.trainer({ maxTokens: 1 });
  results.push({ name: "memory a parameter, training in f32", value: used(), unit: "bytes", target: "< 18" });
  trainer.close();
  for (const weights of weightTypes) {
    const before = used();
    const kvBytes = 2 ** 24;
    const generator = await model.generator({ weights, maxSequences: 1, maxRows: 1, kvBytes });
    const value = used() - before - kvBytes / parameters;
    results.push({ name: `memory a parameter, generating in ${weights}, beside the model`, value, unit: "bytes" });
    generator.close();
  }
  await engine.close();
  return [{ name: "memory a parameter, the model", value: alone, unit: "bytes" }, ...results];
}
