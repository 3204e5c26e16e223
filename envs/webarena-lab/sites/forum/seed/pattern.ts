/** Parsed sentence patterns. */

export type Part =
  | string
  /** A choice among several texts. */
  | { choices: readonly (readonly Part[])[] }
  /** A random integer from `low` to `high`. */
  | { low: number; high: number }
  /** A word from the list `name`. */
  | { name: string; isOther: boolean; isBare: boolean };

export type Pattern = readonly Part[];

const known = new Map<string, Pattern>();

export function patternOf(text: string): Pattern {
  let pattern = known.get(text);
  if (!pattern) {
    pattern = partsOf(text);
    known.set(text, pattern);
  }
  return pattern;
}

function partsOf(text: string): Part[] {
  return text
    .split(/(\[[^[\]]*\|[^[\]]*\]|\{[^{}]+\})/)
    .filter(Boolean)
    .map((part) => {
      if (part.length < 3 || !/^[[{].*[\]}]$/.test(part) || (part.startsWith("[") && !part.includes("|"))) return part;
      const inner = part.slice(1, -1);
      if (inner.includes("|")) return { choices: inner.split("|").map(partsOf) };
      const [, low, high] = /^(\d+)-(\d+)$/.exec(inner) ?? [];
      if (low !== undefined) return { low: Number(low), high: Number(high) };
      const isOther = inner.startsWith("~");
      const isBare = inner.endsWith("_bare");
      return { name: inner.replace(/^~|_bare$/g, ""), isOther, isBare };
    });
}
