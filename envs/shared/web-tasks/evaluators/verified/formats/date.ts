/** Formats of days and months. */
import { isNumeric, pyStr, pyStrip } from "../python/value.js";
import { dateOf } from "./date-reader.js";
import { type Format, haveCommon, matchAny } from "./format.js";
import { plainStr } from "./text.js";

/**
 * Format of days as `YYYY-MM-DD`. A date without a year or a day is read as null, which matches no date.
 * WebArena-Verified takes missing parts from the current date, so its scores change from day to day.
 */
export const date: Format<string | null> = {
  read(value, context) {
    if (typeof value !== "string") return undefined;
    const written = plainStr(value, context).replace(/,(?! )/g, ", ");
    const found = dateOf(written, { year: 2000, month: 1, day: 1 });
    if (!found) return undefined;
    const { year, month, day } = found;
    if (year === undefined || month === undefined || day === undefined) return null;
    return [`${year}`.padStart(4, "0"), ...[month, day].map((part) => `${part}`.padStart(2, "0"))].join("-");
  },
  isMatch: (expected, actual) => matchAny(expected, actual, (one, other) => one !== null && one === other),
};

/** Format of months as numbers from 1 to 12. A month may be written as a name, a number or a date. */
export const month: Format<number> = {
  read(value, context) {
    if (isNumeric(value)) return monthOf(Number(value));
    const written = pyStrip(typeof value === "string" ? plainStr(value, context) : value === null ? "" : pyStr(value));
    if (written === "") return undefined;
    if (/^[+-]?\d+$/.test(written)) return monthOf(Number(written));
    const found = dateOf(written, { year: 2000, month: 1, day: 1 });
    return found && (found.month ?? 1);
  },
  isMatch: haveCommon,
};

function monthOf(value: number): number | undefined {
  return Number.isInteger(value) && value >= 1 && value <= 12 ? value : undefined;
}
