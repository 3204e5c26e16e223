/** Normalizes URLs like the package `url-normalize`, which the public evaluators use. */
import { domainToASCII } from "node:url";
import { joinUrl, partition, quote, splitUrl, unquote } from "../../python-url.js";
import { stripEnd } from "../python/value.js";

const schemesWithHost = new Set(["http", "https", "ftp", "ftps"]);
const schemesWithPath = new Set(["http", "https", "ftp", "file"]);

const defaultPorts: Readonly<Record<string, string>> = {
  ftp: "21",
  gopher: "70",
  http: "80",
  https: "443",
  news: "119",
  nntp: "119",
  snews: "563",
  snntp: "563",
  telnet: "23",
  ws: "80",
  wss: "443",
};

/**
 * Normalizes a URL: adds a scheme, converts the host to lower case, removes a default port, and resolves dots in the
 * path. Returns undefined if the URL cannot be parsed.
 */
export function normalUrl(url: string): string | undefined {
  const cleaned = stripEnd(withScheme(url).replaceAll("#!", "?_escaped_fragment_="), "&? ");
  const parts = splitUrl(cleaned.trim());
  if (!parts) return undefined;
  const [, user = "", host = "", port = ""] = /^([^@]*@)?([^:]*):?(.*)/s.exec(parts.netloc) ?? [];
  const normalHost = hostOf(host);
  if (normalHost === undefined) return undefined;
  const normalPort = portOf(port, parts.scheme);
  return joinUrl({
    scheme: parts.scheme,
    netloc: `${user === "@" || user === ":@" ? "" : user}${normalHost}${normalPort && `:${normalPort}`}`,
    path: pathOf(parts.path, parts.scheme),
    query: queryOf(parts.query),
    fragment: rewritten(parts.fragment, "~="),
  });
}

function withScheme(url: string): string {
  if (url === "" || url === "-" || (url.startsWith("/") && !url.startsWith("//"))) return url;
  if (!url.slice(0, 7).includes(":")) return `https://${url.replace(/^\/+/, "")}`;
  const [scheme, rest] = partition(url, ":");
  return schemesWithHost.has(scheme.toLowerCase()) ? `${scheme}://${rest.replace(/^\/+/, "")}` : url;
}

/**
 * Encodes a host in Punycode. Returns undefined for invalid hosts, such as hosts with a label of more than 63
 * characters.
 */
function hostOf(host: string): string | undefined {
  const labels = host.toLowerCase().split(".").filter(Boolean);
  const normal = labels.join(".");
  const ascii = /^[\x21-\x7e]*$/.test(normal) ? normal : domainToASCII(normal);
  return (ascii === "" && normal !== "") || labels.some(({ length }) => length > 63) ? undefined : ascii;
}

function portOf(port: string, scheme: string): string {
  if (!/^\d+$/.test(port)) return port;
  const digits = port.replace(/^0+(?=\d)/, "");
  return defaultPorts[scheme] === digits ? "" : digits;
}

function pathOf(path: string, scheme: string): string {
  const quoted = rewritten(path, "~:/#[]@!$&'()*+,;=");
  if (scheme !== "" && !schemesWithPath.has(scheme)) return quoted;
  const parts = quoted.split("/");
  const kept: string[] = [];
  for (const part of parts) {
    if (part === "..") {
      if (kept.length > 1) kept.pop();
    } else if (part !== "." && (part !== "" || kept.length === 0)) kept.push(part);
  }
  if (["", ".", ".."].includes(parts.at(-1) as string)) kept.push("");
  const resolved = kept.join("/");
  return resolved === "" && scheme !== "" ? "/" : resolved;
}

function queryOf(query: string): string {
  const safe = "~:/?[]@!$'()*+,;";
  return query
    .split("&")
    .filter(Boolean)
    .map((field) => {
      const [name, value] = partition(field, "=").map((part) => rewritten(part, safe)) as [string, string];
      return value ? `${name}=${value}` : name;
    })
    .join("&");
}

function rewritten(text: string, safe: string): string {
  return quote(unquote(text).normalize("NFC"), safe);
}
