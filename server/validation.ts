/**
 * Schemas applied to what comes from outside. zod's length checks look at values of the wrong type, too, and throw where
 * such a value's `length` is an object without a primitive form: what they throw at fits no schema either.
 */
import type { FastifySchemaCompiler } from "fastify";
import { validatorCompiler as zodCompiler } from "fastify-type-provider-zod";
import { z } from "zod";

const unreadable = z.never({ error: "Invalid input: expected values that can be looked at" });

export function parse<T>(schema: z.ZodType<T>, value: unknown): z.ZodSafeParseResult<T> {
  try {
    return schema.safeParse(value);
  } catch {
    return unreadable.safeParse(value);
  }
}

export const validatorCompiler: FastifySchemaCompiler<z.ZodType> = (route) => {
  const validate = zodCompiler(route);
  const refuse = zodCompiler({ ...route, schema: unreadable });
  return (value) => {
    try {
      return validate(value);
    } catch {
      return refuse(value);
    }
  };
};
