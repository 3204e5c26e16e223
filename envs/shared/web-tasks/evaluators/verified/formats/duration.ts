/** Durations in words (`1hr 35min`) or clock format (`1:35:00`). The parser follows the package pytimeparse2. */
import { isTruthy, pyFloat } from "../python/value.js";
import { type Format, longestValue, matchAny } from "./format.js";
import { plainStr } from "./text.js";

/**
 * Tolerances of durations: `seconds` is absolute, and `share` is relative to the longer duration. The larger tolerance
 * applies.
 */
const tolerance = { seconds: 180, share: 0.1 };

/** Format of a duration in seconds. */
export const duration: Format<number> = {
  read(value, context) {
    const plain = isTruthy(value) ? plainStr(value, context) : "";
    if (plain === "" || plain.length > longestValue) return undefined;
    const written = typeof value === "string" ? plain.replace(/(\d+):(\d+)\s*hours?/g, "$1h$2m") : plain;
    if (pyFloat(written) !== undefined) return undefined;
    return secondsOf(written);
  },
  isMatch: (expected, actual) =>
    matchAny(expected, actual, (one, other) => {
      const share = Math.max(one, other) * tolerance.share;
      return Math.abs(one - other) <= Math.max(tolerance.seconds, share);
    }),
};

const units = [
  ["years", "(?:ys?|yrs?.?|years?)", 31_536_000],
  ["months", "(?:mos?.?|mths?.?|months?)", 2_592_000],
  ["weeks", "(?:w|wks?|weeks?)", 604_800],
  ["days", "(?:d|dys?|days?)", 86_400],
  ["hours", "(?:h|hrs?|hours?)", 3600],
  ["minutes", "(?:m|mins?|minutes?)", 60],
  ["seconds", "(?:s|secs?|seconds?)", 1],
  ["milliseconds", "(?:ms|msecs?|millis|milliseconds?)", 0.001],
] as const;

type Unit = (typeof units)[number][0];

/**
 * Returns a regular expression for amounts with units, from the largest unit to the smallest. Each amount is optional.
 * Commas or slashes may separate the amounts.
 */
function amounts(names: readonly Unit[]): string {
  return units
    .filter(([name]) => names.includes(name))
    .map(([name, unit]) => {
      const separator = name === "seconds" || name === "milliseconds" ? "" : "\\s*(?:[,/]\\s*)?";
      return `(?:(?<${name}>[\\d.]+)\\s*${unit}${separator})?`;
    })
    .join("\\s*");
}

const minutesAndSeconds = "(?<minutes>\\d{2}):(?<seconds>\\d{2}(?:\\.\\d+)?)";

/** Regular expressions for durations. The parser tries them in this order. */
const shapes = [
  amounts(units.map(([name]) => name)),
  "(?<minutes>\\d{1,2}):(?<seconds>\\d{2}(?:\\.\\d+)?)",
  `${amounts(["weeks", "days"])}\\s*(?<hours>\\d+):${minutesAndSeconds}`,
  `(?<days>\\d+):(?<hours>\\d{2}):${minutesAndSeconds}`,
  ":(?<seconds>\\d{2}(?:\\.\\d+)?)",
].map((shape) => new RegExp(`^\\s*${shape}\\s*$`, "i"));

/** Maximum duration in Python's `timedelta`, in seconds. */
const longest = 86_400 * 1_000_000_000;

function secondsOf(written: string): number | undefined {
  // Digits with several signs, such as `+-35`, are not a readable number.
  if (/^\d+$/.test(written.replace(".", "").replace("-", "").replace("+", ""))) return undefined;
  const [, sign = "", unsigned = ""] = /^\s*([+|-]?)\s*(.*)$/s.exec(written) ?? [];
  const groups = shapes.map((shape) => shape.exec(unsigned)).find((match) => match?.[0].trim())?.groups;
  const sum = groups ? sumOf(groups) : pyFloat(unsigned);
  if (sum === undefined || !(Math.abs(sum) < longest)) return undefined;
  const rounded = Math.round(sum * 1e6) / 1e6;
  return sign === "-" ? -rounded : rounded;
}

function sumOf(groups: Readonly<Record<string, string | undefined>>): number | undefined {
  let sum = 0;
  for (const [name, , seconds] of units) {
    const amount = groups[name];
    if (amount === undefined) continue;
    const number = pyFloat(amount);
    // An amount such as 1.2.3 is ignored for years, months, weeks and seconds, and is an error for all other units.
    if (number === undefined && !["years", "months", "weeks", "seconds"].includes(name)) return undefined;
    sum += (number ?? 0) * seconds;
  }
  return sum;
}
