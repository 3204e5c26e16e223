/** The fields of a tokenizer.json that Hugging Face's `tokenizers` requires, as test/peers/record-tokenizer-fields.py recorded them. */
import { readFileSync } from "node:fs";
import { expect } from "vitest";

interface Recorded {
  /** Required fields by the name of an object: its place, and its `type` where it has one. */
  readonly required: Readonly<Record<string, readonly string[]>>;
}

const path = new URL("../fixtures/native/tokenizer-fields.json", import.meta.url);
const { required } = JSON.parse(readFileSync(path, "utf8")) as Recorded;
/** Tables from tokens to numbers. Their keys are not fields. */
const tables = ["vocab", "special_tokens"];

/** Expects `tokenizers` to load a tokenizer.json. */
export function expectLoadable(definition: unknown): void {
  expect(missingFields(definition, "")).toEqual([]);
}

/** Lists the required fields that an object and the objects in it lack, as `added_tokens: lstrip`. */
export function missingFields(value: unknown, name: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => missingFields(item, name));
  if (typeof value !== "object" || value === null) return [];
  const { type } = value as { type?: unknown };
  const own = typeof type === "string" ? `${name} ${type}` : name;
  const within = Object.entries(value).flatMap(([key, item]) =>
    tables.includes(key) ? [] : missingFields(item, key === "pretokenizers" ? name : key),
  );
  return [...(required[own] ?? []).filter((field) => !(field in value)).map((field) => `${own}: ${field}`), ...within];
}
