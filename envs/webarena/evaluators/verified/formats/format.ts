/** Formats of values in answers and requests: a text, a number, a sum of money, a date. */
import { isList, type PyValue } from "../python/value.js";
import type { SiteAddresses } from "../site-addresses.js";

export interface ReadContext {
  /** What addresses are replaced by placeholders with; left out: they stay. */
  sites?: SiteAddresses | undefined;
  /** Only the values of a task file may be patterns. What an agent has written is taken as it is. */
  isExpected: boolean;
}

export interface Format<T> {
  /** A value of this format, or undefined for one that is none. */
  read(value: PyValue, context: ReadContext): T | undefined;
  /** A list that stands for one value and not for alternatives, or undefined. */
  readList?(list: readonly PyValue[]): T | undefined;
  /** Whether any of the expected alternatives is any of the actual ones. */
  isMatch(expected: readonly T[], actual: readonly T[]): boolean;
}

/** A value in its format, or what may stand for it. */
export class Reading<T = unknown> {
  constructor(
    readonly format: Format<T>,
    readonly alternatives: readonly T[],
    /** The value or its alternatives as they were written. */
    readonly written: PyValue,
  ) {}

  isMatch(actual: Reading): boolean {
    return this.format === actual.format && this.format.isMatch(this.alternatives, actual.alternatives as readonly T[]);
  }
}

/**
 * A list of two or more is taken for alternatives, in answers as in expected values; a list of one is none of a format.
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

/** Values that match when they are the same. */
export function haveCommon<T extends string | number | boolean>(expected: readonly T[], actual: readonly T[]): boolean {
  return expected.some((one) => actual.includes(one));
}

/** Whether any two alternatives fulfil a condition. */
export function matchAny<T>(
  expected: readonly T[],
  actual: readonly T[],
  isOne: (one: T, other: T) => boolean,
): boolean {
  return expected.some((one) => actual.some((other) => isOne(one, other)));
}

/** A text longer than this is no number, date, duration or other short value, and is not looked into. */
export const longestValue = 2000;
