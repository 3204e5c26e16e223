/** Compares URLs with reference URLs, like `URLEvaluator` of WebArena's public evaluators. */
import { parseQuery, splitUrl } from "./python-url.js";

interface ParsedUrl {
  /** Host and path. */
  base: string;
  query: Map<string, string[]>;
}

/**
 * Whether the final page is one of the reference pages.
 *
 * @param reference one or more URLs, separated by ` |OR| `
 */
export function matchesUrl(reference: string, pageUrl: string): boolean {
  const wanted = reference.split(" |OR| ").flatMap((url) => parseUrl(withoutSlashes(url)) ?? []);
  const given = parseUrl(withoutSlashes(pageUrl));
  if (!given || !wanted.some(({ base }) => given.base.includes(base))) return false;
  // As in WebArena, the queries of all references are merged.
  const allowed = new Map<string, string[]>();
  for (const { query } of wanted)
    for (const [name, values] of query) allowed.set(name, [...(allowed.get(name) ?? []), ...values]);
  return [...allowed].every(([name, values]) => values.some((value) => given.query.get(name)?.includes(value)));
}

function withoutSlashes(url: string): string {
  return url.replace(/\/+$/, "");
}

/** Parses a URL. Returns undefined if Python's parser would raise an error. */
function parseUrl(url: string): ParsedUrl | undefined {
  const parts = splitUrl(url);
  if (!parts) return undefined;
  const fields = [...parseQuery(parts.query)].map(([name, values]) => [name, values.filter(Boolean)] as const);
  const query = new Map(fields.filter(([, values]) => values.length > 0));
  // `urlparse` removes the parameters of the last path segment, as in `a/b;c`.
  return { base: parts.netloc + parts.path.replace(/;[^/]*$/, ""), query };
}
