/** `palestra convert`: writes a model or a checkpoint in the layout of other programs. */
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import type { Command } from "commander";
import type { Engine, Model } from "../../native/api/index.js";
import { guide } from "../command-line.js";
import { TrainerError } from "../errors.js";
import { choiceOption } from "./arguments.js";

/** Types of weights of each format, the default first. */
const formats = { hf: ["f32", "bf16"], gguf: ["f16", "f32", "bf16"], peft: ["f32"] } as const;

interface ConvertFlags {
  readonly format: keyof typeof formats;
  readonly out: string;
  readonly dtype?: "f32" | "bf16" | "f16";
  readonly base?: string;
  readonly force: boolean;
}

export function addConvertCommand(program: Command): void {
  const command = program
    .command("convert <model>")
    .description("write a checkpoint or a model as a folder of Hugging Face, a GGUF file or an adapter of PEFT")
    .addOption(
      choiceOption(
        "--format <name>",
        "layout to write: hf, a folder for transformers or vLLM; gguf, a file for llama.cpp; peft, the adapters of a run with lora_rank",
        Object.keys(formats),
      ).makeOptionMandatory(),
    )
    .requiredOption("--out <path>", "folder or file to write")
    .addOption(
      choiceOption("--dtype <type>", "type of the weights (default: f32; with --format gguf: f16)", [
        "f32",
        "bf16",
        "f16",
      ]),
    )
    .option("--base <model>", "model that the files of --format peft name as their base (default: the run's)")
    .option("--force", "replace what is at --out", false)
    .action(runConvert);
  guide(command, "trainer/README.md#checkpoints", {
    "palestra convert runs/default/checkpoints/best --format hf --out my-model":
      "Write the best checkpoint for transformers",
    "palestra convert runs/default/final --format gguf --out my-model.gguf": "Write a GGUF file for llama.cpp",
    "palestra convert runs/lora/checkpoints/best --format peft --out my-adapter": "Write the adapters alone",
  });
}

async function runConvert(source: string, { format, out, dtype, base, force }: ConvertFlags): Promise<void> {
  const types: readonly string[] = formats[format];
  if (dtype !== undefined && !types.includes(dtype))
    throw new TrainerError(
      "ARGUMENT_INVALID",
      `expected --dtype ${types.join(" or ")} with --format ${format}, but received ${dtype}`,
    );
  if (existsSync(out) && !force)
    throw new TrainerError(
      "ARGUMENT_INVALID",
      `expected a new path at --out, but ${out} exists. Replace it with --force.`,
    );
  const { Engine, writeAdapters } = await import("../../native/api/index.js");
  if (format === "peft") {
    await writeAdapters({ checkpoint: source, folder: out, base: base ?? (await baseOf(source)) });
  } else {
    const { buildEngine } = await import("../engine-build.js");
    await buildEngine();
    const engine = await Engine.create({ device: "cpu" });
    try {
      await mkdir(dirname(resolve(out)), { recursive: true });
      const model = await engine.loadModel(source);
      if (format === "hf") await model.save(out, { dtype: dtype === "bf16" ? "bf16" : "f32" });
      else await saveGguf(engine, model, out, dtype ?? formats.gguf[0]);
    } finally {
      await engine.close();
    }
  }
  console.error(`wrote ${out}`);
}

/** Writes a GGUF file. The adapters of a checkpoint are merged in a temporary folder beside the file. */
async function saveGguf(engine: Engine, model: Model, out: string, dtype: "f32" | "bf16" | "f16"): Promise<void> {
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
