/** Schemas, and what their keywords say of types. */
import type { Automaton, Part } from "./automaton.js";

export type Schema = { readonly [keyword: string]: unknown };

/** A schema and its place in the root schema, as a JSON pointer. */
export interface Placed {
  readonly schema: unknown;
  readonly at: string;
}

/** Makes parts of an automaton from schemas. */
export interface SchemaParts {
  readonly automaton: Automaton;
  /** The values of a schema. @throws {NativeError} NATIVE_INVALID_ARGUMENT */
  part(placed: Placed): Part;
  /** Follows references and joins `allOf`, until a schema has neither. @throws {NativeError} NATIVE_INVALID_ARGUMENT */
  resolved(placed: Placed): Schema | boolean;
}

const annotations = [
  "title",
  "description",
  "default",
  "examples",
  "deprecated",
  "readOnly",
  "writeOnly",
  "discriminator",
];
const places = ["$schema", "$id", "$comment", "$defs", "definitions", "$anchor"];

export function withoutAnnotations(schema: Schema): Schema {
  const named = Object.entries(schema).filter(
    ([keyword]) => !annotations.includes(keyword) && !places.includes(keyword),
  );
  return Object.fromEntries(named);
}

/** Types to which keywords belong. */
export const keywordTypes: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  ["object", ["properties", "required", "additionalProperties", "minProperties", "maxProperties"]],
  ["array", ["items", "prefixItems", "minItems", "maxItems"]],
  ["string", ["minLength", "maxLength", "pattern", "format"]],
  ["number", ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]],
];

/** Returns the types of a schema: those it names, or those that its keywords speak of; undefined for all. */
export function typesOf(schema: Schema): string[] | undefined {
  if (schema.type !== undefined) {
    const types = [...new Set([schema.type].flat() as string[])];
    return types.includes("number") ? types.filter((type) => type !== "integer") : types;
  }
  const spoken = keywordTypes.filter(([, keywords]) => keywords.some((keyword) => schema[keyword] !== undefined));
  return spoken.length === 0 ? undefined : spoken.map(([type]) => type);
}

/** Returns the types that a value has. */
export function typesOfValue(value: unknown): string[] {
  if (value === null) return ["null"];
  if (Array.isArray(value)) return ["array"];
  if (typeof value === "number") return Number.isInteger(value) ? ["integer", "number"] : ["number"];
  return [typeof value];
}
