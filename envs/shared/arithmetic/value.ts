import { Decimal } from "decimal.js";
import { equals, OutOfBounds, type Rational } from "./rational.js";

/** A value: an exact fraction, or a decimal with 60 digits. */
export type Value = Rational | Decimal;

/** Copy of the class Decimal with its own settings, which other users of Decimal cannot change. */
export const Digits = Decimal.clone({ precision: 60, maxE: 9_000, minE: -9_000, toExpNeg: -7, toExpPos: 21 });

export const isExact = (value: Value): value is Rational => !(value instanceof Decimal);

export function digitsOf(value: Value): Decimal {
  if (!isExact(value)) return value;
  return new Digits(`${value.top}`).div(new Digits(`${value.bottom}`));
}

/** Whether two values are equal. Fractions are compared exactly, and other values to 40 digits. */
export function isSame(a: Value, b: Value): boolean {
  if (isExact(a) && isExact(b)) return equals(a, b);
  const [left, right] = [digitsOf(a), digitsOf(b)];
  const difference = left.minus(right).abs();
  return difference.lte(Digits.max(left.abs(), right.abs()).times("1e-40"));
}

/** @throws {OutOfBounds} the value is too large */
export function bounded(value: Decimal): Decimal {
  if (value.isNaN()) throw new RangeError("expected a real number, but the formula has no real value");
  if (!value.isFinite()) throw new OutOfBounds("expected a number below 10^9000, but received a larger number");
  return value;
}
