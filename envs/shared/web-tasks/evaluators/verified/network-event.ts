/** The requests of a browser with their replies, in the form that the evaluators read. */

import { parseQuery, splitUrl, unquote } from "../python-url.js";
import { parseJson } from "./python/json.js";
import { isDict, type PyDict, pyStrip, stripEnd } from "./python/value.js";

/**
 * A request with its reply. The values are those of Playwright: `request.url()`, `method()`, `allHeaders()` and
 * `postData()`, and `response.status()`, `headersArray()` and `text()`. Each redirect is a separate request.
 */
export interface NetworkEvent {
  url: string;
  method: string;
  /** Headers of the request, by name in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Body of the request, or null if the request has no body. */
  postData: string | null;
  /** Status of the reply, or -1 if no reply arrived. */
  status: number;
  /** Headers of the reply. Each `set-cookie` header is a separate entry. */
  responseHeaders: readonly { name: string; value: string }[];
  /** Body of the reply as text, or null if the body is missing or was not recorded. */
  responseText: string | null;
}

const staticEndings = [
  ".css",
  ".js",
  ".png",
  ".jpg",
  ".jpeg",
  ".gif",
  ".svg",
  ".woff",
  ".woff2",
  ".ttf",
  ".ico",
  ".webp",
];

/** Whether a request loads a style sheet, a script, an image or a font. Evaluators ignore these requests. */
export function isStatic({ url }: Pick<NetworkEvent, "url">): boolean {
  const path = splitUrl(url)?.path.replace(/;[^/]*$/, "") ?? "";
  return staticEndings.some((ending) => path.endsWith(ending));
}

/** Whether a request loads a page after a click on a link, a submitted form or an entered URL. */
export function isNavigation({ method, headers }: Pick<NetworkEvent, "method" | "headers">): boolean {
  if (method !== "GET") return false;
  const [accept = "", user, dest, mode] = ["accept", "sec-fetch-user", "sec-fetch-dest", "sec-fetch-mode"].map((name) =>
    headers[name]?.toLowerCase(),
  );
  if (user === undefined) return accept.startsWith("text/html");
  return dest === "document" && mode === "navigate" && user === "?1" && accept.includes("text/html");
}

/** Returns the fields of a request's body, or null if the content type of the body is unknown. */
export function postFields({ headers, postData }: NetworkEvent): PyDict | null {
  return fieldsOf(postData, headers["content-type"] ?? "");
}

/** Returns the fields of a reply's body, or null if the content type of the body is unknown. */
export function responseFields({ responseHeaders, responseText }: NetworkEvent): PyDict | null {
  const type = responseHeaders.find(({ name }) => name.toLowerCase() === "content-type")?.value ?? "";
  return fieldsOf(responseText, type);
}

/** Returns the cookies that a reply sets, with decoded values. */
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
