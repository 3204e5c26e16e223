/** Units of numbers, and the words that may follow a number. */
import { jsonFile, once } from "../kept/data-file.js";
import { divide, multiply, one, power, type Rational, readDecimal } from "./rational.js";

/** Unit of a number: `cm`, `km/h`, `square feet`, `apples`. */
export interface Unit {
  /** Name of the unit in lower case and singular. */
  name: string;
  /** Dimension such as `length^2` or `length^1 time^-1`, if known. */
  dimension?: string;
  /** Size of the unit, as a multiple of the first unit in the table with the same dimension. */
  factor: Rational;
}

type Dimension = Readonly<Record<string, number>>;

export interface UnitTable {
  /** Units by dimension. `factor` is a decimal: the size of the unit, as a multiple of the dimension's first unit. */
  units: readonly { names: readonly string[]; dimension: Dimension; factor: string }[];
  /** Names of quotients of units, such as `mi/h`. */
  quotients: Readonly<Record<string, string>>;
}

export const unitTable = jsonFile<UnitTable>(new URL("./data/units.json", import.meta.url));

const units = once(
  () =>
    new Map(
      unitTable().units.flatMap(({ names, dimension, factor }) =>
        names.map((name) => [name, { dimension, factor: readDecimal(factor) }] as const),
      ),
    ),
);

const words = /^[a-z€£°][a-z€£° .'/^23-]{0,60}$/;
/** Matches a digit that is not an exponent, such as the second number in `42 not 23`. Such a text is not a unit. */
const otherNumber = /(?<![a-z^])[23]|[23]{2}/;
/** Matches words of formulas, which are not units. */
const ofFormulas = /\b(?:infinity|sqrt|frac|emptyset|reals|cup|setminus|mod)\b/;
/** Matches words of sentences, such as `5 is wrong`. A unit is not a sentence. */
const ofSentences =
  /\b(?:is|isn't|isnt|are|aren't|arent|was|wasn't|were|weren't|be|been|am|has|have|had|do|does|doesn't|did|didn't|can|can't|cannot|could|couldn't|would|wouldn't|should|shouldn't|will|won't|must|may|might|not|no|nope|non|never|none|nor|neither|either|but|and|or|xor|if|then|else|unless|except|excluding|without|instead|rather|than|versus|vs|plus|minus|about|around|approximately|roughly|nearly|almost|maybe|perhaps|probably|possibly|likely|unlikely|dozen|untrue|isnot|to|through|until|between)\b/;
/**
 * Matches words that deny or change the number. They are part of a unit only if the question has them: "How many were
 * wrong?"
 */
const denials =
  /\b(?:wrong|wrongly|false|incorrect|invalid|impossible|undefined|mistaken|mistake|error|bad|fake|lie|lies|rejected|ruled|excluded|discarded|inadmissible|extraneous|less|more|fewer|most|least|times|over|under|above|below|half|halve|quarter|third|true)\b/g;
/** Words that any unit may contain, whatever the question says. */
const harmless = new Set(
  "a an the of in on at per each every all for by with total altogether left remaining unit item piece people person way solution answer one".split(
    " ",
  ),
);

/** @returns the unit, or null if the text is not a unit */
export function readUnit(text: string): Unit | null {
  const lower = text.trim().toLowerCase().replace(/\.$/, "");
  const measured = lower.length <= 60 ? compound(lower) : null;
  if (measured) return measured;
  if (!words.test(lower) || lower.split(/\s+/).length > 5) return null;
  if (otherNumber.test(lower) || ofFormulas.test(lower) || ofSentences.test(lower)) return null;
  return { name: lower.split(/\s+/).map(singular).join(" ").replace(/ per /g, "/"), factor: one };
}

/** Reads a product or quotient of known units, such as `km/h`, `m s^{-2}` or `square feet`. */
function compound(lower: string): Unit | null {
  const text = lower
    .replace(/\b(?:square|sq\.?)\s+([a-z]+)/g, "$1^2")
    .replace(/\b(?:cubic|cu\.?)\s+([a-z]+)/g, "$1^3")
    .replace(/\bper\b/g, "/")
    .replace(/\b([a-z]+)\s+squared\b/g, "$1^2")
    .replace(/\ban hour\b/g, "/hour");
  const factors = /\s*([/*])?\s*(?:([a-z]+|[€£])\s*(?:\^\s*\{?\s*(-?\d)\s*\}?|([23])(?!\d))?|(1)(?=\s*\/))/y;
  let unit: { dimension: Dimension; factor: Rational } = { dimension: {}, factor: one };
  while (factors.lastIndex < text.trimEnd().length) {
    const found = factors.exec(text);
    if (!found) return null;
    const [, sign, name, exponent, suffix, isOne] = found;
    if (isOne) continue;
    const times = Number(exponent ?? suffix ?? 1) * (sign === "/" ? -1 : 1);
    const of = unitNamed(name as string);
    if (!of || times === 0) return null;
    unit = {
      dimension: product(unit.dimension, of.dimension, times),
      factor: multiply(unit.factor, power(of.factor, BigInt(times))),
    };
  }
  const dimension = Object.entries(unit.dimension)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([base, exponent]) => `${base}^${exponent}`)
    .join(" ");
  return dimension === "" ? null : { name: text.split(/\s+/).map(singular).join(" "), dimension, factor: unit.factor };
}

function unitNamed(name: string): { dimension: Dimension; factor: Rational } | undefined {
  const { quotients } = unitTable();
  const quotient = Object.hasOwn(quotients, name) ? quotients[name] : undefined;
  if (quotient === undefined) return units().get(name) ?? units().get(singular(name));
  const [top = "", bottom = ""] = quotient.split("/");
  const over = units().get(bottom) as { dimension: Dimension; factor: Rational };
  const under = units().get(top) ?? { dimension: {}, factor: one };
  return { dimension: product(under.dimension, over.dimension, -1), factor: divide(under.factor, over.factor) };
}

function product(left: Dimension, right: Dimension, times: number): Dimension {
  const all = new Map(Object.entries(left));
  for (const [base, exponent] of Object.entries(right)) all.set(base, (all.get(base) ?? 0) + times * exponent);
  return Object.fromEntries([...all].filter(([, exponent]) => exponent !== 0));
}

/** Returns the factor that converts from unit `given` to unit `expected`, or null if their dimensions differ. */
export function conversion(expected: Unit | null, given: Unit | null): Rational | null {
  // If one unit is missing, the question states which one is meant.
  if (!expected || !given || expected.name === given.name) return one;
  if (expected.dimension === undefined || expected.dimension !== given.dimension) return null;
  return divide(given.factor, expected.factor);
}

/**
 * Whether the words after a number can be its unit in the answer to a question.
 *
 * @param asked words of the question in singular, or null if the question is not known
 */
export function isUnitFor(unit: Unit, asked: ReadonlySet<string> | null): boolean {
  if (unit.dimension !== undefined) return true;
  const denied = unit.name.match(denials) ?? [];
  if (denied.some((word) => !asked?.has(word))) return false;
  return asked === null || (unit.name.match(/[a-z]+/g) ?? []).every((word) => harmless.has(word) || asked.has(word));
}

export function singular(name: string): string {
  return name.length > 3 && name.endsWith("s") ? name.slice(0, -1) : name;
}
