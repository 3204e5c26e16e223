/** A policy with a model on disk: `native:runs/default/final`, `native:SmolLM2.gguf`. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Engine, type EngineOptions } from "../../native/api/index.js";
import { buildEngine } from "../engine-build.js";
import { NativePolicy, type NativePolicyOptions } from "./native.js";

export interface NativeModelOptions
  extends Pick<NativePolicyOptions, "maxNewTokens" | "temperature" | "topP" | "dialogue">,
    Pick<EngineOptions, "device" | "dtype" | "threads"> {
  /** Number of conversations that are sampled at the same time. */
  readonly sequences: number;
  /** Maximum number of tokens in a conversation. Default: the model's number of positions. */
  readonly most?: number;
}

/** A native policy that owns its engine. */
class NativeModelPolicy extends NativePolicy {
  constructor(
    private readonly engine: Engine,
    options: NativePolicyOptions,
    override readonly name: string,
    readonly facts: Readonly<Record<string, string>>,
  ) {
    super(options);
  }

  override async close(): Promise<void> {
    await super.close();
    await this.engine.close();
  }
}

/**
 * @param path folder in Hugging Face's layout, or a GGUF file
 * @throws {NativeError} the model cannot be loaded
 * @throws {TrainerError} MODEL_UNUSABLE
 */
export async function openNativeModel(path: string, options: NativeModelOptions): Promise<NativePolicy> {
  const { sequences, most, device = "auto", dtype, threads = 0, ...rest } = options;
  await buildEngine();
  const engine = await Engine.create({ device, threads, ...(dtype && { dtype }) });
  try {
    const model = await engine.loadModel(path);
    const generator = await model.generator({ maxSequences: sequences });
    const { maxPositions } = model.config;
    const own = { ...rest, generator, model, context: Math.min(most ?? maxPositions, maxPositions) };
    const facts = { weights: await fingerprint(path), dtype: engine.info().dtype };
    return new NativeModelPolicy(engine, own, `native:${path}`, facts);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Computes an id of the weights, which a later run may replace. @returns 12 hexadecimal digits of a SHA-256 */
async function fingerprint(path: string): Promise<string> {
  const isFolder = (await stat(path)).isDirectory();
  const names = isFolder
    ? (await readdir(path)).filter((name) => /\.(safetensors|json|jinja)$|^trainer\.bin$/.test(name))
    : [];
  const files = isFolder ? names.sort().map((name) => join(path, name)) : [path];
  const hash = createHash("sha256");
  for (const file of files) for await (const bytes of createReadStream(file)) hash.update(bytes);
  return hash.digest("hex").slice(0, 12);
}
