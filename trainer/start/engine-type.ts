/**
 * The data type of `dtype auto` on a processor that multiplies bf16. Which type is faster depends on the processor and on the
 * size of the model, so it is measured. A resumed run keeps its type.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Engine, EngineInfo } from "../../native/api/index.js";

export type Dtype = EngineInfo["dtype"];

export interface MeasuredType {
  readonly dtype: Dtype;
  /** Reason of the choice, for the first line of a run. */
  readonly why: string;
}

/** Share of the time of f32 that bf16 has to save, since bf16 is less exact. */
const leastGain = 0.05;
/** Milliseconds after which no further pass begins. */
const budgetMs = 80;
const fewestPasses = 3;
/** Tokens of a pass in training, and new tokens of a sequence. */
const [trainTokens, newTokens, sequences] = [64, 2, 8];
/** Size above which the ratio of both types hardly changes. */
const largestSize = 512;

/**
 * Measures both types, with one layer of the model's size, in about a tenth of a second.
 *
 * @param engines an engine of each type @param hiddenSize hidden size of the model
 */
export async function measureType(engines: Readonly<Record<Dtype, Engine>>, hiddenSize: number): Promise<MeasuredType> {
  const probes = { f32: await Probe.open(engines.f32, hiddenSize), bf16: await Probe.open(engines.bf16, hiddenSize) };
  const fastest = { f32: Number.POSITIVE_INFINITY, bf16: Number.POSITIVE_INFINITY };
  try {
    const began = performance.now();
    // Both take turns, so that another program's load slows both down.
    for (let pass = 0; pass < fewestPasses || performance.now() - began < budgetMs; pass++) {
      for (const dtype of ["f32", "bf16"] as const) fastest[dtype] = Math.min(fastest[dtype], await probes[dtype].ms());
    }
  } finally {
    for (const probe of Object.values(probes)) probe.close();
  }
  return chooseType(fastest);
}

/** Returns the hidden size of a run's model: of its config.json, else the largest that is measured. */
export function hiddenSizeOf({ model, hidden_size: own }: { model?: string | undefined; hidden_size: number }): number {
  if (model === undefined) return own;
  try {
    const { hidden_size: size } = JSON.parse(readFileSync(join(model, "config.json"), "utf8")) as {
      hidden_size?: unknown;
    };
    return typeof size === "number" ? size : largestSize;
  } catch {
    return largestSize;
  }
}

/** @param ms milliseconds of the same work in each type */
export function chooseType({ f32, bf16 }: Readonly<Record<Dtype, number>>): MeasuredType {
  const dtype = bf16 < f32 * (1 - leastGain) ? "bf16" : "f32";
  return { dtype, why: `measured: f32 ${f32.toFixed(1)} ms, bf16 ${bf16.toFixed(1)} ms` };
}

/** Training and generation with one layer. */
class Probe {
  private constructor(
    private readonly model: Awaited<ReturnType<Engine["loadModel"]>>,
    private readonly trainer: Awaited<ReturnType<Probe["model"]["trainer"]>>,
    private readonly generator: Awaited<ReturnType<Probe["model"]["generator"]>>,
  ) {}

  static async open(engine: Engine, hiddenSize: number): Promise<Probe> {
    const heads = 2 * Math.max(1, Math.floor(Math.min(hiddenSize, largestSize) / 64));
    const size = 32 * heads;
    const config = {
      model_type: "qwen3",
      vocab_size: 1024,
      hidden_size: size,
      intermediate_size: 3 * size,
      num_hidden_layers: 1,
      num_attention_heads: heads,
      num_key_value_heads: heads / 2,
      head_dim: 32,
      max_position_embeddings: trainTokens,
      tie_word_embeddings: true,
    };
    const model = await engine.loadModel({ config, seed: 1 });
    const generator = await model.generator({ maxSequences: sequences, kvBytes: 1 << 24 });
    return new Probe(model, await model.trainer({ maxTokens: trainTokens }), generator);
  }

  /** Returns the milliseconds that a pass takes of the processor, all threads together, whatever else runs there. */
  async ms(): Promise<number> {
    const began = process.cpuUsage();
    const tokens = Int32Array.from({ length: trainTokens }, (_, at) => at);
    await this.trainer.accumulate({ tokens }, { policy: "cross-entropy" });
    const request = { maxNewTokens: newTokens, stopTokens: [] };
    const prompts = Array.from({ length: sequences }, (_, at) => ({ tokens: [at, at + 1], seed: at, ...request }));
    await Promise.all(prompts.map((prompt) => this.generator.submit(prompt).result));
    const { user, system } = process.cpuUsage(began);
    return (user + system) / 1000;
  }

  close(): void {
    this.model.close();
  }
}

/** Returns the type of the run in the output folder, if it had the same device; undefined without one. */
export function typeOfRun(output: string, { device, instructionSet }: EngineInfo): Dtype | undefined {
  try {
    const { engine } = JSON.parse(readFileSync(join(output, "run.json"), "utf8")) as {
      engine?: Record<string, unknown>;
    };
    const isSame = engine?.device === device && engine["instruction set"] === instructionSet;
    return isSame && (engine?.dtype === "f32" || engine?.dtype === "bf16") ? engine.dtype : undefined;
  } catch {
    return undefined;
  }
}
