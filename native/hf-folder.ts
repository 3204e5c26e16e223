/** A folder in Hugging Face's layout, written: weights in shards, their index, the tokenizer's files. */
import { randomBytes } from "node:crypto";
import { copyFile, open, readdir, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { RawParameter } from "./addon.js";
import { NativeError } from "./errors.js";
import { bytesOf } from "./safetensors.js";
import type { Tokenizer } from "./tokenizer.js";

export interface Shard {
  file: string;
  parameters: RawParameter[];
}

/** What belongs to a model beside weights and config, and is copied when it is saved. */
const companions = [
  "tokenizer.json",
  "tokenizer_config.json",
  "special_tokens_map.json",
  "added_tokens.json",
  "vocab.json",
  "merges.txt",
  "chat_template.jinja",
  "generation_config.json",
];

export function shardsOf(parameters: RawParameter[], dtype: "f32" | "bf16", maxBytes: number): Shard[] {
  const groups: RawParameter[][] = [[]];
  let bytes = 0;
  for (const parameter of parameters) {
    const more = bytesOf(parameter, dtype);
    if (bytes > 0 && bytes + more > maxBytes) {
      groups.push([]);
      bytes = 0;
    }
    bytes += more;
    groups.at(-1)?.push(parameter);
  }
  if (groups.length === 1) return [{ file: "model.safetensors", parameters }];
  const number = (value: number) => String(value).padStart(5, "0");
  return groups.map((group, index) => ({
    file: `model-${number(index + 1)}-of-${number(groups.length)}.safetensors`,
    parameters: group,
  }));
}

/** Once the shards are there: what reads the folder finds them, and none of those of a model that was there before. */
export async function writeIndex(folder: string, shards: Shard[], dtype: "f32" | "bf16"): Promise<void> {
  const index = join(folder, "model.safetensors.index.json");
  if (shards.length === 1) {
    await writing(index, () => rm(index, { force: true }));
  } else {
    const parameters = shards.flatMap((shard) => shard.parameters);
    const total = parameters.reduce((sum, parameter) => sum + bytesOf(parameter, dtype), 0);
    const map = shards.flatMap(({ file, parameters }) => parameters.map(({ name }) => [name, file]));
    await writeJson(index, { metadata: { total_size: total }, weight_map: Object.fromEntries(map) });
  }
  // Readers differ in which they take where there are both a whole file and an index.
  const isOld = (name: string) =>
    /^model(-\d+-of-\d+)?\.safetensors$/.test(name) && !shards.some(({ file }) => file === name);
  await writing(folder, async () => {
    for (const name of (await readdir(folder)).filter(isOld)) await rm(join(folder, name));
  });
}

/** @param source the folder that the model was read from, if any */
export async function writeTokenizer(folder: string, tokenizer?: Tokenizer, source?: string): Promise<void> {
  if (source === folder) return;
  if (source !== undefined) for (const name of companions) await copyIfThere(join(source, name), join(folder, name));
  if (!tokenizer || (await isThere(join(folder, "tokenizer.json")))) return;
  await writeJson(join(folder, "tokenizer.json"), tokenizer.definition);
  await writeJson(join(folder, "tokenizer_config.json"), tokenizer.config);
}

export async function writeJson(path: string, value: unknown): Promise<void> {
  await replacing(path, async (temporary) => {
    const file = await open(temporary, "wx");
    try {
      await file.writeFile(`${JSON.stringify(value, null, 2)}\n`);
      await file.sync();
    } finally {
      await file.close();
    }
  });
}

async function copyIfThere(from: string, to: string): Promise<void> {
  if (await isThere(from)) await replacing(to, (temporary) => copyFile(from, temporary));
}

/** As the engine writes weights: beside it, then in its place. */
async function replacing(path: string, write: (temporary: string) => Promise<void>): Promise<void> {
  const temporary = `${path}.${randomBytes(6).toString("hex")}`;
  await writing(path, async () => {
    try {
      await write(temporary);
      await rename(temporary, path);
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
    const folder = await open(dirname(path), "r");
    await folder.sync().finally(() => folder.close());
  });
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Tells failures of the file system as NATIVE_IO. */
export async function writing(path: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NativeError("NATIVE_IO", `expected to write ${path}, but received: ${reason}`, { cause: error });
  }
}
