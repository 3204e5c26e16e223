/** Compares expected and actual values recursively. */
import { Reading } from "./formats/format.js";
import { isEqual, type PyValue } from "./python/value.js";
import { type Comparable, type ComparableList, type ComparableObject, toJson } from "./schema.js";

export interface ComparisonOptions {
  /** Whether the order of list elements matters. */
  isOrdered?: boolean;
  /** Whether objects may have additional fields. */
  isExtraAllowed?: boolean;
}

/** Function that describes a difference. Most differences are never shown, so the text is created only on demand. */
export type Difference = () => string;

/** Returns the first difference, or null if the values are equal. The description calls the value `at`. */
export function difference(
  expected: Comparable,
  actual: Comparable | undefined,
  at: string,
  options: ComparisonOptions = {},
): Difference | null {
  const other = () => `expected ${at} to be ${shown(expected)}, but received ${shown(actual)}`;
  if (expected === null || actual === null || actual === undefined) return expected === (actual ?? null) ? null : other;
  if (isObject(expected)) return objectDifference(expected, actual, at, options);
  if (isComparableList(expected)) return listDifference(expected, actual, at, options);
  const isMatch =
    expected instanceof Reading
      ? actual instanceof Reading && expected.isMatch(actual)
      : !(actual instanceof Reading) && isEqual(expected as PyValue, actual as PyValue);
  return isMatch ? null : other;
}

function isObject(value: Comparable): value is ComparableObject {
  return value instanceof Map;
}

function isComparableList(value: Comparable): value is ComparableList {
  return Array.isArray(value);
}

function objectDifference(
  expected: ComparableObject,
  actual: Comparable,
  at: string,
  options: ComparisonOptions,
): Difference | null {
  if (!isObject(actual)) return () => `expected ${at} to be an object, but received ${shown(actual)}`;
  if (expected.size === 0) return () => `the task file lists no fields for ${at}, so no answer can be right`;
  const missing = [...expected.keys()].find((name) => !actual.has(name));
  if (missing !== undefined) return () => `expected ${at} to have the field ${missing}, but the field is missing`;
  const extra = options.isExtraAllowed ? undefined : [...actual.keys()].find((name) => !expected.has(name));
  if (extra !== undefined)
    return () => `expected ${at} to have only the fields ${[...expected.keys()].join(", ")}, but received ${extra}`;
  for (const [name, value] of expected) {
    const found = difference(value, actual.get(name), `${at}.${name}`, options);
    if (found) return found;
  }
  return null;
}

function listDifference(
  expected: ComparableList,
  actual: Comparable,
  at: string,
  options: ComparisonOptions,
): Difference | null {
  if (!isComparableList(actual)) return () => `expected ${at} to be a list, but received ${shown(actual)}`;
  if (actual.length !== expected.length)
    return () => `expected ${at} to have ${expected.length} elements, but received ${actual.length}`;
  const taken = new Set<number>();
  for (const [index, value] of expected.entries()) {
    const isOne = (place: number) => !taken.has(place) && !difference(value, actual[place], at, options);
    // As in WebArena-Verified, each expected element is paired with the first element that matches.
    const place = [...(options.isOrdered ? [index] : actual.keys())].find(isOne);
    if (place === undefined)
      return () =>
        `expected ${at}${options.isOrdered ? `[${index}]` : " to have an element"} like ${shown(value)}, but received ${shown(options.isOrdered ? actual[index] : actual)}`;
    taken.add(place);
  }
  return null;
}

const longestShown = 200;

function shown(value: Comparable | undefined): string {
  const text = toJson(value) ?? "nothing";
  return text.length > longestShown ? `${text.slice(0, longestShown)}...` : text;
}
