/** `palestra convert`: writes a model or a checkpoint in the layout of other programs. */
import { existsSync } from "node:fs";
import type { Command } from "commander";
import { TrainerError } from "../../../trainer/errors.js";
import { choiceOption } from "../terminal/arguments.js";
import { guide } from "../terminal/command-line.js";

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
  const { convertModel } = await import("../../../trainer/start/convert-model.js");
  await convertModel(source, out, { format, dtype: dtype ?? formats[format][0], base });
  console.error(`wrote ${out}`);
}
