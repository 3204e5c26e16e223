/**
 * Parses the schemas in task files, which describe an answer, a query or a body, and reads values according to a
 * schema.
 */
import { coordinates } from "./formats/coordinates.js";
import { date, month } from "./formats/date.js";
import { distance } from "./formats/distance.js";
import { duration } from "./formats/duration.js";
import { type Format, type ReadContext, Reading, readValue } from "./formats/format.js";
import { locationName } from "./formats/location-name.js";
import { markdown } from "./formats/markdown.js";
import { currency, number } from "./formats/number.js";
import { base64, boolean, json, stringList, text } from "./formats/text.js";
import { areSameUrls, longestUrl, readUrl, type Url } from "./formats/url.js";
import { parseJson } from "./python/json.js";
import { isDict, isList, type PyValue } from "./python/value.js";
import { SiteAddresses } from "./site-addresses.js";

export type Schema =
  | { kind: "value"; format: Format<unknown> }
  | { kind: "array"; items: Schema }
  | { kind: "object"; properties: ReadonlyMap<string, Schema> };

/** A value for comparison. A value that does not match its format stays unchanged. */
export type Comparable = PyValue | Reading | ComparableList | ComparableObject;
export type ComparableList = readonly Comparable[];
export type ComparableObject = ReadonlyMap<string, Comparable>;

/** Error if a part of a task's evaluators, such as a schema, is unsupported or malformed. */
export class UnsupportedSpec extends Error {
  constructor(what: string, expected: string, received: unknown) {
    super(`expected ${what} to be ${expected}, but received ${JSON.stringify(received) ?? received}`);
  }
}

/**
 * Error if an expected value does not match its own format, so that no answer can match it. The public evaluators fail
 * every answer to this task.
 */
export class Unsatisfiable extends Error {
  constructor(value: PyValue, expected = "a value of the format that its schema gives") {
    super(`expected ${expected}, but received ${toJson(value)}`);
  }
}

const longestShown = 200;

/** Formats a value as JSON for messages, and shortens long texts in the value. */
export function toJson(value: Comparable | undefined): string | undefined {
  return JSON.stringify(value, (_, one: unknown) => {
    const written = one instanceof Reading ? one.written : one;
    if (typeof written === "bigint") return Number(written);
    if (typeof written === "string" && written.length > longestShown) return `${written.slice(0, longestShown)}...`;
    return written instanceof Map ? Object.fromEntries(written) : written;
  });
}

const noSites = new SiteAddresses({});

const url: Format<Url> = {
  read: (value, { sites = noSites, isExpected }) =>
    typeof value === "string" && value.length <= longestUrl
      ? readUrl(value, { sites, isExpected, isFilled: false })
      : undefined,
  isMatch: (expected, actual) => areSameUrls(expected, actual, noSites),
};

const formats: Readonly<Record<string, Format<unknown>>> = {
  string: text,
  number,
  integer: number,
  boolean,
  currency,
  date,
  month,
  duration,
  distance,
  coordinates,
  url,
  "location-name": locationName,
  markdown,
  json,
  base64,
  string_list: stringList,
};

export const textSchema: Schema = { kind: "value", format: text };

/** @throws {UnsupportedSpec} the schema is unsupported or malformed */
export function parseSchema(schema: unknown, what: string): Schema {
  if (typeof schema !== "object" || schema === null || Array.isArray(schema))
    throw new UnsupportedSpec(what, "an object", schema);
  const { type, format, items, properties } = schema as Readonly<Record<string, unknown>>;
  if (type === "array") {
    const parsed = parseSchema(items ?? {}, `${what}.items`);
    if (parsed.kind === "array") throw new UnsupportedSpec(`${what}.items`, "the schema of values or objects", items);
    return { kind: "array", items: parsed };
  }
  if (type === "object") {
    const parts = Object.entries((properties ?? {}) as object);
    return {
      kind: "object",
      properties: new Map(parts.map(([name, part]) => [name, parseSchema(part, `${what}.${name}`)])),
    };
  }
  const name = format ?? type ?? "string";
  const known = typeof name === "string" && Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (!known) throw new UnsupportedSpec(`the format of ${what}`, `one of ${Object.keys(formats).join(", ")}`, name);
  return { kind: "value", format: known };
}

/**
 * @throws {Unsatisfiable} an expected value does not match its format
 * @throws {UnsupportedPattern} a pattern is not supported
 */
export function readBySchema(value: PyValue, schema: Schema, context: ReadContext): Comparable {
  switch (schema.kind) {
    case "value":
      return readValue(schema.format, value, context) ?? unread(value, context);
    case "array":
      return readArray(value, schema.items, context);
    case "object":
      return readObject(value, schema.properties, context);
  }
}

/** Reads a list whose elements may be lists of alternatives. The value may also be a JSON text of a list. */
function readArray(value: PyValue, items: Schema, context: ReadContext): Comparable {
  const parsed = typeof value === "string" ? parseJson(value) : undefined;
  const list = parsed !== undefined && isList(parsed) ? parsed : value;
  if (!isList(list)) return unread(value, context);
  return list.map((item) => readBySchema(item, items, context));
}

function readObject(value: PyValue, properties: ReadonlyMap<string, Schema>, context: ReadContext): Comparable {
  if (isList(value)) return value.map((item) => readObject(item, properties, context));
  const parsed = typeof value === "string" ? parseJson(value) : undefined;
  const dict = parsed !== undefined && isDict(parsed) ? parsed : value;
  if (!isDict(dict)) return unread(value, context);
  return new Map(
    [...dict].map(([name, item]): [string, Comparable] => [
      name,
      item === null ? null : readBySchema(item, properties.get(name) ?? textSchema, context),
    ]),
  );
}

function unread(value: PyValue, { isExpected }: ReadContext): PyValue {
  if (isExpected) throw new Unsatisfiable(value);
  return value;
}
