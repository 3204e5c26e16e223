/** Writes a folder in Hugging Face's layout: weights in shards, their index, and the tokenizer's files. */
import { randomBytes } from "node:crypto";
import { copyFile, mkdir, open, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { RawParameter } from "../addon/addon.js";
import { NativeError } from "../addon/errors.js";
import { bytesOf, isRecord } from "./safetensors.js";
import type { Tokenizer } from "./tokenizer.js";

export interface Shard {
  file: string;
  parameters: RawParameter[];
}

/** Files that belong to a model in addition to its weights and config. Saving the model copies these files. */
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

/**
 * Replaces the model in a folder. `write` fills a staging folder first, and the old model stays valid until the staging
 * folder is complete. While the files move, the folder has no config.json, so that no reader loads a mixture of both models.
 */
export async function replaceModel(folder: string, write: (staging: string) => Promise<void>): Promise<void> {
  await writing(folder, () => mkdir(folder, { recursive: true }));
  const staging = join(folder, `.saving-${process.pid}-${randomBytes(6).toString("hex")}`);
  await writing(staging, async () => {
    await removeAbandoned(folder);
    await mkdir(staging);
  });
  try {
    await write(staging);
    await writing(folder, () => moveIn(staging, folder));
  } finally {
    await rm(staging, { recursive: true, force: true });
  }
}

/** Removes the staging folders of processes that were killed, since no other code removes them. */
async function removeAbandoned(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    const [, writer] = /^\.saving-(\d+)-/.exec(name) ?? [];
    if (writer !== undefined && !isAlive(Number(writer)))
      await rm(join(folder, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

async function moveIn(staging: string, folder: string): Promise<void> {
  const names = (await readdir(staging)).filter((name) => name !== "config.json");
  await rm(join(folder, "config.json"), { force: true });
  // If a folder has both a single file and an index, readers differ in which of the two they prefer.
  const isWeights = (name: string) => /^model(-\d+-of-\d+)?\.safetensors(\.index\.json)?$/.test(name);
  for (const name of (await readdir(folder)).filter(isWeights)) await rm(join(folder, name));
  for (const name of [...names, "config.json"]) await rename(join(staging, name), join(folder, name));
  await flush(folder);
}

export async function writeIndex(folder: string, shards: Shard[], dtype: "f32" | "bf16"): Promise<void> {
  if (shards.length === 1) return;
  const parameters = shards.flatMap((shard) => shard.parameters);
  const total = parameters.reduce((sum, parameter) => sum + bytesOf(parameter, dtype), 0);
  const map = shards.flatMap(({ file, parameters }) => parameters.map(({ name }) => [name, file]));
  const index = { metadata: { total_size: total }, weight_map: Object.fromEntries(map) };
  await writeJson(join(folder, "model.safetensors.index.json"), index);
}

/** Copies or writes the tokenizer's files. @param source the folder from which the model was read, if any */
export async function writeTokenizer(folder: string, tokenizer?: Tokenizer, source?: string): Promise<void> {
  if (source !== undefined) for (const name of companions) await copyIfThere(join(source, name), join(folder, name));
  if (!tokenizer) return;
  const path = join(folder, "tokenizer.json");
  const [isCopied, definition] = [await isThere(path), completeDefinition(tokenizer.definition)];
  if (!isCopied || definition !== tokenizer.definition) await writeJson(path, definition);
  if (!isCopied) await writeJson(join(folder, "tokenizer_config.json"), tokenizer.config);
}

/** Fields of added tokens that Hugging Face's reader requires. Folders that earlier versions wrote lack some of them. */
const ofAddedTokens = { single_word: false, lstrip: false, rstrip: false, normalized: false, special: false };

/** Returns the content of a tokenizer.json with the required fields of added tokens; the same object if none is missing. */
function completeDefinition(definition: Record<string, unknown>): Record<string, unknown> {
  const { added_tokens: added } = definition;
  const lacks = (token: unknown) => isRecord(token) && Object.keys(ofAddedTokens).some((field) => !(field in token));
  if (!Array.isArray(added) || !added.some(lacks)) return definition;
  // The engine's tokenizer normalizes around an added token that does not say, unless it is special.
  const complete = (token: object) => ({
    ...ofAddedTokens,
    normalized: !("special" in token && token.special),
    ...token,
  });
  return { ...definition, added_tokens: added.map((token) => (isRecord(token) ? complete(token) : token)) };
}

export async function writeJson(path: string, value: unknown): Promise<void> {
  await writing(path, async () => {
    await writeFile(path, `${JSON.stringify(value, null, 2)}\n`);
    await flush(path);
  });
}

async function copyIfThere(from: string, to: string): Promise<void> {
  if (!(await isThere(from))) return;
  await writing(to, async () => {
    await copyFile(from, to);
    await flush(to);
  });
}

/** Flushes a file, or the list of files of a folder, to disk. */
async function flush(path: string): Promise<void> {
  const file = await open(path, "r");
  await file.sync().finally(() => file.close());
}

function isThere(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  );
}

/** Runs `work` and converts errors of the file system to NATIVE_IO. */
async function writing(path: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new NativeError("NATIVE_IO", `expected to write ${path}, but received: ${reason}`, { cause: error });
  }
}
