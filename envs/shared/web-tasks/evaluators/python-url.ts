/** Splits and joins URLs like Python's `urllib.parse`. */

export interface SplitUrl {
  scheme: string;
  /** User, host and port. */
  netloc: string;
  path: string;
  query: string;
  fragment: string;
}

/**
 * Splits a URL like Python's `urlsplit`. Returns undefined for unbalanced IPv6 brackets, for which Python raises an
 * error.
 */
export function splitUrl(url: string): SplitUrl | undefined {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: browsers drop these characters too.
  let rest = url.replace(/^[\x00-\x20]+/, "").replace(/[\t\r\n]/g, "");
  const [whole = "", scheme = ""] = /^([a-zA-Z][a-zA-Z0-9+.-]*):/.exec(rest) ?? [];
  rest = rest.slice(whole.length);
  let netloc = "";
  if (rest.startsWith("//")) {
    const end = rest.slice(2).search(/[/?#]/);
    netloc = end === -1 ? rest.slice(2) : rest.slice(2, end + 2);
    rest = rest.slice(2 + netloc.length);
    if (netloc.includes("[") !== netloc.includes("]")) return undefined;
  }
  const [beforeFragment, fragment] = partition(rest, "#");
  const [path, query] = partition(beforeFragment, "?");
  return { scheme: scheme.toLowerCase(), netloc, path, query, fragment };
}

/** Joins the parts of a URL, like Python's `urlunsplit`. */
export function joinUrl({ scheme, netloc, path, query, fragment }: SplitUrl): string {
  let url = path;
  if (netloc || (scheme && schemesWithHost.has(scheme) && !url.startsWith("//")))
    url = `//${netloc}${url && !url.startsWith("/") ? "/" : ""}${url}`;
  if (scheme) url = `${scheme}:${url}`;
  if (query) url = `${url}?${query}`;
  return fragment ? `${url}#${fragment}` : url;
}

const schemesWithHost = new Set([
  ...["ftp", "http", "gopher", "nntp", "telnet", "imap", "wais", "file", "mms", "https", "shttp", "snews", "prospero"],
  ...["rtsp", "rtspu", "rsync", "svn", "svn+ssh", "sftp", "nfs", "git", "git+ssh", "ws", "wss"],
]);

/**
 * Splits a text at the first separator, like Python's `str.partition`. Returns the text before and after the separator.
 */
export function partition(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign);
  return at === -1 ? [text, ""] : [text.slice(0, at), text.slice(at + sign.length)];
}

/**
 * Decodes a text like Python's `unquote`: invalid UTF-8 becomes U+FFFD, and a percent sign without two hexadecimal
 * digits stays unchanged.
 */
export function unquote(text: string): string {
  if (!text.includes("%")) return text;
  return text.replace(/(?:%[0-9a-fA-F]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"),
  );
}

/**
 * Encodes a text like Python's `quote`. All characters except letters, digits, `_.-~` and the characters in `safe` are
 * percent-encoded.
 */
export function quote(text: string, safe: string): string {
  return text.replace(/[^a-zA-Z0-9_.~-]/gu, (character) => {
    if (safe.includes(character)) return character;
    const bytes = Buffer.from(character, "utf8");
    return [...bytes].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");
  });
}

/**
 * Parses a query like Python's `parse_qs` with `keep_blank_values`. Returns the values of each field in their order.
 */
export function parseQuery(query: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  if (query === "") return fields;
  for (const part of query.split("&")) {
    if (part === "") continue;
    const [name, value] = partition(part, "=").map((text) => unquote(text.replaceAll("+", " "))) as [string, string];
    const values = fields.get(name);
    if (values) values.push(value);
    else fields.set(name, [value]);
  }
  return fields;
}
