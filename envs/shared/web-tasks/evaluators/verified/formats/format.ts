/**
 * Interface of formats, which read and compare values in answers and requests. Examples are texts, numbers, amounts of
 * money and dates.
 */
import { isList, type PyValue } from "../python/value.js";
import type { SiteAddresses } from "../site-addresses.js";

export interface ReadContext {
  /** Sites whose URLs are replaced by placeholders. If undefined, URLs stay unchanged. */
  sites?: SiteAddresses | undefined;
  /** Whether the value is from a task file. Only values from task files may be patterns. */
  isExpected: boolean;
}

export interface Format<T> {
  /** Reads a value. Returns undefined if the value does not match the format. */
  read(value: PyValue, context: ReadContext): T | undefined;
  /**
   * Reads a list as a single value, such as a pair of coordinates. Returns undefined if the list is a list of
   * alternatives.
   */
  readList?(list: readonly PyValue[]): T | undefined;
  /** Returns whether an expected alternative matches an actual alternative. */
  isMatch(expected: readonly T[], actual: readonly T[]): boolean;
}

/** Result of reading a value in a format: all its alternatives. */
export class Reading<T = unknown> {
  constructor(
    readonly format: Format<T>,
    readonly alternatives: readonly T[],
    /** The value or the list of alternatives, as it is in the answer or the task file. */
    readonly written: PyValue,
  ) {}

  isMatch(actual: Reading): boolean {
    return this.format === actual.format && this.format.isMatch(this.alternatives, actual.alternatives as readonly T[]);
  }
}

/**
 * Reads a value in a format. In answers and in expected values, a list of two or more elements contains alternatives. A
 * list of one element is invalid.
 *
 * @throws {UnsupportedPattern} an expected value is an unsupported pattern
 */
export function readValue<T>(format: Format<T>, value: PyValue, context: ReadContext): Reading<T> | undefined {
  const one = isList(value) ? format.readList?.(value) : undefined;
  if (one !== undefined) return new Reading(format, [one], value);
  if (isList(value) && value.length < 2) return undefined;
  const read = (isList(value) ? value : [value]).map((item) => format.read(item, context));
  return read.includes(undefined) ? undefined : new Reading(format, read as readonly T[], value);
}

/** Returns whether an expected value equals an actual value. */
export function haveCommon<T extends string | number | boolean>(expected: readonly T[], actual: readonly T[]): boolean {
  return expected.some((one) => actual.includes(one));
}

/** Whether a pair of an expected and an actual alternative fulfills a condition. */
export function matchAny<T>(
  expected: readonly T[],
  actual: readonly T[],
  isOne: (one: T, other: T) => boolean,
): boolean {
  return expected.some((one) => actual.some((other) => isOne(one, other)));
}

/** Maximum length in characters of short values, such as numbers, dates and durations. Longer texts are not parsed. */
export const longestValue = 2000;
