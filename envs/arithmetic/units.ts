import { divide, one, power, type Rational, readDecimal } from "./rational.js";

/** Unit of a number: `cm`, `square feet`, `apples`. */
export interface Unit {
  /** Name of the unit in lower case and singular. */
  name: string;
  /** Dimension such as `length^2`, if known. */
  dimension?: string;
  /** Size of the unit, as a multiple of the first unit in the table with the same dimension. */
  factor: Rational;
}

const known: Record<string, Record<string, string>> = {
  length: {
    m: "1 meter metre",
    "0.001": "mm millimeter millimetre",
    "0.01": "cm centimeter centimetre",
    "1000": "km kilometer kilometre",
    "0.0254": "inch inche in",
    "0.3048": "ft foot feet",
    "0.9144": "yd yard",
    "1609.344": "mi mile",
  },
  mass: {
    g: "1 gram",
    "0.001": "mg milligram",
    "1000": "kg kilogram",
    "453.59237": "lb pound",
    "28.349523125": "oz ounce",
  },
  time: {
    s: "1 sec second",
    "0.001": "ms millisecond",
    "60": "min minute",
    "3600": "h hr hour",
    "86400": "day",
    "604800": "week",
  },
  volume: { l: "1 liter litre", "0.001": "ml milliliter millilitre" },
  money: { usd: "1 dollar buck", "0.01": "cent" },
  euros: { eur: "1 euro €" },
  sterling: { gbp: "1 £" },
  angle: { degree: "1 deg" },
};

const units = new Map<string, { dimension: string; factor: Rational }>();
for (const [dimension, byFactor] of Object.entries(known))
  for (const [factor, names] of Object.entries(byFactor)) {
    const isFirst = names.startsWith("1 ");
    const all = isFirst ? [factor, ...names.split(" ").slice(1)] : names.split(" ");
    for (const name of all) units.set(name, { dimension, factor: isFirst ? one : readDecimal(factor) });
  }

const words = /^[a-z€£°][a-z€£° .'/^23-]{0,60}$/;
/** Matches a digit that is not an exponent, such as the second number in `42 not 23`. Such a text is not a unit. */
const otherNumber = /(?<![a-z^])[23]|[23]{2}/;
/** Matches words of formulas, which are not units. */
const ofFormulas = /\b(?:infinity|sqrt|frac)\b/;

/** @returns the unit, or null if the text is not a unit */
export function readUnit(text: string): Unit | null {
  const lower = text.trim().toLowerCase().replace(/\.$/, "");
  if (!words.test(lower) || lower.split(/\s+/).length > 5) return null;
  if (otherNumber.test(lower) || ofFormulas.test(lower)) return null;
  const exponent =
    /^(?:square|sq\.?) /.test(lower) || /\^?2$/.test(lower) ? 2n : /^(?:cubic|cu\.?) |\^?3$/.test(lower) ? 3n : 1n;
  const base = lower.replace(/^(?:square|sq\.?|cubic|cu\.?) |\^?[23]$/g, "").trim();
  const single = units.has(base) ? base : singular(base);
  const unit = units.get(single);
  const name = exponent === 1n ? single : `${single}^${exponent}`;
  if (!unit) return { name: name.replace(/ per /g, "/"), factor: one };
  return { name, dimension: `${unit.dimension}^${exponent}`, factor: power(unit.factor, exponent) };
}

/** Returns the factor that converts from unit `given` to unit `expected`, or null if their dimensions differ. */
export function conversion(expected: Unit | null, given: Unit | null): Rational | null {
  // If one unit is missing, the question states which one is meant.
  if (!expected || !given || expected.name === given.name) return one;
  if (expected.dimension === undefined || expected.dimension !== given.dimension) return null;
  return divide(given.factor, expected.factor);
}

function singular(name: string): string {
  return name.length > 3 && name.endsWith("s") ? name.slice(0, -1) : name;
}
