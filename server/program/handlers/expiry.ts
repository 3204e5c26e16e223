import { InvalidArgumentError } from "commander";
import { z } from "zod";
import { shown } from "../../errors.js";

const unitMs: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 7 * 86_400_000 };

/** Longest duration until an expiry, in milliseconds: 100 years. */
const mostMs = 36_525 * 86_400_000;

const day = z.iso.date();
const moment = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]);

/**
 * Parses the time at which a token expires: a duration such as `30d`, `12h`, `45m` or `2w`, a date, which means the start
 * of that day in UTC, or an ISO time with an offset.
 *
 * @param nowMs milliseconds since the Unix epoch
 * @returns ISO time in UTC
 * @throws {InvalidArgumentError} for other text, and for times that are past or over 100 years away
 */
export function parseExpiry(text: string, nowMs = Date.now()): string {
  const atMs = timeOf(text, nowMs);
  if (Number.isNaN(atMs)) {
    const expected =
      "a duration such as 30d, 12h or 45m, a date such as 2030-01-31, or a time such as 2030-01-31T18:00Z";
    throw new InvalidArgumentError(`expected ${expected}, but received ${shown(text)}`);
  }
  if (atMs <= nowMs) {
    const now = new Date(nowMs).toISOString();
    throw new InvalidArgumentError(`expected a time after now, ${now}, but received ${shown(text)}`);
  }
  if (atMs - nowMs > mostMs)
    throw new InvalidArgumentError(`expected a time within 100 years, but received ${shown(text)}`);
  return new Date(atMs).toISOString();
}

/** Returns milliseconds since the Unix epoch, or NaN for text that states no time. */
function timeOf(text: string, nowMs: number): number {
  const [, count, unit] = /^([0-9]+)([mhdw])$/.exec(text) ?? [];
  if (count !== undefined) return nowMs + Number(count) * (unitMs[unit as string] as number);
  return day.safeParse(text).success || moment.safeParse(text).success ? Date.parse(text) : Number.NaN;
}
