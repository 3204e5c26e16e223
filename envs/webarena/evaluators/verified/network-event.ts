/** Requests of a browser and the replies to them, as the evaluators look at them. */

import { parseQuery, splitUrl, unquote } from "../python-url.js";
import { parseJson } from "./python/json.js";
import { isDict, type PyDict, pyStrip, stripEnd } from "./python/value.js";

/**
 * A request with its reply. Playwright gives all of it: `request.url()`, `method()`, `allHeaders()` and `postData()`, and
 * `response.status()`, `headersArray()` and `text()`. Each redirect is a request of its own.
 */
export interface NetworkEvent {
  url: string;
  method: string;
  /** Headers of the request by their lower-case names. */
  headers: Readonly<Record<string, string>>;
  /** Body of the request, or null without one. */
  postData: string | null;
  /** Status of the reply, -1 without one. */
  status: number;
  /** Headers of the reply. Each `set-cookie` is one of them. */
  responseHeaders: readonly { name: string; value: string }[];
  /** Body of the reply as text; null without one, and where it was not kept. */
  responseText: string | null;
}

const staticEndings = [
  ...[".css", ".js", ".png", ".jpg", ".jpeg", ".gif", ".svg", ".woff", ".woff2", ".ttf", ".ico", ".webp"],
];

/** Whether a request is for a style sheet, a script, an image or a font. Evaluators do not see these. */
export function isStatic({ url }: Pick<NetworkEvent, "url">): boolean {
  const path = splitUrl(url)?.path.replace(/;[^/]*$/, "") ?? "";
  return staticEndings.some((ending) => path.endsWith(ending));
}

/** Whether a request loads a page into a tab because somebody followed a link, sent a form or opened an address. */
export function isNavigation({ method, headers }: Pick<NetworkEvent, "method" | "headers">): boolean {
  if (method !== "GET") return false;
  const [accept = "", user, dest, mode] = ["accept", "sec-fetch-user", "sec-fetch-dest", "sec-fetch-mode"].map((name) =>
    headers[name]?.toLowerCase(),
  );
  if (user === undefined) return accept.startsWith("text/html");
  return dest === "document" && mode === "navigate" && user === "?1" && accept.includes("text/html");
}

/** Fields of the body of a request, or null for a body of no known type. */
export function postFields({ headers, postData }: NetworkEvent): PyDict | null {
  return fieldsOf(postData, headers["content-type"] ?? "");
}

/** Fields of the body of a reply, or null for a body of no known type. */
export function responseFields({ responseHeaders, responseText }: NetworkEvent): PyDict | null {
  const type = responseHeaders.find(({ name }) => name.toLowerCase() === "content-type")?.value ?? "";
  return fieldsOf(responseText, type);
}

/** Cookies that a reply sets, decoded. */
export function responseCookies({ responseHeaders }: NetworkEvent): ReadonlyMap<string, string> {
  const cookies = responseHeaders.filter(({ name }) => name.toLowerCase() === "set-cookie");
  return new Map(
    cookies.map(({ value }) => {
      const [, name = "", text = ""] = /^\s*([^=;]*)(?:=([^;]*))?/.exec(value) ?? [];
      return [name.trim(), unquote(text.trim())];
    }),
  );
}

function fieldsOf(text: string | null, type: string): PyDict | null {
  if (!text) return null;
  if (type.includes("application/x-www-form-urlencoded"))
    return new Map([...parseQuery(text)].map(([name, [value = ""]]) => [name, value]));
  if (type.includes("application/json")) {
    const parsed = parseJson(text);
    if (parsed !== undefined && isDict(parsed)) return parsed;
  }
  const [, boundary] = (type.includes("multipart/form-data") && /boundary=([^;\s]+)/.exec(type)) || [];
  return boundary === undefined ? null : multipartFields(text, boundary);
}

function multipartFields(text: string, boundary: string): PyDict {
  const fields = new Map<string, string>();
  for (const part of text.split(`--${boundary}`).map(pyStrip)) {
    const gap = ["\r\n\r\n", "\n\n"].find((one) => part.includes(one));
    if (gap === undefined) continue;
    const at = part.indexOf(gap);
    const disposition = part
      .slice(0, at)
      .split("\r\n")
      .find((line) => line.toLowerCase().startsWith("content-disposition:"));
    const name = /name="([^"]+)"/.exec(disposition ?? "")?.[1];
    if (name !== undefined) fields.set(name, stripEnd(part.slice(at + gap.length), "\r\n"));
  }
  return fields;
}
