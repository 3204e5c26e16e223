/** The conjunction of two schemas, for `allOf` and for keywords beside a reference. */
import { invalid } from "../addon/errors.js";
import type { Schema } from "./schema.js";

type Join = (one: unknown, other: unknown) => unknown;

const atLeast: Join = (one, other) => Math.max(one as number, other as number);
const atMost: Join = (one, other) => Math.min(one as number, other as number);
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const text = JSON.stringify;

/** Conjunctions of the values of a keyword that both schemas have. */
const joins: { readonly [keyword: string]: Join } = {
  type: (one, other) => commonTypes(listOf(one) as string[], listOf(other) as string[]),
  enum: (one, other) => listOf(one).filter((value) => listOf(other).some((each) => text(each) === text(value))),
  required: (one, other) => [...new Set([...listOf(one), ...listOf(other)])],
  properties: (one, other) => allOfEach(one as Schema, other as Schema),
  items: bothOf,
  additionalProperties: bothOf,
  minimum: atLeast,
  exclusiveMinimum: atLeast,
  minLength: atLeast,
  minItems: atLeast,
  minProperties: atLeast,
  maximum: atMost,
  exclusiveMaximum: atMost,
  maxLength: atMost,
  maxItems: atMost,
  maxProperties: atMost,
};

/**
 * Returns a schema that holds where both do.
 *
 * @param at place of the schemas, for errors
 * @throws {NativeError} NATIVE_INVALID_ARGUMENT: a keyword of both cannot be joined
 */
export function merged(one: Schema, other: Schema, at: string): Schema {
  expectSameProperties(one, other, at);
  const both: Record<string, unknown> = { ...one };
  for (const [keyword, value] of Object.entries(other)) {
    const own = both[keyword];
    if (own === undefined || text(own) === text(value)) both[keyword] = value;
    else if (keyword === "allOf" || keyword === "$ref") {
      both.allOf = [...listOf(both.allOf ?? []), { [keyword]: value }];
    } else if (keyword === "anyOf" || keyword === "oneOf") {
      both[keyword] = listOf(own).map((branch) => ({ allOf: [branch, { [keyword]: value }] }));
    } else if (keyword === "const") {
      both.enum = [];
    } else {
      const join = joins[keyword];
      if (!join) throw invalid(`schemas at ${at} that can be joined`, `two values of ${keyword}`);
      both[keyword] = join(own, value);
    }
  }
  return both;
}

function commonTypes(one: readonly string[], other: readonly string[]): string[] {
  const has = (types: readonly string[], type: string) =>
    types.includes(type) || (type === "integer" && types.includes("number"));
  return [...new Set([...one, ...other])].filter((type) => has(one, type) && has(other, type));
}

function allOfEach(one: Schema, other: Schema): Schema {
  const names = [...new Set([...Object.keys(one), ...Object.keys(other)])];
  const schemaOf = (name: string) => {
    if (!Object.hasOwn(one, name)) return other[name];
    return Object.hasOwn(other, name) ? bothOf(one[name], other[name]) : one[name];
  };
  return Object.fromEntries(names.map((name) => [name, schemaOf(name)]));
}

function bothOf(one: unknown, other: unknown): unknown {
  if (one === false || other === false) return false;
  if (one === true) return other;
  return other === true ? one : { allOf: [one, other] };
}

/**
 * A schema's `additionalProperties` speak of its own properties, so both schemas need the same ones where one of them has
 * the keyword.
 */
function expectSameProperties(one: Schema, other: Schema, at: string): void {
  const limits = (schema: Schema) => (schema.additionalProperties ?? true) !== true;
  if (!limits(one) && !limits(other)) return;
  const names = (schema: Schema) => Object.keys((schema.properties as Schema | undefined) ?? {});
  const lacks = (schema: Schema, wanted: Schema) =>
    limits(schema) && names(wanted).some((name) => !names(schema).includes(name));
  if (!lacks(one, other) && !lacks(other, one)) return;
  throw invalid(
    `joined schemas at ${at} with the same properties where one limits additionalProperties`,
    "schemas with different ones",
  );
}
