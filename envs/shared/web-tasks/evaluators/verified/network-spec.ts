/** Parses the configuration of WebArena-Verified's `NetworkEventEvaluator`, which describes the expected request. */
import { readValue } from "./formats/format.js";
import { text } from "./formats/text.js";
import { type Query, readUrl, type Url, type UrlOptions } from "./formats/url.js";
import { type FieldReader, fieldReader } from "./json-path.js";
import { Pattern } from "./pattern/pattern.js";
import { fromJson, isList, type PyDict, type PyValue } from "./python/value.js";
import {
  type Comparable,
  type ComparableObject,
  parseSchema,
  readBySchema,
  type Schema,
  Unsatisfiable,
  UnsupportedSpec,
} from "./schema.js";
import type { SiteAddresses } from "./site-addresses.js";

export interface NetworkEventSpec {
  evaluator: "NetworkEventEvaluator";
  expected: ExpectedEvent;
  /** Whether only the last candidate request may match. If false, any candidate may match. */
  isLastOnly: boolean;
  /** Whether the task forbids the request. */
  isForbidden: boolean;
  /** Options for reading the URLs of requests. */
  urlOptions: UrlOptions;
  isPostFieldIgnored: (field: string) => boolean;
  bodySchema: Schema;
  /** Reason why no request can be right, or null. A few public tasks have no right request. */
  unsatisfiable: string | null;
}

export interface ExpectedEvent {
  urls: readonly Url[];
  method: string;
  status: number;
  /** Expected headers, by name in the spelling of the task file. */
  headers: ReadonlyMap<string, ExpectedHeader>;
  post: ExpectedFields | null;
  response: ExpectedFields | null;
  cookies: ComparableObject | null;
}

/** An expected header. Headers whose value is a URL are compared as URLs, and all other headers as values. */
export type ExpectedHeader = { urls: readonly Url[] } | { value: Comparable };

export interface ExpectedFields {
  values: ComparableObject;
  readers: ReadonlyMap<string, FieldReader>;
}

const options = [
  "evaluator",
  "expected",
  "last_event_only",
  "should_not_exist",
  "decode_base64_query",
  "query_params_schema",
  "ignored_query_params",
  "ignored_query_params_patterns",
  "ignored_post_data_params_patterns",
  "post_data_schema",
];
const expectations = [
  "url",
  "headers",
  "query_params",
  "post_data",
  "response_content",
  "response_status",
  "http_method",
  "response_cookies",
];

type Config = Readonly<Record<string, unknown>>;

/**
 * @throws {UnsupportedSpec} a part of the task is unknown or malformed
 * @throws {UnsupportedPattern} a regular expression is not supported
 * @throws {UnsupportedJsonPath} a JSONPath expression is not supported
 */
export function parseNetworkEvent(config: Config, sites: SiteAddresses): NetworkEventSpec {
  refuseOthers(config, options, "the evaluator");
  const expected = objectOf(config.expected, "expected") ?? {};
  refuseOthers(expected, expectations, "expected");
  const querySchema = config.query_params_schema
    ? parseSchema(config.query_params_schema, "query_params_schema")
    : null;
  const ignored = textsOf(config.ignored_query_params, "ignored_query_params");
  const isIgnored = patternTest(config.ignored_query_params_patterns, "ignored_query_params_patterns", true);
  const urlOptions: UrlOptions = {
    sites,
    isExpected: false,
    isFilled: true,
    isBase64Decoded: config.decode_base64_query === true,
    isIgnored: (field) => ignored.includes(field) || isIgnored(field),
    readQuery: querySchema ? (query) => readQuery(query, querySchema, false) : undefined,
  };
  const spec = {
    evaluator: "NetworkEventEvaluator" as const,
    isLastOnly: config.last_event_only !== false,
    isForbidden: config.should_not_exist === true,
    urlOptions,
    isPostFieldIgnored: patternTest(
      config.ignored_post_data_params_patterns,
      "ignored_post_data_params_patterns",
      false,
    ),
    bodySchema: parseSchema(config.post_data_schema ?? { type: "object" }, "post_data_schema"),
  };
  try {
    return { ...spec, expected: expectedEvent(expected, spec, querySchema), unsatisfiable: null };
  } catch (error) {
    if (!(error instanceof Unsatisfiable)) throw error;
    return { ...spec, expected: nothing, unsatisfiable: error.message };
  }
}

const nothing: ExpectedEvent = {
  urls: [],
  method: "GET",
  status: 200,
  headers: new Map<string, ExpectedHeader>(),
  post: null,
  response: null,
  cookies: null,
};

type ReadOptions = Pick<NetworkEventSpec, "urlOptions" | "isPostFieldIgnored" | "bodySchema">;

/** @throws {Unsatisfiable} */
function expectedEvent(
  expected: Config,
  { urlOptions, isPostFieldIgnored, bodySchema }: ReadOptions,
  querySchema: Schema | null,
): ExpectedEvent {
  const { sites } = urlOptions;
  const wanted: UrlOptions = {
    ...urlOptions,
    isExpected: true,
    readQuery: querySchema ? (query) => readQuery(query, querySchema, true) : undefined,
  };
  const { url, response_status: status = 200, http_method: method = "GET" } = expected;
  if (typeof status !== "number") throw new UnsupportedSpec("expected.response_status", "a number", status);
  if (typeof method !== "string") throw new UnsupportedSpec("expected.http_method", "a text", method);
  const query = queryOf(expected.query_params);
  const headers = Object.entries(objectOf(expected.headers, "expected.headers") ?? {});
  return {
    urls: readUrls(url, "expected.url", { ...wanted, query }),
    method,
    status,
    headers: new Map(headers.map(([name, value]) => [name, readHeader(name, value, wanted)])),
    post: expectedFields(expected.post_data, "expected.post_data", isPostFieldIgnored, (fields) =>
      readBySchema(fields, bodySchema, { sites, isExpected: true }),
    ),
    // Values of a reply are not normalized, so numbers and texts are compared unchanged.
    response: expectedFields(
      expected.response_content,
      "expected.response_content",
      () => false,
      (fields) => fields,
    ),
    cookies: cookiesOf(expected.response_cookies),
  };
}

function expectedFields(
  fields: unknown,
  what: string,
  isIgnored: (field: string) => boolean,
  read: (fields: PyDict) => Comparable,
): ExpectedFields | null {
  const entries = Object.entries(objectOf(fields, what) ?? {});
  if (entries.length === 0) return null;
  const values = new Map(entries.filter(([name]) => !isIgnored(name)).map(([name, value]) => [name, fromJson(value)]));
  if (values.size === 0) throw new Unsatisfiable(new Map(), `${what} to have fields that are not ignored`);
  const readers = new Map([...values.keys()].map((key) => [key, fieldReader(key)]));
  return { values: read(values) as ComparableObject, readers };
}

function cookiesOf(cookies: unknown): ComparableObject | null {
  const entries = Object.entries(objectOf(cookies, "expected.response_cookies") ?? {});
  return entries.length === 0 ? null : new Map(entries.map(([name, value]) => [name, readText(fromJson(value))]));
}

function readHeader(name: string, value: unknown, wanted: UrlOptions): ExpectedHeader {
  if (isUrlHeader(name)) return { urls: readUrls(value, `expected.headers.${name}`, wanted) };
  const { sites } = wanted;
  const derendered = (one: PyValue): PyValue => (typeof one === "string" ? (sites.emptied(one) ?? one) : one);
  const read = fromJson(value);
  return { value: readText(isList(read) ? read.map(derendered) : derendered(read)) };
}

function isUrlHeader(name: string): boolean {
  return name === "referer" || name === "redirect_url";
}

/** @throws {Unsatisfiable} */
function readText(value: PyValue): Comparable {
  const read = readValue(text, value, { isExpected: true });
  if (!read) throw new Unsatisfiable(value);
  return read;
}

/**
 * Reads one URL, or a list of two or more URLs.
 *
 * @throws {Unsatisfiable} no URL can match
 */
function readUrls(value: unknown, what: string, wanted: UrlOptions): Url[] {
  const urls = typeof value === "string" ? [value] : textsOf(value, what);
  if (urls.length === 0 || urls.includes("")) throw new UnsupportedSpec(what, "one or more addresses", value);
  if (Array.isArray(value) && urls.length === 1) throw new Unsatisfiable(urls, "one address, or two or more");
  return urls.map((url) => {
    const read = readUrl(url, wanted);
    if (!read) throw new Unsatisfiable(url, "an address of one of the task's sites");
    return read;
  });
}

function queryOf(query: unknown): ReadonlyMap<string, readonly string[]> | undefined {
  const fields = objectOf(query, "expected.query_params");
  return (
    fields &&
    new Map(Object.entries(fields).map(([name, values]) => [name, textsOf(values, `expected.query_params.${name}`)]))
  );
}

/**
 * Reads each field of a query in its format.
 *
 * @throws {Unsatisfiable} a field of an expected query does not match its format
 */
function readQuery(query: ReadonlyMap<string, readonly string[]>, schema: Schema, isExpected: boolean): Query {
  return readBySchema(query, schema, { isExpected }) as unknown as Query;
}

function refuseOthers(config: Config, known: readonly string[], what: string): void {
  const unknown = Object.keys(config).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new UnsupportedSpec(what, `made of ${known.join(", ")}`, unknown);
}

function objectOf(value: unknown, what: string): Config | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== "object" || Array.isArray(value)) throw new UnsupportedSpec(what, "an object", value);
  return value as Config;
}

function textsOf(value: unknown, what: string): string[] {
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value) || value.some((one) => typeof one !== "string"))
    throw new UnsupportedSpec(what, "a list of texts", value);
  return value as string[];
}

/** Returns a function that tests whether a pattern of a list matches some part of a name. */
function patternTest(value: unknown, what: string, isCaseIgnored: boolean): (name: string) => boolean {
  const patterns = textsOf(value, what).map((one) => new Pattern(one, { isCaseIgnored }));
  return (name) => patterns.some((pattern) => pattern.matchesAnywhere(name));
}
