/** URL and body templates of web services, in which `{city}` stands for the argument `city`. */
import type { ObjectSchema } from "../env.js";
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
/** A `.` or `..` between slashes, also where the slashes and dots are percent-encoded. */
const dotSegment = /(^|[/\\]|%2f|%5c)(\.|%2e){1,2}($|[/\\]|%2f|%5c)/i;

/** @throws {RangeError} no request can be made with the template */
export function checkTemplate({ name, parameters, method, url, body }: ServiceTemplate): void {
  const refuse = (expected: string, received: string) =>
    new RangeError(`expected ${expected} for the tool ${name}, but received ${received}`);
  const [origin] = /^https?:\/\/[^/?#\\]*/.exec(url) ?? [""];
  if (origin.includes("{")) throw refuse("arguments in the path or the query of the URL", `${origin} as its host`);
  if (origin.includes("@")) throw refuse("a URL without a password, which belongs in `headers`", "one with it");
  if (!URL.canParse(url.replace(placeholder, "x"))) throw refuse("a URL", JSON.stringify(url));
  const unknown = [...url.matchAll(placeholder)].find(([, named = ""]) => !isParameter(parameters, named));
  if (unknown) {
    const known = Object.keys(parameters.properties ?? {}).join(", ") || "none";
    throw refuse(`placeholders for its parameters (${known}) in the URL`, unknown[0]);
  }
  if (method === "GET" && body !== undefined) throw refuse("no body with the method GET", "one. Use POST");
}

/**
 * The URL of a call. Arguments are URL-encoded and cannot add or leave a segment of the path. A parameter of the query
 * whose argument is left out is left out.
 *
 * @returns `wrong`: what is wrong with the arguments, as a sentence without its end
 */
export function urlOf(template: string, given: Arguments): { url: string } | { wrong: string } {
  const [path = "", ...queries] = template.split("?");
  for (const [, name = ""] of path.matchAll(placeholder)) {
    const text = textOf(argument(given, name));
    if (text === "") return { wrong: `expected a value for ${name}, but received none` };
    if (dotSegment.test(text)) return { wrong: `expected no . or .. as ${name}, but received ${JSON.stringify(text)}` };
  }
  const filled = path.replace(placeholder, (_, name: string) => encoded(argument(given, name)));
  const isLeft = filled.split("/").some((segment) => /^(\.|%2e){1,2}$/i.test(segment));
  if (isLeft) return { wrong: "expected arguments that make no . or .. of the URL, but received some that do" };
  const query = queries.join("?");
  const parts = query.split("&").filter((part) => {
    const [, name] = onlyPlaceholder.exec(part.slice(part.indexOf("=") + 1)) ?? [];
    return name === undefined || (argument(given, name) ?? null) !== null;
  });
  const search = parts.join("&").replace(placeholder, (_, name: string) => encoded(argument(given, name)));
  return { url: search === "" ? filled : `${filled}?${search}` };
}

/**
 * The body of a call. `"{city}"` becomes the argument itself, of whatever type; an entry whose argument is left out is
 * left out. Braces that name no parameter, as in GraphQL, stay as they are.
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
