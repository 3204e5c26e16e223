/**
 * Schemas applied to what comes from outside. zod's length checks look at values of the wrong type, too, and throw where
 * such a value's `length` is an object without a primitive form: what they throw at fits no schema either.
 */
import { Ajv } from "ajv";
import type { FastifySchemaCompiler, FastifySchemaValidationError } from "fastify";
import { validatorCompiler as zodCompiler } from "fastify-type-provider-zod";
import { z } from "zod";
import { shortened } from "./errors.js";

const unreadable = z.never({ error: "Invalid input: expected values that can be looked at" });

const ajv = new Ajv({ strict: true, unicode: false, logger: false });
const guards = new WeakMap<z.ZodType, (value: unknown) => boolean>();

/**
 * Has what fits `schema` recognised by a validator compiled from its JSON Schema, in a fraction of zod's time; what that
 * does not recognise still goes through zod, whose word is final. Only for schemas that hand on what they are given.
 */
export function quick<T extends z.ZodType>(schema: T): T {
  guards.set(schema, ajv.compile(z.toJSONSchema(schema, { target: "draft-7" })));
  return schema;
}

export function parse<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  if (guards.get(schema)?.(value)) return { success: true, data: value as T };
  try {
    return schema.safeParse(value);
  } catch {
    return unreadable.safeParse(value);
  }
}

export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = zodCompiler(route);
  const refuse = zodCompiler({ ...route, schema: unreadable });
  const validateAny = (value: unknown) => {
    try {
      return validate(value);
    } catch {
      return refuse(value);
    }
  };
  return (value) => {
    const result = validateAny(value) as { value: unknown } | { error: FastifySchemaValidationError[] };
    return "error" in result ? { error: boundedIssues(result.error) } : result;
  };
};

/** What does not fit, and where: as Fastify has it of HTTP, and frames of a socket likewise. */
export interface SchemaIssue {
  /** `/steps/0/index` */
  instancePath: string;
  message?: string;
}

const longestList = 10;
const longestPath = 100;
const longestMessage = 200;

/** The first issues, cut to a length that fits into a reply: there may be one for each byte that came, or a long one. */
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
