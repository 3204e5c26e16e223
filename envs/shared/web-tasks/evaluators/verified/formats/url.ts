/**
 * Reads and compares URLs that may have a placeholder for a site. The comparison uses the path and the fields of the
 * query.
 */

import { joinUrl, parseQuery, splitUrl, unquote } from "../../python-url.js";
import { isPatternText, Pattern } from "../pattern/pattern.js";
import { pyStrip, stripEnd } from "../python/value.js";
import type { SiteAddresses } from "../site-addresses.js";
import { Reading } from "./format.js";
import { normalUrl } from "./normal-url.js";

/** Value of a query field: a text, or a value in the format that the task file specifies. */
export type QueryValue = string | Pattern | Reading;
export type Query = ReadonlyMap<string, readonly QueryValue[]>;

export interface Url {
  /** URL without the query, or a pattern for URLs without query. */
  base: string | Pattern;
  query: Query;
}

export interface UrlOptions {
  sites: SiteAddresses;
  isExpected: boolean;
  /** Whether a placeholder at the start is replaced by the site's URL before the parsing. */
  isFilled: boolean;
  /** Whether path segments that contain a query in Base64 are decoded. */
  isBase64Decoded?: boolean;
  isIgnored?: (field: string) => boolean;
  /** Query that replaces the query of the URL. */
  query?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Reads each field of a query in its format. Returns undefined if a field does not match its format. */
  readQuery?: ((query: ReadonlyMap<string, readonly string[]>) => Query | undefined) | undefined;
}

/** Maximum length of a URL in characters. Longer URLs, such as data URLs of images, are not expected by any task. */
export const longestUrl = 65_536;

/**
 * @returns the URL, or undefined if the URL is invalid or an expected URL is not on one of the task's sites
 * @throws {UnsupportedPattern} the URL is an unsupported pattern
 */
export function readUrl(written: string, options: UrlOptions): Url | undefined {
  const url = pyStrip(written);
  if (url === "") return undefined;
  if (isPatternText(url)) return options.isExpected ? patternUrl(url, options) : undefined;
  const filled = filledIn(stripEnd(url, "/"), options);
  if (filled === undefined) return undefined;
  const ssh = sshUrl(filled);
  if (ssh !== undefined) return { base: ssh, query: new Map() };
  const normal = normalUrl(filled);
  const derendered = normal && (options.sites.emptied(normal) ?? (options.isExpected ? undefined : normal));
  const parts = derendered === undefined ? undefined : splitUrl(derendered);
  if (!parts) return undefined;
  const isDecoded = options.isBase64Decoded && options.query === undefined;
  const [path, coded] = isDecoded ? withoutCodedQueries(pathOf(parts.path)) : [pathOf(parts.path), []];
  const query = readQuery(options.query ?? unquotedQuery([...coded, parts.query].filter(Boolean).join("&")), options);
  return query && { base: joinUrl({ ...parts, netloc: parts.netloc.toLowerCase(), path, query: "" }), query };
}

function filledIn(url: string, { sites, isExpected, isFilled }: UrlOptions): string | undefined {
  if (!isFilled || !url.startsWith("__")) return url;
  return sites.filled(url) ?? (isExpected ? undefined : url);
}

function patternUrl(url: string, options: UrlOptions): Url | undefined {
  const inside = filledIn(url.slice(1, -1), options);
  const query = readQuery(options.query ?? new Map(), options);
  return inside === undefined || !query ? undefined : { base: new Pattern(`^${inside}$`), query };
}

/** Converts `ssh://git@host:22/path` and `git@host:path` to `git@__SSH_HOST__:path`. */
function sshUrl(url: string): string | undefined {
  const long = /^ssh:\/\/(?:([^/?#@]*)@)?[^/?#]*([^?#]*)/i.exec(url);
  const short = url.includes("://") ? null : /^(git)@[^:]*:(.*)$/is.exec(url);
  const [, user = "git", path = ""] = long ?? short ?? [];
  if (!long && !short) return undefined;
  return `${user.toLowerCase()}@__SSH_HOST__:${path.toLowerCase().replace(/^\/+/, "")}`;
}

/** Removes a semicolon at the end of a path if no parameters follow. */
function pathOf(path: string): string {
  return path.replace(/;$/, "");
}

/** Removes the path segments that contain a query in URL-safe Base64, and returns these queries separately. */
function withoutCodedQueries(path: string): [path: string, queries: string[]] {
  const queries: string[] = [];
  const parts = path.split("/").filter((part) => {
    const query = codedQuery(part);
    if (query) queries.push(query.replace(/^[?&]+/, ""));
    return part !== "" && !query;
  });
  if (parts.length === 0) return [path.startsWith("/") ? "/" : "", queries];
  return [`${path.startsWith("/") ? "/" : ""}${parts.join("/")}${path.endsWith("/") ? "/" : ""}`, queries];
}

function codedQuery(part: string): string | undefined {
  if (!/^[A-Za-z0-9_-]{4,}={0,2}$/.test(part) || part.replace(/=+$/, "").length % 4 === 1) return undefined;
  const bytes = Buffer.from(part, "base64url");
  const decoded = bytes.toString("utf8");
  if (!decoded.includes("=") || !bytes.equals(Buffer.from(decoded))) return undefined;
  return pyStrip(unquote(decoded)) || undefined;
}

/** Returns the fields of a query by name. As in WebArena-Verified, each field is percent-decoded twice. */
function unquotedQuery(query: string): ReadonlyMap<string, readonly string[]> {
  return new Map([...parseQuery(pyStrip(query))].map(([name, values]) => [unquote(name), values.map(unquote).sort()]));
}

function readQuery(query: ReadonlyMap<string, readonly string[]>, options: UrlOptions): Query | undefined {
  const kept = [...query].filter(([name]) => !options.isIgnored?.(name));
  const simple = new Map(
    kept.map(([name, values]) => [name, values.map((value) => pyStrip(value.toLowerCase())).sort()]),
  );
  if (options.readQuery) return simple.size === 0 ? simple : options.readQuery(simple);
  if (!options.isExpected) return simple;
  const pattern = (value: string) => (isPatternText(value) ? new Pattern(value) : value);
  return new Map([...simple].map(([name, values]) => [name, values.map(pattern)]));
}

/** Whether an expected and an actual URL are equal without their queries. */
export function haveSameBase(expected: readonly Url[], actual: readonly Url[], sites: SiteAddresses): boolean {
  return expected.some((one) => actual.some((other) => isSameBase(one, other, sites)));
}

/** Whether an expected and an actual URL are equal, including all query fields that are not ignored. */
export function areSameUrls(expected: readonly Url[], actual: readonly Url[], sites: SiteAddresses): boolean {
  return expected.some((one) =>
    actual.some((other) => isSameBase(one, other, sites) && isSameQuery(one.query, other.query)),
  );
}

function isSameBase({ base }: Url, { base: actual }: Url, sites: SiteAddresses): boolean {
  if (typeof actual !== "string") return false;
  if (typeof base !== "string")
    return base.matchesStart(actual.startsWith("__") ? (sites.filled(actual) ?? actual) : actual);
  const [one, other] = [base, actual].map((url) => stripEnd(url.toLowerCase(), "/"));
  return one === other;
}

/**
 * Whether two queries are equal. A missing field counts as `""`. For a field with several values, only the first value
 * is compared.
 */
function isSameQuery(expected: Query, actual: Query): boolean {
  return [...new Set([...expected.keys(), ...actual.keys()])].every((name) => {
    const wanted = expected.get(name)?.[0] ?? "";
    const given = actual.get(name)?.[0] ?? "";
    if (wanted instanceof Pattern) return wanted.matchesStart(textOf(given));
    if (wanted instanceof Reading) return given instanceof Reading && wanted.isMatch(given);
    return wanted === textOf(given);
  });
}

function textOf(value: QueryValue): string {
  return value instanceof Reading ? `${value.alternatives[0]}` : `${value}`;
}
