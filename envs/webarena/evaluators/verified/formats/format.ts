/** Formats of values in answers and requests, such as a text, a number, a sum of money or a date. */
import { isList, type PyValue } from "../python/value.js";
import type { SiteAddresses } from "../site-addresses.js";

export interface ReadContext {
  /** Site addresses that are replaced by placeholders. If undefined, addresses are kept. */
  sites?: SiteAddresses | undefined;
  /** Whether the value is from a task file. Only such values may be patterns. */
  isExpected: boolean;
}

export interface Format<T> {
  /** Reads a value. Returns undefined if the value does not have this format. */
  read(value: PyValue, context: ReadContext): T | undefined;
  /** Reads a list as a single value instead of a list of alternatives. Returns undefined if the list is not such a value. */
  readList?(list: readonly PyValue[]): T | undefined;
  /** Whether any expected alternative matches any actual alternative. */
  isMatch(expected: readonly T[], actual: readonly T[]): boolean;
}

/** A value that was read in a format, with all alternatives. */
export class Reading<T = unknown> {
  constructor(
    readonly format: Format<T>,
    readonly alternatives: readonly T[],
    /** The value or the list of alternatives, as written in the answer or the task. */
    readonly written: PyValue,
  ) {}

  isMatch(actual: Reading): boolean {
    return this.format === actual.format && this.format.isMatch(this.alternatives, actual.alternatives as readonly T[]);
  }
}

/**
 * Reads a value in a format. A list of two or more elements means alternatives, both in answers and in expected values. A
 * list of one element is invalid.
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

/** Maximum length of a number, date, duration or other short value. A longer text is not parsed. */
export const longestValue = 2000;
