/** Which tasks of a split are played. */
import { existsSync, readFileSync } from "node:fs";

const form = 'indices as 0-99 or 3,5,8-10, or a file as AgentGym\'s [{"item_id": "textcraft_31"}, ...]';

/**
 * @param text `0-99`, `3,5,8-10`, or the path of a file: a JSON array of numbers or of AgentGym's items, whose index is the
 *   number at the end of their id
 * @throws {RangeError}
 */
export function parseTasks(text: string): number[] {
  if (/^[\d,\s-]+$/.test(text) && !existsSync(text))
    return unique(text.split(",").flatMap((part) => range(part, text)));
  let entries: unknown;
  try {
    entries = JSON.parse(readFileSync(text, "utf8"));
  } catch (error) {
    throw new RangeError(`expected ${form}, but received ${JSON.stringify(text)}: ${(error as Error).message}`);
  }
  if (!Array.isArray(entries) || entries.length === 0)
    throw new RangeError(`expected ${form}, but received none in ${text}`);
  return unique(entries.map((entry) => indexOf(entry, text)));
}

function range(part: string, text: string): number[] {
  const [, from, to = from] = /^\s*(\d+)\s*(?:-\s*(\d+)\s*)?$/.exec(part) ?? [];
  const [first, last] = [Number(from), Number(to)];
  if (!Number.isSafeInteger(first) || !Number.isSafeInteger(last) || last < first || last - first >= 1_000_000) {
    throw new RangeError(`expected ${form}, but received ${JSON.stringify(text)}`);
  }
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
}

function indexOf(entry: unknown, path: string): number {
  if (typeof entry === "number" && Number.isSafeInteger(entry) && entry >= 0) return entry;
  const { item_id } = (entry ?? {}) as { item_id?: unknown };
  const index = typeof item_id === "string" ? /_(\d+)$/.exec(item_id)?.[1] : undefined;
  if (index !== undefined) return Number(index);
  throw new RangeError(`expected ${form}, but received ${JSON.stringify(entry)} in ${path}`);
}

function unique(indices: number[]): number[] {
  return [...new Set(indices)];
}
