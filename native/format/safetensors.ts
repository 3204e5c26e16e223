/**
 * Reads and writes the headers of safetensors files: an 8-byte length followed by JSON. The engine reads and writes the
 * tensors.
 */
import { open, readFile, stat } from "node:fs/promises";
import { basename, join } from "node:path";
import type { RawParameter, RawSource } from "../addon/addon.js";
import { misformed, NativeError, unreadable } from "../addon/errors.js";

/** Tensor types by their names. `type` is the `dtype` of `palestra_tensor_source`. */
const types = new Map<unknown, { type: number; bytes: number }>([
  ["F32", { type: 0, bytes: 4 }],
  ["BF16", { type: 1, bytes: 2 }],
  ["F16", { type: 2, bytes: 2 }],
  ["F64", { type: 3, bytes: 8 }],
]);

/** Limit on the size of a header in bytes, from the reference implementation of safetensors. */
const mostHeaderBytes = 100_000_000;

/** Locates every tensor of a folder's model.safetensors, or of the shards that its index names. */
export async function readSafetensors(folder: string): Promise<RawSource[]> {
  const index = join(folder, "model.safetensors.index.json");
  const isSharded = await stat(index).then(
    () => true,
    () => false,
  );
  if (!isSharded) return readHeader(join(folder, "model.safetensors"));

  const parsed: unknown = await readJson(index);
  const map = isRecord(parsed) ? parsed.weight_map : undefined;
  if (!isRecord(map)) throw misformed(`a weight_map object in ${index}`, map);
  const shards = [...new Set(Object.values(map))];
  const sources = await Promise.all(shards.map((shard) => readHeader(join(folder, nameOfShard(shard, index)))));
  const all = sources.flat();
  for (const [name, shard] of Object.entries(map)) {
    const isThere = all.some((source) => source.name === name && basename(source.path) === shard);
    if (!isThere) throw misformed(`tensor ${name} to be in ${shard}, where ${index} places it`, undefined);
  }
  return all;
}

/** Returns the file name of a shard, which must be in the folder of its index. */
function nameOfShard(shard: unknown, index: string): string {
  if (typeof shard === "string" && /^[^/\\\0]+\.safetensors$/.test(shard)) return shard;
  throw misformed(`${index} to name files in its own folder`, shard);
}

async function readHeader(path: string): Promise<RawSource[]> {
  const { header, dataStart, fileSize } = await readHeaderText(path);
  let parsed: unknown;
  try {
    parsed = JSON.parse(header);
  } catch {
    throw misformed(`a JSON header in ${path}`, header);
  }
  if (!isRecord(parsed)) throw misformed(`the header of ${path} to be a JSON object`, parsed);
  const sources = Object.entries(parsed)
    .filter(([name]) => name !== "__metadata__")
    .map(([name, entry]) => sourceOf(name, entry, path, dataStart, fileSize));
  expectNoGaps(sources, path, dataStart, fileSize);
  return sources;
}

/**
 * Fails unless every byte of the file belongs to exactly one tensor. The check reveals tensors that are truncated, doubled
 * or shifted.
 */
function expectNoGaps(sources: RawSource[], path: string, dataStart: number, fileSize: number): void {
  let end = dataStart;
  for (const { name, offset, bytes } of sources.toSorted((a, b) => a.offset - b.offset || a.bytes - b.bytes)) {
    if (offset !== end)
      throw misformed(`tensor ${name} to begin at byte ${end} of ${path}, where the one before it ends`, offset);
    end += bytes;
  }
  if (end !== fileSize) throw misformed(`the tensors of ${path} to end at its last byte, ${fileSize}`, end);
}

async function readHeaderText(path: string) {
  const file = await open(path).catch((error) => {
    throw unreadable(path, error);
  });
  try {
    const { size: fileSize } = await file.stat();
    const start = Buffer.alloc(8);
    const { bytesRead } = await file.read(start, 0, 8, 0);
    const length = bytesRead === 8 ? Number(start.readBigUInt64LE()) : 0;
    if (length < 2 || length > mostHeaderBytes || length > fileSize - 8) {
      throw misformed(`a safetensors header within the ${fileSize} bytes of ${path}`, `${length} bytes`);
    }
    const header = Buffer.alloc(length);
    await file.read(header, 0, length, 8);
    return { header: header.toString("utf8"), dataStart: 8 + length, fileSize };
  } catch (error) {
    throw error instanceof NativeError ? error : unreadable(path, error);
  } finally {
    await file.close();
  }
}

function sourceOf(name: string, entry: unknown, path: string, dataStart: number, fileSize: number): RawSource {
  const { dtype, shape, data_offsets: offsets } = isRecord(entry) ? entry : {};
  const type = types.get(dtype);
  if (!type)
    throw misformed(`tensor ${name} in ${path} to have one of the types ${[...types.keys()].join(", ")}`, dtype);
  if (!isWholeNumbers(shape) || shape.length < 1 || shape.length > 2) {
    throw misformed(`tensor ${name} in ${path} to have one or two dimensions`, JSON.stringify(shape));
  }
  if (!isWholeNumbers(offsets) || offsets.length !== 2)
    throw misformed(`data_offsets of tensor ${name} to be two integers`, offsets);
  const [begin = 0, end = 0] = offsets;
  const [rows = 1, columns = 1] = shape.length === 2 ? shape : [1, ...shape];
  const bytes = rows * columns * type.bytes;
  if (end - begin !== bytes) throw misformed(`tensor ${name} in ${path} to have ${bytes} bytes`, `${end - begin}`);
  if (dataStart + end > fileSize) {
    throw misformed(`tensor ${name} to end at byte ${dataStart + end} of ${path}`, `a file of ${fileSize} bytes`);
  }
  return { name, path, offset: dataStart + begin, bytes, type: type.type, rows, columns, interleavedHeads: 0 };
}

/** Returns the header of a file that contains these parameters in this order. */
export function writeHeader(parameters: RawParameter[], dtype: "f32" | "bf16"): Uint8Array {
  let offset = 0;
  const entries = parameters.map(({ name, rows, columns, isVector }) => {
    const begin = offset;
    offset += bytesOf({ rows, columns }, dtype);
    const shape = isVector ? [columns] : [rows, columns];
    return [name, { dtype: dtype === "f32" ? "F32" : "BF16", shape, data_offsets: [begin, offset] }];
  });
  const json = JSON.stringify({ __metadata__: { format: "pt" }, ...Object.fromEntries(entries) });
  // The text is padded with spaces to a multiple of 8, so that the tensors are aligned in memory.
  const text = Buffer.from(json);
  const length = Math.ceil(text.length / 8) * 8;
  const header = Buffer.alloc(8 + length, " ");
  header.writeBigUInt64LE(BigInt(length));
  text.copy(header, 8);
  return header;
}

export function bytesOf({ rows, columns }: { rows: number; columns: number }, dtype: "f32" | "bf16"): number {
  return rows * columns * (dtype === "f32" ? 4 : 2);
}

/** Reads a JSON file. Fails with NATIVE_IO or NATIVE_FORMAT. */
export async function readJson(path: string): Promise<unknown> {
  const text = await readFile(path, "utf8").catch((error) => {
    throw unreadable(path, error);
  });
  try {
    return JSON.parse(text);
  } catch {
    throw misformed(`JSON in ${path}`, text);
  }
}

/** Returns the JSON object of a file, or undefined when the file does not exist. */
export async function readJsonIfThere(path: string): Promise<Record<string, unknown> | undefined> {
  const parsed = await readJson(path).catch((error) => {
    if (isMissing(error)) return undefined;
    throw error;
  });
  if (parsed === undefined || isRecord(parsed)) return parsed;
  throw misformed(`a JSON object in ${path}`, parsed);
}

function isMissing(error: unknown): boolean {
  const cause = error instanceof Error ? error.cause : undefined;
  return cause instanceof Error && "code" in cause && cause.code === "ENOENT";
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isWholeNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0);
}
