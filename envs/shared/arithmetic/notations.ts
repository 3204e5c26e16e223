/** Reads ratios, and numbers with a base. */
import type { Based, Ratio } from "./answer.js";
import { baseNames } from "./question.js";
import type { Tree } from "./tree.js";

const mostItems = 10;
const subscript =
  /^\(?\s*([0-9A-Za-z]+)\s*\)?\s*(?:_\s*(?:\{\s*\(?\s*(\w+)\s*\)?\s*\}|\(?\s*(\d{1,2})\s*\)?)|(?:in\s+)?base[\s-]+(\w+))$/;

/** Reads a number such as `2516_8`, `2516_{8}`, `1A_{16}` or `101 base 2`. The text is plain. */
export function readBased(text: string): Based | null {
  const [, digits = "", group, single, word] = subscript.exec(text.trim()) ?? [];
  const name = (group ?? single ?? word)?.toLowerCase();
  if (name === undefined || !/\d/.test(digits)) return null;
  const base = baseNames[name] ?? Number(name);
  const isDigit = (digit: string) => Number.parseInt(digit, 36) < base;
  if (!(base >= 2 && base <= 36) || ![...digits].every(isDigit)) return null;
  return { kind: "based", digits: bareDigits(digits), base };
}

export function bareDigits(text: string): string {
  return text.toUpperCase().replace(/^0+(?=.)/, "");
}

/** Reads a ratio such as `3:4`. The text is plain. */
export function readRatio(text: string, formulaOf: (text: string) => Tree | null): Ratio | null {
  const sides = text.split(/:(?!=)|\s+to\s+(?=\d)/);
  if (sides.length < 2 || sides.length > mostItems) return null;
  const items = sides.map(formulaOf);
  return items.every((item) => item !== null) ? { kind: "ratio", items, text: text.replace(/\s+/g, "") } : null;
}

/** Whether a ratio may be a time of day, such as `3:30`. */
export function mayBeTime({ text }: Ratio): boolean {
  const [, hour] = /^(\d{1,2}):[0-5]\d(?::[0-5]\d)?$/.exec(text) ?? [];
  return hour !== undefined && Number(hour) <= 24;
}
