/** URL and body templates of web services. The argument `city` replaces the placeholder `{city}`. */
import type { ObjectSchema } from "../../env.js";
import type { Arguments } from "./tool-kit.js";

export interface ServiceTemplate {
  name: string;
  parameters: ObjectSchema;
  method: string;
  url: string;
  body?: unknown;
}

const placeholder = /\{([\w-]+)\}/g;
const onlyPlaceholder = /^\{([\w-]+)\}$/;
/** Matches a path segment `.` or `..`, plain or percent-encoded. */
const dotSegment = /(^|[/\\]|%2f|%5c)(\.|%2e){1,2}($|[/\\]|%2f|%5c)/i;

/** Checks the template of a tool. @throws {RangeError} it is not a valid request */
export function checkTemplate({ name, parameters, method, url, body }: ServiceTemplate): void {
  const refuse = (expected: string, received: string) =>
    new RangeError(`expected ${expected} for the tool ${name}, but received ${received}`);
  const [origin] = /^https?:\/\/[^/?#\\]*/.exec(url) ?? [""];
  if (origin.includes("{")) throw refuse("arguments in the path or the query of the URL", `${origin} as its host`);
  if (origin.includes("@")) throw refuse("a URL without a password", "one with a password. Put it into `headers`");
  if (!URL.canParse(url.replace(placeholder, "x"))) throw refuse("a URL", JSON.stringify(url));
  const unknown = [...url.matchAll(placeholder)].find(([, named = ""]) => !isParameter(parameters, named));
  if (unknown) {
    const known = Object.keys(parameters.properties ?? {}).join(", ") || "none";
    throw refuse(`placeholders for its parameters (${known}) in the URL`, unknown[0]);
  }
  if (method === "GET" && body !== undefined) throw refuse("no body with the method GET", "one. Use POST");
}

/**
 * Fills in the URL of a call. Arguments are URL-encoded, so an argument stays within its path segment. Query parameters
 * without an argument are omitted.
 *
 * @returns the URL, or in `wrong` a description of the error in the arguments, without a final period
 */
export function urlOf(template: string, given: Arguments): { url: string } | { wrong: string } {
  const [path = "", ...queries] = template.split("?");
  for (const [, name = ""] of path.matchAll(placeholder)) {
    const text = textOf(argument(given, name));
    if (text === "") return { wrong: `expected a value for ${name}, but received no value` };
    if (dotSegment.test(text))
      return { wrong: `expected a value other than . and .. for ${name}, but received ${JSON.stringify(text)}` };
  }
  const filled = path.replace(placeholder, (_, name: string) => encoded(argument(given, name)));
  const isLeft = filled.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  if (isLeft)
    return {
      wrong: "expected arguments that do not create a path segment . or .. in the URL, but received arguments that do",
    };
  const query = queries.join("?");
  const parts = query.split("&").filter((part) => {
    const [, name] = onlyPlaceholder.exec(part.slice(part.indexOf("=") + 1)) ?? [];
    return name === undefined || (argument(given, name) ?? null) !== null;
  });
  const search = parts.join("&").replace(placeholder, (_, name: string) => encoded(argument(given, name)));
  return { url: search === "" ? filled : `${filled}?${search}` };
}

/**
 * Fills in the body of a call. `"{city}"` is replaced by the argument with its JSON type. Object entries without an
 * argument are omitted. Braces without the name of a parameter, as in GraphQL, stay unchanged.
 */
export function bodyOf(template: unknown, given: Arguments, parameters: ObjectSchema): unknown {
  if (typeof template === "string") {
    const [, whole] = onlyPlaceholder.exec(template) ?? [];
    if (whole !== undefined && isParameter(parameters, whole)) return argument(given, whole);
    return template.replace(placeholder, (braces, name: string) =>
      isParameter(parameters, name) ? textOf(argument(given, name)) : braces,
    );
  }
  if (Array.isArray(template)) return template.map((entry) => bodyOf(entry, given, parameters));
  if (typeof template !== "object" || template === null) return template;
  return Object.fromEntries(
    Object.entries(template).map(([key, entry]) => [key, bodyOf(entry, given, parameters)] as const),
  );
}

function isParameter({ properties = {} }: ObjectSchema, name: string): boolean {
  return Object.hasOwn(properties, name);
}

function argument(given: Arguments, name: string): unknown {
  return Object.hasOwn(given, name) ? given[name] : undefined;
}

function encoded(value: unknown): string {
  return encodeURIComponent(textOf(value).toWellFormed());
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
