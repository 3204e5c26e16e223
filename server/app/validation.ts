/**
 * Validation of input. zod's length checks also read `length` of values of the wrong type, and throw if `length` cannot
 * be converted to a primitive value. This module refuses such input as invalid.
 */
import type { Ajv } from "ajv";
import type { FastifySchemaCompiler, FastifySchemaValidationError, FastifyServerOptions } from "fastify";
import { serializerCompiler, validatorCompiler as zodCompiler } from "fastify-type-provider-zod";
import { z } from "zod";
import { shortened } from "../errors.js";

const unreadable = z.never({ error: "Invalid input: expected plain JSON values" });

/** The schemas of `quick`. Their guards are compiled on first use. */
const guards = new WeakMap<z.ZodType, ((value: unknown) => boolean) | undefined>();
let ajv: Ajv | undefined;
let isLoading = false;

/**
 * Speeds up `parse` and the validation of routes for a schema. A validator compiled from the JSON Schema accepts most input
 * in a fraction of zod's time. zod checks only the remaining input. Use this function only for schemas that return their
 * input unchanged.
 */
export function quick<T extends z.ZodType>(schema: T): T {
  guards.set(schema, undefined);
  return schema;
}

export function parse<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  if (passesGuard(schema, value)) return { success: true, data: value as T };
  try {
    return schema.safeParse(value);
  } catch {
    return unreadable.safeParse(value);
  }
}

/** Whether a schema of `quick` surely accepts a value. If not, zod decides. */
function passesGuard(schema: z.ZodType, value: unknown): boolean {
  return guards.has(schema) && (guardOf(schema)?.(value) ?? false);
}

/** Returns the guard of a schema, or undefined until its compiler is loaded. zod gives the same results until then. */
function guardOf(schema: z.ZodType) {
  const known = guards.get(schema);
  if (known || !ajv) {
    void loadAjv();
    return known;
  }
  const guard = ajv.compile(z.toJSONSchema(schema, { target: "draft-7" }));
  guards.set(schema, guard);
  return guard;
}

async function loadAjv(): Promise<void> {
  if (isLoading) return;
  isLoading = true;
  const { Ajv } = await import("ajv");
  ajv = new Ajv({ strict: true, unicode: false, logger: false });
}

const validatorCompiler: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = zodCompiler(route);
  const refuse = zodCompiler({ ...route, schema: unreadable });
  const validateAny = (value: unknown) => {
    try {
      return validate(value);
    } catch {
      return refuse(value);
    }
  };
  const { schema } = route;
  return (value) => {
    if (passesGuard(schema, value)) return { value };
    const result = validateAny(value) as { value: unknown } | { error: FastifySchemaValidationError[] };
    return "error" in result ? { error: boundedIssues(result.error) } : result;
  };
};

type Compilers = NonNullable<NonNullable<FastifyServerOptions["schemaController"]>["compilersFactory"]>;

/** Compilers of zod's schemas, in place of those of JSON Schemas, which Fastify would load at the start. */
export const compilersFactory = {
  buildValidator: () => validatorCompiler,
  buildSerializer: () => serializerCompiler,
} as unknown as Compilers;

/** Part of the input that does not fit its schema, in Fastify's format. */
export interface SchemaIssue {
  /** Path of this part in the input, such as `/steps/0/index`. */
  instancePath: string;
  message?: string;
}

const longestList = 10;
const longestPath = 100;
const longestMessage = 200;

/**
 * Returns the first issues, shortened to a length that fits into a reply. Without a limit, input could cause one issue
 * for each byte.
 */
export function boundedIssues<Issue extends SchemaIssue>(issues: readonly Issue[]): Issue[] {
  const listed = issues.slice(0, longestList).map((issue) => ({
    ...issue,
    instancePath: shortened(issue.instancePath, longestPath),
    message: shortened(issue.message ?? "does not fit", longestMessage),
  }));
  const next = issues[longestList];
  if (next) listed.push({ ...next, instancePath: "", message: `${issues.length - longestList} more` });
  return listed;
}
