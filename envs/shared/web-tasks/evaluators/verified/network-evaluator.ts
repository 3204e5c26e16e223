/** Compares a browser's requests with the expected request, like `NetworkEventEvaluator` of WebArena-Verified. */
import { type Difference, difference } from "./comparison.js";
import { readValue } from "./formats/format.js";
import { text } from "./formats/text.js";
import { areSameUrls, haveSameBase, longestUrl, readUrl, type Url } from "./formats/url.js";
import {
  isNavigation,
  isStatic,
  type NetworkEvent,
  postFields,
  responseCookies,
  responseFields,
} from "./network-event.js";
import type { ExpectedFields, NetworkEventSpec } from "./network-spec.js";
import type { PyDict, PyValue } from "./python/value.js";
import { type Comparable, readBySchema } from "./schema.js";

/** @param isNavigateTask whether the task is to open a page. If true, only the last opened page counts. */
export function eventDifference(
  spec: NetworkEventSpec,
  events: readonly NetworkEvent[],
  isNavigateTask: boolean,
): Difference | null {
  const { unsatisfiable } = spec;
  if (unsatisfiable !== null) return () => unsatisfiable;
  const { method, urls } = spec.expected;
  const looked = events.filter((event) => event.url.length <= longestUrl && !isStatic(event));
  const matching =
    isNavigateTask && method === "GET" ? looked.filter(isNavigation).slice(-1) : candidates(spec, looked);
  if (!Array.isArray(matching)) return matching;
  const request = `${method} request to ${urls.map(({ base }) => base).join(" or ")}`;
  if (spec.isForbidden)
    return matching.length === 0 ? null : () => `expected no ${request}, but received ${matching.length} requests`;
  const selected = spec.isLastOnly ? matching.slice(-1) : matching;
  let nearest: Difference | null = null;
  for (const event of selected) {
    nearest = oneDifference(spec, event);
    if (!nearest) return null;
  }
  return nearest ?? (() => `expected a ${request}, but no such request was sent`);
}

/** Returns the requests with the expected method, URL (without the query) and referer. */
function candidates(spec: NetworkEventSpec, events: readonly NetworkEvent[]): NetworkEvent[] | Difference {
  const { method, urls, headers } = spec.expected;
  const { sites } = spec.urlOptions;
  const referer = headers.get("referer");
  const found: NetworkEvent[] = [];
  for (const event of events) {
    if (event.method.toLowerCase() !== method.toLowerCase()) continue;
    const url = readUrl(event.url, spec.urlOptions);
    // As in WebArena-Verified, one unreadable address makes the evaluation fail.
    if (!url) return () => `expected requests with valid URLs, but received ${event.url.slice(0, 200)}`;
    if (!haveSameBase(urls, [url], sites)) continue;
    // WebArena-Verified compares the referer in lower case here, and unchanged below.
    const given = event.headers.referer?.toLowerCase();
    if (referer && "urls" in referer && given) {
      const read = readUrl(given, spec.urlOptions);
      if (!read) return () => `expected a valid URL as referer, but received ${given.slice(0, 200)}`;
      if (!haveSameBase(referer.urls, [read], sites)) continue;
    }
    found.push(event);
  }
  return found;
}

function oneDifference(spec: NetworkEventSpec, event: NetworkEvent): Difference | null {
  const { expected, urlOptions, bodySchema } = spec;
  const context = { sites: urlOptions.sites, isExpected: false };
  const post = () => {
    const fields = postFields(event);
    const kept = fields && new Map([...fields].filter(([name]) => !spec.isPostFieldIgnored(name)));
    if (!kept || fields.size === 0) return null;
    return readBySchema(selected(kept, expected.post as ExpectedFields, true), bodySchema, context);
  };
  const response = () => {
    const fields = responseFields(event);
    return fields?.size ? selected(fields, expected.response as ExpectedFields, false) : null;
  };
  return (
    urlDifference("the address", expected.urls, event.url, spec) ??
    difference(expected.method, event.method, "the method") ??
    difference(BigInt(expected.status), BigInt(event.status), "the status") ??
    headerDifference(spec, event) ??
    (expected.post && difference(expected.post.values, post(), "the body", { isExtraAllowed: true })) ??
    (expected.response && difference(expected.response.values, response(), "the reply", { isExtraAllowed: true })) ??
    cookieDifference(spec, event)
  );
}

/** Returns the fields of a body that the task expects. A missing field is null in a request and omitted in a reply. */
function selected(body: PyDict, { readers }: ExpectedFields, isNullKept: boolean): PyDict {
  const fields = [...readers].map(([key, read]): [string, PyValue] => [key, read(body)]);
  return new Map(fields.filter(([key]) => isNullKept || key.startsWith("$") || key.startsWith("^") || body.has(key)));
}

function urlDifference(
  what: string,
  expected: readonly Url[],
  written: string,
  { urlOptions }: NetworkEventSpec,
): Difference | null {
  const url = readUrl(written, urlOptions);
  if (url && areSameUrls(expected, [url], urlOptions.sites)) return null;
  return () =>
    `expected ${what} to be ${expected.map(({ base }) => base).join(" or ")}, but received ${written.slice(0, 500)}`;
}

function headerDifference(spec: NetworkEventSpec, { headers }: NetworkEvent): Difference | null {
  for (const [name, expected] of spec.expected.headers) {
    const given = headers[name.toLowerCase()];
    if (given === undefined) return () => `expected the header ${name}, but the request does not have it`;
    const found =
      "urls" in expected
        ? urlDifference(`the header ${name}`, expected.urls, given, spec)
        : difference(expected.value, readHeader(given, spec), `the header ${name}`);
    if (found) return found;
  }
  return null;
}

function readHeader(value: string, { urlOptions: { sites } }: NetworkEventSpec): Comparable {
  return readValue(text, sites.emptied(value) ?? value, { isExpected: false }) ?? value;
}

function cookieDifference({ expected: { cookies } }: NetworkEventSpec, event: NetworkEvent): Difference | null {
  if (!cookies) return null;
  const given = [...responseCookies(event)].map(([name, value]): [string, Comparable] => [
    name,
    readValue(text, value, { isExpected: false }) ?? value,
  ]);
  return difference(cookies, new Map(given), "the cookies", { isExtraAllowed: true });
}
