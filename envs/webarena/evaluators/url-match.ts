/** Addresses against reference addresses: `URLEvaluator` of WebArena's public evaluators. */

interface ParsedUrl {
  /** Host and path. */
  base: string;
  query: Map<string, string[]>;
}

/**
 * Whether the page is one that the task asks for.
 *
 * @param reference one or more addresses with ` |OR| ` between them
 */
export function matchesUrl(reference: string, pageUrl: string): boolean {
  const wanted = reference.split(" |OR| ").map((url) => parseUrl(withoutSlashes(url)));
  const given = parseUrl(withoutSlashes(pageUrl));
  if (!wanted.some(({ base }) => given.base.includes(base))) return false;
  // The original takes the queries of all references together.
  const allowed = new Map<string, string[]>();
  for (const { query } of wanted)
    for (const [name, values] of query) allowed.set(name, [...(allowed.get(name) ?? []), ...values]);
  return [...allowed].every(([name, values]) => values.some((value) => given.query.get(name)?.includes(value)));
}

function withoutSlashes(url: string): string {
  return url.replace(/\/+$/, "");
}

/** Parts of an address as Python's `urllib.parse.urlparse` and `parse_qs` take it apart, which never refuse one. */
function parseUrl(url: string): ParsedUrl {
  const [beforeFragment = ""] = url.split("#");
  const at = beforeFragment.indexOf("?");
  const [address, query] =
    at === -1 ? [beforeFragment, ""] : [beforeFragment.slice(0, at), beforeFragment.slice(at + 1)];
  const rest = address.replace(/^[a-zA-Z][a-zA-Z0-9+.-]*:/, "");
  const [, host = "", path = ""] = /^(?:\/\/([^/]*))?(.*)$/s.exec(rest) as RegExpExecArray;
  // Parameters of the last part of a path, as in `a/b;c`, are not of the path.
  return { base: host + path.replace(/;[^/]*$/, ""), query: parseQuery(query) };
}

function parseQuery(query: string): Map<string, string[]> {
  const fields = new Map<string, string[]>();
  for (const part of query.split("&")) {
    const at = part.indexOf("=");
    const value = at === -1 ? "" : decoded(part.slice(at + 1));
    if (value === "") continue;
    const name = decoded(part.slice(0, at));
    fields.set(name, [...(fields.get(name) ?? []), value]);
  }
  return fields;
}

/** Bytes that are no UTF-8 become U+FFFD, and a percent sign without digits stays. */
function decoded(text: string): string {
  return text
    .replaceAll("+", " ")
    .replace(/(?:%[0-9a-fA-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll("%", ""), "hex").toString("utf8"));
}
