/** Formats of values in answers and requests: a text, a number, a sum of money, a date. */
import { isList, type PyValue } from "../python/value.js";
import type { SiteAddresses } from "../site-addresses.js";

export interface ReadContext {
  /** Site addresses that are replaced by placeholders. If omitted, addresses are kept. */
  sites?: SiteAddresses | undefined;
  /** Whether the value is from a task file. Only such values may be patterns. */
  isExpected: boolean;
}

export interface Format<T> {
  /** Reads a value. Returns undefined if it does not have this format. */
  read(value: PyValue, context: ReadContext): T | undefined;
  /** Reads a list that is one value and not a list of alternatives, or returns undefined. */
  readList?(list: readonly PyValue[]): T | undefined;
  /** Whether any expected alternative matches any actual one. */
  isMatch(expected: readonly T[], actual: readonly T[]): boolean;
}

/** A value in its format, with its alternatives. */
export class Reading<T = unknown> {
  constructor(
    readonly format: Format<T>,
    readonly alternatives: readonly T[],
    /** The original value or list of alternatives. */
    readonly written: PyValue,
  ) {}

  isMatch(actual: Reading): boolean {
    return this.format === actual.format && this.format.isMatch(this.alternatives, actual.alternatives as readonly T[]);
  }
}

/**
 * Reads a value in a format. A list of two or more means alternatives, both in answers and in expected values. A list
 * of one is invalid.
 *
 * @throws {UnsupportedPattern} an expected value is a pattern that is not supported
 */
export function readValue<T>(format: Format<T>, value: PyValue, context: ReadContext): Reading<T> | undefined {
  const one = isList(value) ? format.readList?.(value) : undefined;
  if (one !== undefined) return new Reading(format, [one], value);
  if (isList(value) && value.length < 2) return undefined;
  const read = (isList(value) ? value : [value]).map((item) => format.read(item, context));
  return read.includes(undefined) ? undefined : new Reading(format, read as readonly T[], value);
}

/** Matches values by equality. */
export function haveCommon<T extends string | number | boolean>(expected: readonly T[], actual: readonly T[]): boolean {
  return expected.some((one) => actual.includes(one));
}

/** Whether any pair of alternatives fulfils a condition. */
export function matchAny<T>(
  expected: readonly T[],
  actual: readonly T[],
  isOne: (one: T, other: T) => boolean,
): boolean {
  return expected.some((one) => actual.some((other) => isOne(one, other)));
}

/** Maximum length of a number, date, duration or other short value. Longer texts are not parsed. */
export const longestValue = 2000;
