/** Formats of texts, which are compared as a whole: plain text, Markdown, JSON, Base64 and comma-separated lists. */
import { isPatternText, Pattern } from "../pattern/pattern.js";
import { parseJson, sortedJson } from "../python/json.js";
import { isTruthy, type PyValue, pyStr, pyStrip } from "../python/value.js";
import { type Format, haveCommon, matchAny, type ReadContext } from "./format.js";
import { plainText } from "./plain-text.js";

/** A plain text, or a pattern from the task file. */
export type Text = string | Pattern;

export const text: Format<Text> = {
  read(value, { sites, isExpected }) {
    if (!isTruthy(value)) return "";
    if (typeof value !== "string") return pyStrip(pyStr(value).toLowerCase());
    if (isExpected && isPatternText(value)) return new Pattern(value, { isCaseIgnored: true });
    return plainText(value, sites);
  },
  isMatch: (expected, actual) =>
    matchesPattern(expected, actual) ||
    matchAny(expected, actual, (one, other) => one === other || unquoted(one) === unquoted(other)),
};

/** Removes quotes and punctuation from both ends of a text. */
function unquoted(one: Text): string | Pattern {
  if (typeof one !== "string") return one;
  let [start, end] = [0, one.length];
  while (start < end && quotes.includes(one[start] as string)) start += 1;
  while (end > start && quotes.includes(one[end - 1] as string)) end -= 1;
  return one.slice(start, end);
}

const quotes = "'\"`.,;:!?";

function matchesPattern(expected: readonly Text[], actual: readonly Text[]): boolean {
  return matchAny(expected, actual, (one, other) => typeof one !== "string" && one.matchesWhole(other as string));
}

/** Format of Base64 texts. The comparison uses the decoded texts. A pattern applies to the decoded text. */
export const base64: Format<Text> = {
  read(value, { isExpected }) {
    const encoded = typeof value === "string" ? pyStrip(value) : "";
    if (encoded === "") return undefined;
    if (isExpected && isPatternText(encoded)) return new Pattern(encoded, { isDotAll: true });
    const [, digits = "", padding = ""] = /^([A-Za-z0-9+/]+)(={0,2})$/.exec(encoded) ?? [];
    const rest = digits.length % 4;
    if (digits === "" || rest === 1 || (rest > 1 && rest + padding.length < 4)) return undefined;
    const decoded = Buffer.from(encoded, "base64");
    const text = decoded.toString("utf8");
    return decoded.equals(Buffer.from(text)) ? pyStrip(text.replace(/\r\n?/g, "\n")) : undefined;
  },
  isMatch: (expected, actual) =>
    matchesPattern(expected, actual) || matchAny(expected, actual, (one, other) => one === other),
};

/** Format of JSON texts. The comparison uses the parsed values. */
export const json: Format<string> = {
  read(value, { sites }) {
    const parsed = typeof value === "string" ? parseJson(plainText(value, sites)) : undefined;
    return parsed === undefined ? undefined : sortedJson(parsed);
  },
  isMatch: haveCommon,
};

/** Format of comma-separated texts in any order. */
export const stringList: Format<string> = {
  read(value, context) {
    const items = plainStr(value, context)
      .split(",")
      .map((item) => pyStrip(item))
      .filter(Boolean);
    return isTruthy(value) && items.length > 0 ? JSON.stringify(items.sort()) : undefined;
  },
  isMatch: haveCommon,
};

export const boolean: Format<boolean> = {
  read(value, { sites }) {
    if (typeof value === "boolean") return value;
    if (typeof value === "bigint" || typeof value === "number") return value !== 0n && value !== 0;
    const word = typeof value === "string" ? plainText(value, sites) : "";
    if (["true", "yes", "y", "1", "t", "on"].includes(word)) return true;
    return ["false", "no", "n", "0", "f", "off"].includes(word) ? false : undefined;
  },
  isMatch: haveCommon,
};

/**
 * Converts a value to a text. Texts are normalized to plain text, and all other values are formatted like Python's
 * `str`.
 */
export function plainStr(value: PyValue, { sites }: ReadContext): string {
  return typeof value === "string" ? plainText(value, sites) : pyStr(value);
}
