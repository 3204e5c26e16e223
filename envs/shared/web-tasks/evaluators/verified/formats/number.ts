/** Formats of numbers and amounts of money. */
import { floatRepr, isNumeric, isTruthy, pyFloat } from "../python/value.js";
import { aligned, type Decimal, decimalOf, distanceBetween } from "./decimal.js";
import { type Format, haveCommon, longestValue } from "./format.js";
import { numberOfWords } from "./number-words.js";
import { plainStr } from "./text.js";

/** Format of a number in digits, such as `1,234.5`, or in English words. */
export const number: Format<number> = {
  read(value, context) {
    if (isNumeric(value)) return Number(value);
    const written = isTruthy(value) ? plainStr(value, context) : "";
    if (written === "" || written.length > longestValue) return undefined;
    return pyFloat(written.replace(/[, ]/g, "")) ?? numberOfWords(written);
  },
  isMatch: haveCommon,
};

/** Maximum difference between two amounts that count as equal. */
const currencyTolerance: Decimal = { digits: 1n, exponent: -1 };

/**
 * Format of an amount of money with or without a currency sign. As in WebArena-Verified, the comparison uses only the
 * first alternative.
 */
export const currency: Format<Decimal> = {
  read(value, context) {
    const written = isTruthy(value) || isNumeric(value) ? plainStr(value, context) : "";
    if (written === "" || written.length > longestValue) return undefined;
    const isNegative = written.startsWith("-");
    const amount = amountOf(isNegative ? written.replaceAll("-", "") : written);
    return amount && { ...amount, digits: isNegative ? -amount.digits : amount.digits };
  },
  isMatch([expected], [actual]) {
    if (!expected || !actual) return false;
    const [one, other, tolerance] = aligned(expected, actual, currencyTolerance) as [bigint, bigint, bigint];
    return distanceBetween(one, other) <= tolerance;
  },
};

/**
 * Returns the first price in a text, or undefined if the text has no price. The parser follows the package
 * price-parser.
 */
function amountOf(written: string): Decimal | undefined {
  const separator = written.lastIndexOf(".") > written.lastIndexOf(",") ? "." : ",";
  const [, found] = /([.]?\d[\d\s.,']*)\s*?(?:[^%\d]|$)/.exec(written.replace(/\s+/g, " ")) ?? [];
  if (found === undefined) return /free/i.test(written) ? { digits: 0n, exponent: 0 } : undefined;
  const price = found.replace(/[,.]+$/, "").replaceAll("'", "");
  const digits = (price.split(".").length === 2 ? price : price.replace(/^[,.]+/, "")).replace(/\s/g, "");
  const decimal = separator === "." ? digits.replaceAll(",", "") : digits.replaceAll(".", "").replaceAll(",", ".");
  // A second decimal point makes the amount invalid. WebArena-Verified keeps amounts with the precision of a float.
  return decimalOf(decimal) && decimalOf(floatRepr(Number(decimal)));
}
