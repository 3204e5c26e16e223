/** Checks the keywords of a schema, each by its type. */
import { z } from "zod";
import { invalid } from "../addon/errors.js";
import type { Schema } from "./schema.js";

const count = z.number().int().min(0);
const bound = z.number();
const schema = z.union([z.boolean(), z.record(z.string(), z.unknown())]);
const schemas = z.array(schema);
const type = z.enum(["string", "number", "integer", "boolean", "null", "array", "object"]);

const fields = z.looseObject({
  $ref: z.string().optional(),
  allOf: schemas.min(1).optional(),
  anyOf: schemas.min(1).optional(),
  oneOf: schemas.min(1).optional(),
  type: z.union([type, z.array(type).min(1)]).optional(),
  enum: z.array(z.unknown()).optional(),
  properties: z.record(z.string(), schema).optional(),
  required: z.array(z.string()).optional(),
  additionalProperties: schema.optional(),
  minProperties: count.optional(),
  maxProperties: count.optional(),
  items: schema.optional(),
  prefixItems: schemas.optional(),
  minItems: count.optional(),
  maxItems: count.optional(),
  minLength: count.optional(),
  maxLength: count.optional(),
  pattern: z.string().optional(),
  format: z.string().optional(),
  minimum: bound.optional(),
  maximum: bound.optional(),
  exclusiveMinimum: bound.optional(),
  exclusiveMaximum: bound.optional(),
  multipleOf: z.number().positive().optional(),
});

/** Keywords with a rule to which sampling cannot be held. */
const unsupported = [
  ...[
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependentRequired",
    "dependencies",
    "$dynamicRef",
    "$recursiveRef",
  ],
  ...["patternProperties", "propertyNames", "unevaluatedProperties", "unevaluatedItems"],
  ...["contains", "minContains", "maxContains", "additionalItems"],
];

/** Keyword values without effect. */
const without = { uniqueItems: false } as const;

/** @param at place of the schema, for errors @throws {NativeError} NATIVE_INVALID_ARGUMENT */
export function checked(given: unknown, at: string): Schema {
  if (typeof given !== "object" || given === null || Array.isArray(given)) throw invalid(`a schema at ${at}`, given);
  const { success, error } = fields.safeParse(given);
  if (!success) {
    const { path, message } = error.issues[0] as z.core.$ZodIssue;
    throw invalid(
      `a valid schema at ${[at, ...path].join("/")}`,
      message.replace(/^Invalid input: /, "another value: "),
    );
  }
  const named = Object.entries(given as Schema);
  for (const [keyword, value] of named) {
    const isWithout = keyword in without && value === without[keyword as keyof typeof without];
    if (isWithout || (!unsupported.includes(keyword) && !(keyword in without))) continue;
    throw invalid(`a schema at ${at} without ${keyword}, to which sampling cannot be held`, value);
  }
  return Object.fromEntries(named.filter(([keyword]) => !(keyword in without)));
}
