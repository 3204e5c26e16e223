/** Distances, which consist of a number and a unit of length. The parser follows the package pint. */
import { floatRepr, isNumeric, isTruthy } from "../python/value.js";
import { aligned, type Decimal, decimalOf, distanceBetween } from "./decimal.js";
import { type Format, longestValue, matchAny } from "./format.js";
import { plainStr } from "./text.js";

const tolerance: Decimal = { digits: 10n, exponent: 0 };
/** Relative tolerance: 1/50 (2 %) of the longer distance. The larger one of the two tolerances applies. */
const toleranceShare = 50n;

/**
 * Format of a distance in meters. A distance is one amount with one unit. Unlike in pint, sums and products are
 * invalid. Infinite distances are invalid, because their tolerance would match every distance.
 */
export const distance: Format<Decimal> = {
  read(value, context) {
    const plain = isTruthy(value) || isNumeric(value) ? plainStr(value, context) : "";
    if (plain.length > longestValue) return undefined;
    const written = plain.replace(/(\d+(?:\.\d+)?)\s*k(?=\s|$)/gi, "$1 km").replaceAll(",", "");
    const whole = /^\s*\((.*)\)\s*$/s.exec(written)?.[1] ?? written;
    const [, sign = "", amount = "1", name = ""] = amountAndUnit.exec(whole) ?? [];
    const metres = metresOf(name);
    if (metres === undefined) return undefined;
    // Python does not allow leading zeros, so `05` is read as the product of 0 and 5.
    const length = /^0\d+$/.test(amount) ? 0 : Number(amount.replaceAll("_", "")) * metres;
    return Number.isFinite(length) ? decimalOf(floatRepr(sign === "-" ? -length : length)) : undefined;
  },
  isMatch: (expected, actual) =>
    matchAny(expected, actual, (one, other) => {
      const [left, right, fixed] = aligned(one, other, tolerance) as [bigint, bigint, bigint];
      const apart = distanceBetween(left, right);
      return apart <= fixed || apart * toleranceShare <= (left > right ? left : right);
    }),
};

/**
 * Regular expression for an amount and a unit. Like pint, it ignores signs around them: `~5 km` and `<5 km` are 5 km.
 */
const amountAndUnit =
  /^[~<>=@$`{[!?;:\s]*([+-]?)\s*(?:((?:\d[\d_]*\.?\d*|\.\d+)(?:e[+-]?\d+)?)\s*\*?\s*)?([a-z_]+)[.~!?;:`}\]\s]*$/;

const surveyFoot = 1200 / 3937;

type Names = readonly (readonly [factor: number, names: string])[];

/** Units of length: each length in meters, with the names of the unit. */
const units: Names = [
  [1, "m meter metre"],
  [0.0254, "in inch inches international_inch international_inches"],
  [0.3048, "ft foot feet international_foot international_feet"],
  [0.9144, "yd yard international_yard"],
  [1609.344, "mi mile international_mile"],
  [1852, "nmi nautical_mile"],
  [0.1016, "hand"],
  [0.0000254, "th thou mil_length"],
  [surveyFoot, "sft survey_foot"],
  [5280 * surveyFoot, "smi survey_mile us_statute_mile"],
  [3 * 5280 * surveyFoot, "league"],
  [6 * surveyFoot, "fathom"],
  [16.5 * surveyFoot, "rd rod pole perch"],
  [66 * surveyFoot, "chain"],
  [0.66 * surveyFoot, "li link survey_link"],
  [660 * surveyFoot, "fur furlong"],
  [9_460_730_472_580_800, "ly light_year lightyear"],
  [149_597_870_700, "au astronomical_unit"],
  [1e-6, "micron"],
  [1e-10, "angstrom"],
];

const prefixes: Names = [
  [1e12, "tera"],
  [1e9, "giga"],
  [1e6, "mega"],
  [1e3, "kilo k"],
  [1e2, "hecto h"],
  [10, "deca deka da"],
  [0.1, "deci d"],
  [1e-2, "centi c"],
  [1e-3, "milli m"],
  [1e-6, "micro u"],
  [1e-9, "nano n"],
  [1e-12, "pico p"],
  [1e-15, "femto f"],
];

const unitLengths = byName(units);
const prefixFactors = byName(prefixes);

function byName(all: Names): ReadonlyMap<string, number> {
  return new Map(all.flatMap(([factor, names]) => names.split(" ").map((name): [string, number] => [name, factor])));
}

/**
 * Returns the length of a unit in meters, or undefined. Names of one letter have no plural, and `min` is not a length
 * but a minute.
 */
function metresOf(name: string): number | undefined {
  if (/^mins?$/.test(name)) return undefined;
  return unitOf(name, 1) ?? (/[a-z]{2}s$/.test(name) ? unitOf(name.slice(0, -1), 2) : undefined);
}

function unitOf(name: string, shortest: number): number | undefined {
  const whole = unitLengths.get(name);
  if (whole !== undefined) return whole;
  for (let at = 1; at <= name.length - shortest; at++) {
    const [prefix, unit] = [prefixFactors.get(name.slice(0, at)), unitLengths.get(name.slice(at))];
    if (prefix !== undefined && unit !== undefined) return prefix * unit;
  }
  return undefined;
}
