/** Writes a model or a checkpoint in the layout of other programs. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { Engine, type Model, writeAdapters } from "../../native/api/index.js";
import { buildEngine } from "../engine-build.js";
import { TrainerError } from "../errors.js";

/** Type of the weights that are written. */
export type WeightType = "f32" | "bf16" | "f16";

export interface Layout {
  /** `hf`: a folder of Hugging Face, in f32 or bf16. `gguf`: a file for llama.cpp. `peft`: the adapters of a run alone. */
  readonly format: "hf" | "gguf" | "peft";
  readonly dtype: WeightType;
  /** Model that the files of `peft` name as their base. Default: the run's. */
  readonly base?: string | undefined;
}

/** @throws {TrainerError} ARGUMENT_INVALID: the base cannot be told @throws {NativeError} the model cannot be read or written */
export async function convertModel(source: string, out: string, { format, dtype, base }: Layout): Promise<void> {
  if (format === "peft") {
    await writeAdapters({ checkpoint: source, folder: out, base: base ?? (await baseOf(source)) });
    return;
  }
  await buildEngine();
  const engine = await Engine.create({ device: "cpu" });
  try {
    await mkdir(dirname(resolve(out)), { recursive: true });
    const model = await engine.loadModel(source);
    if (format === "hf") await model.save(out, { dtype: dtype === "bf16" ? "bf16" : "f32" });
    else await saveGguf(engine, model, out, dtype);
  } finally {
    await engine.close();
  }
}

/** Writes a GGUF file. The adapters of a checkpoint are merged in a temporary folder beside the file. */
async function saveGguf(engine: Engine, model: Model, out: string, dtype: WeightType): Promise<void> {
  if (!model.adapters) return model.saveGguf(out, { dtype });
  const merged = await mkdtemp(`${resolve(out)}.merged-`);
  try {
    await model.save(merged);
    model.close();
    const whole = await engine.loadModel(merged);
    await whole.saveGguf(out, { dtype });
  } finally {
    await rm(merged, { recursive: true, force: true });
  }
}

/** Returns the model that a run with adapters started from: the one it cloned, the one it made, or the setting `model`. */
async function baseOf(checkpoint: string): Promise<string> {
  const output = resolve(checkpoint, "..", "..");
  const made = ["cloned", "initial"].map((name) => join(output, name)).find((folder) => existsSync(folder));
  if (made !== undefined) return made;
  const state = await readFile(join(checkpoint, "state.json"), "utf8").catch(() => "{}");
  const { settings } = JSON.parse(state) as { settings?: { model?: unknown } };
  if (typeof settings?.model === "string") return settings.model;
  throw new TrainerError(
    "ARGUMENT_INVALID",
    `expected a checkpoint of a run, which names its model, but received ${checkpoint}. Name the model with --base.`,
  );
}
