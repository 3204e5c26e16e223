import { z } from "zod";

/**
 * Returns the schema of an object with one entry, such as `{"search": {"passages": 3}}`. The entry's name selects the
 * schema of its value. Unlike the errors of a Zod union, an error names the invalid setting.
 *
 * @param what noun phrase for the object in errors, such as "a reward"
 */
export function namedChoice<Schemas extends Record<string, z.ZodType>>(what: string, schemas: Schemas) {
  type Choice = { [Name in keyof Schemas]: Record<Name, z.output<Schemas[Name]>> }[keyof Schemas];
  return z.unknown().transform((given, context): Choice => {
    const names = typeof given === "object" && given !== null && !Array.isArray(given) ? Object.keys(given) : [];
    const [name = ""] = names;
    const schema = names.length === 1 && Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (!schema) {
      const received = JSON.stringify(given)?.slice(0, 100);
      const known = Object.keys(schemas).join(", ");
      context.addIssue({
        code: "custom",
        message: `expected ${what} with one of the names ${known}, but received ${received}`,
      });
      return z.NEVER;
    }
    const parsed = schema.safeParse((given as Record<string, unknown>)[name]);
    if (parsed.success) return { [name]: parsed.data } as Choice;
    for (const { path, message } of parsed.error.issues) {
      context.addIssue({ code: "custom", path: [name, ...path], message });
    }
    return z.NEVER;
  });
}
