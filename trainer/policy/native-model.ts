/** A model on the disk as a policy of its own: `native:runs/default/final`, `native:SmolLM2.gguf`. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { Engine, type EngineOptions } from "../../native/api/index.js";
import { buildEngine } from "../engine-build.js";
import { NativePolicy, type NativePolicyOptions } from "./native.js";

export interface NativeModelOptions
  extends Pick<NativePolicyOptions, "maxNewTokens" | "temperature" | "dialogue">,
    Pick<EngineOptions, "device" | "dtype" | "threads"> {
  /** Conversations that are sampled for side by side. */
  readonly sequences: number;
}

/** It owns the engine that it plays with. */
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
 * @param path a folder in Hugging Face's layout, or a GGUF file; its context is that of the model
 * @throws {NativeError} what cannot be loaded
 * @throws {TrainerError} what cannot be spoken with
 */
export async function openNativeModel(path: string, options: NativeModelOptions): Promise<NativePolicy> {
  const { sequences, device = "auto", dtype, threads = 0, ...rest } = options;
  await buildEngine();
  const engine = await Engine.create({ device, threads, ...(dtype && { dtype }) });
  try {
    const model = await engine.loadModel(path);
    const generator = await model.generator({ maxSequences: sequences });
    const own = { ...rest, generator, model, context: model.config.maxPositions };
    const facts = { weights: await fingerprint(path), dtype: engine.info().dtype };
    return new NativeModelPolicy(engine, own, `native:${path}`, facts);
  } catch (error) {
    await engine.close();
    throw error;
  }
}

/** Tells the model from one that is trained into the same place later. @returns 12 hexadecimal digits of a SHA-256 */
async function fingerprint(path: string): Promise<string> {
  const isFolder = (await stat(path)).isDirectory();
  const names = isFolder ? (await readdir(path)).filter((name) => /\.(safetensors|json|jinja)$/.test(name)) : [];
  const files = isFolder ? names.sort().map((name) => join(path, name)) : [path];
  const hash = createHash("sha256");
  for (const file of files) for await (const bytes of createReadStream(file)) hash.update(bytes);
  return hash.digest("hex").slice(0, 12);
}
