/** Bodies by their schemas; what does not fit is told as OpenAI does, with the parameter that is to blame. */
import type { z } from "zod";
import { EndpointError, shown } from "./errors.js";

/** @throws {EndpointError} */
export function parseBody<T extends z.ZodType>(schema: T, body: unknown): z.output<T> {
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  throw refusal(error.issues[0] as z.core.$ZodIssue, body);
}

function refusal(issue: z.core.$ZodIssue, body: unknown): EndpointError {
  if (issue.code === "unrecognized_keys") {
    const param = nameOf([...issue.path, issue.keys[0] as string]);
    return new EndpointError("unsupported_parameter", `expected no ${param}, which is not supported`, param);
  }
  const param = nameOf(issue.path);
  const received = issue.path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)?.[key], body);
  const given = received === undefined ? "none" : shown(received);
  const code = received === undefined ? "invalid_request" : codeOf(issue);
  const reason = issue.message.replace(/^Invalid input: /, "");
  return new EndpointError(code, `${param}: ${reason}, but received ${given}`, param);
}

/** A parameter of OpenAI's with a value that is refused, or one that makes no sense. */
function codeOf({ code }: z.core.$ZodIssue): "unsupported_parameter" | "invalid_request" {
  return code === "invalid_value" || code === "invalid_union" ? "unsupported_parameter" : "invalid_request";
}

/** `messages[0].content` */
function nameOf(path: readonly PropertyKey[]): string {
  const names = path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`));
  return names.join("").replace(/^\./, "") || "body";
}
