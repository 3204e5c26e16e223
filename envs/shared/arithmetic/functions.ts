import type { Decimal } from "decimal.js";
import * as rationals from "./rational.js";
import { OutOfBounds, type Rational, rational } from "./rational.js";
import { bounded, Digits, digitsOf, isExact, type Value } from "./value.js";

const mostFactors = 900n;

/**
 * Returns the value of a function.
 *
 * @param name name of one of `functions`
 * @param given arguments; `functions` states the number of arguments
 * @throws {RangeError} the function is not defined for these arguments
 */
export function functionValue(name: string, given: readonly Value[]): Value {
  const [first, second] = given as [Value, Value?];
  const exact = exactFunctions[name];
  if (exact) return exact(given.map((value) => expectExact(name, value)));
  const asDigits = decimalFunctions[name];
  if (asDigits) return exactCases(name, first) ?? bounded(asDigits(digitsOf(first)));
  switch (name) {
    case "sqrt":
      return root(first, rational(2));
    case "root":
      return root(first, expectExact(name, second as Value));
    case "abs":
      return isExact(first) ? (first.top < 0n ? rationals.negate(first) : first) : first.abs();
    case "log":
      return logarithm(first, second ?? rational(10));
    case "min":
    case "max":
      return given.reduce((best, value) => (isBefore(name, value, best) ? value : best));
    case "round":
      return rounded(first, second);
    default:
      return rational(BigInt(digitsOf(first)[name as "floor" | "ceil"]().toFixed()));
  }
}

const exactFunctions: Record<string, (given: Rational[]) => Rational> = {
  gcd: (given) => rational(given.map(whole("gcd")).reduce(rationals.greatestDivisor)),
  lcm: (given) => rational(given.map(whole("lcm")).reduce(leastMultiple)),
  mod([a, b]) {
    const [value, divisor] = [a as Rational, b as Rational];
    const times = rational(rationals.floor(rationals.divide(value, divisor)));
    return rationals.subtract(value, rationals.multiply(times, divisor));
  },
  factorial([value]) {
    const count = wholeUpTo("factorial", value as Rational);
    let product = 1n;
    for (let factor = 2n; factor <= count; factor++) product *= factor;
    return rational(product);
  },
  binom([a, b]) {
    const [of, take] = [wholeUpTo("binom", a as Rational), wholeUpTo("binom", b as Rational)];
    let count = 1n;
    for (let at = 0n; at < take; at++) count = (count * (of - at)) / (at + 1n);
    return rational(count);
  },
};

const decimalFunctions: Record<string, (value: Decimal) => Decimal> = {
  exp: (value) => value.exp(),
  ln: (value) => positive("ln", value).ln(),
  sin: (value) => value.sin(),
  cos: (value) => value.cos(),
  tan: (value) => value.tan(),
  sec: (value) => inverse(value.cos()),
  csc: (value) => inverse(value.sin()),
  cot: (value) => inverse(value.tan()),
  asin: (value) => value.asin(),
  acos: (value) => value.acos(),
  atan: (value) => value.atan(),
};

/** A logarithm of 0 has no value. The library returns infinity, which is no number that is too large. */
function positive(name: string, value: Decimal): Decimal {
  if (value.isZero()) throw new RangeError(`expected a number above 0 as the argument of ${name}, but received 0`);
  return value;
}

function inverse(value: Decimal): Decimal {
  if (value.isZero()) throw new RangeError("expected a nonzero divisor, but received 0");
  return new Digits(1).div(value);
}

/**
 * Returns the exact value of a function such as `sin` at 0 or `ln` at 1, or null at any other fraction, where the value
 * is irrational.
 */
function exactCases(name: string, value: Value): Rational | null {
  const atZero: Record<string, number> = { exp: 1, sin: 0, cos: 1, sec: 1, tan: 0, asin: 0, atan: 0 };
  if (isExact(value) && value.top === 0n && name in atZero) return rational(atZero[name] as number);
  const atOne: Record<string, number> = { ln: 0, acos: 0 };
  return isExact(value) && rationals.equals(value, rationals.one) && name in atOne ? rationals.zero : null;
}

function root(value: Value, degree: Rational): Value {
  if (!rationals.isWhole(degree) || degree.top < 1n)
    throw new RangeError(`expected a positive integer as the degree of the root, but received ${shown(degree)}`);
  const exact = isExact(value) ? rationals.exactRoot(value, degree.top) : null;
  if (exact) return exact;
  const digits = digitsOf(value);
  const isOdd = degree.top % 2n === 1n;
  if (digits.isNeg() && !isOdd)
    throw new RangeError(`expected a number of at least 0 under the root, but received ${shown(value)}`);
  const magnitude = degree.top === 2n ? digits.sqrt() : digits.abs().pow(new Digits(1).div(`${degree.top}`));
  return bounded(digits.isNeg() ? magnitude.neg() : magnitude);
}

function logarithm(value: Value, base: Value): Value {
  const power = bounded(positive("log", digitsOf(value)).log(positive("log", digitsOf(base))));
  const near = power.toDecimalPlaces(0);
  // For example, log(1000) is exactly 3.
  if (isExact(value) && isExact(base) && near.abs().lt(10_000)) {
    const exponent = BigInt(near.toFixed());
    if (power.minus(near).abs().lt("1e-50") && rationals.equals(rationals.power(base, exponent), value))
      return rational(exponent);
  }
  return power;
}

/** Rounds a value to a number of decimal places; ties are rounded away from zero. */
function rounded(value: Value, places: Value = rational(0)): Rational {
  const count = expectExact("round", places);
  if (!rationals.isWhole(count) || count.top < -1_000n || count.top > 1_000n)
    throw new RangeError(
      `expected an integer from -1000 to 1000 as the number of places, but received ${shown(count)}`,
    );
  const shift = rationals.power(rational(10), count.top);
  if (!isExact(value)) return decimalToExact(value.toDecimalPlaces(Math.max(0, Number(count.top))));
  const shifted = rationals.multiply(value, shift);
  const magnitude = shifted.top < 0n ? rationals.negate(shifted) : shifted;
  const near = rational(rationals.floor(rationals.add(magnitude, rational(1n, 2n))));
  return rationals.divide(shifted.top < 0n ? rationals.negate(near) : near, shift);
}

function decimalToExact(value: Decimal): Rational {
  const text = value.abs().toFixed();
  const read = rationals.readDecimal(text);
  return value.isNeg() ? rationals.negate(read) : read;
}

function isBefore(name: "min" | "max", a: Value, b: Value): boolean {
  const order = isExact(a) && isExact(b) ? rationals.compare(a, b) : digitsOf(a).comparedTo(digitsOf(b));
  return name === "min" ? order < 0 : order > 0;
}

function leastMultiple(a: bigint, b: bigint): bigint {
  if (a === 0n || b === 0n) return 0n;
  const product = (a / rationals.greatestDivisor(a, b)) * b;
  return rational(product < 0n ? -product : product).top;
}

/** Returns the first digits of a value, for errors. */
function shown(value: Value): string {
  return digitsOf(value).toSignificantDigits(6).toString();
}

function whole(name: string): (value: Rational) => bigint {
  return (value) => {
    if (rationals.isWhole(value)) return value.top;
    throw new RangeError(`expected integers for ${name}, but received ${shown(value)}`);
  };
}

function wholeUpTo(name: string, value: Rational): bigint {
  const count = whole(name)(value);
  if (count < 0n) throw new RangeError(`expected integers of at least 0 for ${name}, but received ${shown(value)}`);
  if (count > mostFactors)
    throw new OutOfBounds(`expected at most ${mostFactors} for ${name}, but received ${shown(value)}`);
  return count;
}

function expectExact(name: string, value: Value): Rational {
  if (isExact(value)) return value;
  throw new RangeError(`expected fractions or integers for ${name}, but received about ${shown(value)}`);
}
