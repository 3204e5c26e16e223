/** Addresses with placeholders in place of sites, compared by their path and by the fields of their query. */

import { joinUrl, parseQuery, splitUrl, unquote } from "../../python-url.js";
import { isPatternText, Pattern } from "../pattern/pattern.js";
import { pyStrip, stripEnd } from "../python/value.js";
import type { SiteAddresses } from "../site-addresses.js";
import { Reading } from "./format.js";
import { normalUrl } from "./normal-url.js";

/** A value of a field: a text, or a value of the format that the task file gives the field. */
export type QueryValue = string | Pattern | Reading;
export type Query = ReadonlyMap<string, readonly QueryValue[]>;

export interface Url {
  /** Address without its query, or a pattern of one. */
  base: string | Pattern;
  query: Query;
}

export interface UrlOptions {
  sites: SiteAddresses;
  isExpected: boolean;
  /** Whether placeholders at the beginning are filled in before anything else. */
  isFilled: boolean;
  /** Whether parts of the path that are a query in Base64 are read as one. */
  isBase64Decoded?: boolean;
  isIgnored?: (field: string) => boolean;
  /** What stands in place of the query in the address. */
  query?: ReadonlyMap<string, readonly string[]> | undefined;
  /** Reads the fields of a query in their formats; undefined where a field is none of its own. */
  readQuery?: ((query: ReadonlyMap<string, readonly string[]>) => Query | undefined) | undefined;
}

/** Longer addresses, such as of images that are an address as a whole, are none that a task asks for. */
export const longestUrl = 65_536;

/**
 * @returns undefined for an address that is none, and for an expected one of another site
 * @throws {UnsupportedPattern}
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

/** `ssh://git@host:22/path` and `git@host:path` as `git@__SSH_HOST__:path`. */
function sshUrl(url: string): string | undefined {
  const long = /^ssh:\/\/(?:([^/?#@]*)@)?[^/?#]*([^?#]*)/i.exec(url);
  const short = url.includes("://") ? null : /^(git)@[^:]*:(.*)$/is.exec(url);
  const [, user = "git", path = ""] = long ?? short ?? [];
  if (!long && !short) return undefined;
  return `${user.toLowerCase()}@__SSH_HOST__:${path.toLowerCase().replace(/^\/+/, "")}`;
}

/** A semicolon at the end of a path, with no parameters behind it, is lost. */
function pathOf(path: string): string {
  return path.replace(/;$/, "");
}

/** Path without the parts that are a query in URL-safe Base64, and these queries. */
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

/** Fields of a query by their names, unquoted once more than usual, as in the original. */
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

/** Whether the addresses are the same but for their queries. */
export function haveSameBase(expected: readonly Url[], actual: readonly Url[], sites: SiteAddresses): boolean {
  return expected.some((one) => actual.some((other) => isSameBase(one, other, sites)));
}

/** Whether the addresses are the same, the fields of their queries that are not ignored among that. */
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

/** A field that is not there is an empty one, and of several values the first one counts. */
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
