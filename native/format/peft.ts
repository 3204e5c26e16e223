/** Writes the adapters of a checkpoint as files of PEFT: adapter_config.json and adapter_model.safetensors. */
import { type FileHandle, mkdir, open } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { RawParameter } from "../addon/addon.js";
import { misformed, NativeError } from "../addon/errors.js";
import { writeJson } from "./hf-folder.js";
import { writeHeader } from "./safetensors.js";
import { readTrainerFile, type TrainerFile, trainerFileName } from "./trainer-file.js";

export interface Adapters {
  /** Folder of the checkpoint. */
  readonly checkpoint: string;
  /** Folder to write, which is created if necessary. */
  readonly folder: string;
  /** Name or folder of the model to which the adapters belong. */
  readonly base: string;
}

/** Fails with NATIVE_IO, and with NATIVE_FORMAT when the checkpoint has no adapters. */
export async function writeAdapters({ checkpoint, folder, base }: Adapters): Promise<void> {
  const stored = await readTrainerFile(join(resolve(checkpoint), trainerFileName));
  const { lora } = stored;
  if (!lora) throw misformed("a checkpoint of a run with lora_rank above 0", `${checkpoint} without adapters`);
  const adapters = adaptersOf(stored, lora.rank);
  try {
    await mkdir(folder, { recursive: true });
    await copyTensors(stored, adapters, join(folder, "adapter_model.safetensors"));
  } catch (error) {
    const reason = (error as Error).message;
    throw new NativeError("NATIVE_IO", `expected to write ${folder}, but received: ${reason}`, { cause: error });
  }
  const projections = adapters.map(({ name }) => /\.(\w+)\.lora_[AB]\.weight$/.exec(name)?.[1]);
  await writeJson(join(folder, "adapter_config.json"), {
    peft_type: "LORA",
    task_type: "CAUSAL_LM",
    base_model_name_or_path: base,
    r: lora.rank,
    lora_alpha: lora.alpha,
    lora_dropout: 0,
    bias: "none",
    fan_in_fan_out: false,
    inference_mode: true,
    target_modules: [...new Set(projections)],
  });
}

/** Returns the adapters with PEFT's names and shapes: A is [rank, in], B is [out, rank]. */
function adaptersOf({ weights }: TrainerFile, rank: number): RawParameter[] {
  return [...weights].flatMap(([name, { bytes }]) => {
    const [, factor] = /\.lora_([AB])\.weight$/.exec(name) ?? [];
    const other = bytes / 4 / rank;
    const [rows, columns] = factor === "A" ? [rank, other] : [other, rank];
    return factor ? [{ name, rows, columns, isVector: false }] : [];
  });
}

async function copyTensors({ path, weights }: TrainerFile, adapters: RawParameter[], target: string): Promise<void> {
  const from = await open(path);
  let to: FileHandle | undefined;
  try {
    to = await open(target, "w");
    await to.write(writeHeader(adapters, "f32"));
    for (const { name } of adapters) {
      const { offset = 0, bytes = 0 } = weights.get(name) ?? {};
      const values = Buffer.alloc(bytes);
      await from.read(values, 0, bytes, offset);
      await to.write(values);
    }
    await to.sync();
  } finally {
    await from.close();
    await to?.close();
  }
}
