/** Exact arithmetic with fractions of big integers, up to a maximum size. */

/** Thrown if a number would take more memory or time than is allowed. */
export class OutOfBounds extends RangeError {}

/** Maximum number of bits of a numerator or denominator: 2,466 decimal digits. */
const mostBits = 8_192;

/** A fraction in lowest terms with a positive denominator. */
export interface Rational {
  readonly top: bigint;
  readonly bottom: bigint;
}

export const zero: Rational = { top: 0n, bottom: 1n };
export const one: Rational = { top: 1n, bottom: 1n };

/**
 * @throws {RangeError} the denominator is 0
 * @throws {OutOfBounds} a number is too large
 */
export function rational(top: bigint | number, bottom: bigint | number = 1n): Rational {
  let [up, down] = [BigInt(top), BigInt(bottom)];
  if (down === 0n) throw new RangeError("expected a nonzero divisor, but received 0");
  if (down < 0n) [up, down] = [-up, -down];
  const divisor = greatestDivisor(up, down);
  [up, down] = [up / divisor, down / divisor];
  if (bitsOf(up) > mostBits || bitsOf(down) > mostBits)
    throw new OutOfBounds(`expected numbers of at most ${mostBits} bits, but received a larger number`);
  return { top: up, bottom: down };
}

export const add = (a: Rational, b: Rational) => rational(a.top * b.bottom + b.top * a.bottom, a.bottom * b.bottom);
export const subtract = (a: Rational, b: Rational) => add(a, negate(b));
export const multiply = (a: Rational, b: Rational) => rational(a.top * b.top, a.bottom * b.bottom);
/** @throws {RangeError} the divisor is 0 */
export const divide = (a: Rational, b: Rational) => rational(a.top * b.bottom, a.bottom * b.top);
export const negate = ({ top, bottom }: Rational): Rational => ({ top: -top, bottom });
export const isWhole = ({ bottom }: Rational) => bottom === 1n;
export const equals = (a: Rational, b: Rational) => a.top === b.top && a.bottom === b.bottom;
export const compare = (a: Rational, b: Rational) => {
  const difference = a.top * b.bottom - b.top * a.bottom;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
};

/** Returns the largest integer that is at most the value. */
export function floor({ top, bottom }: Rational): bigint {
  const quotient = top / bottom;
  return top < 0n && quotient * bottom !== top ? quotient - 1n : quotient;
}

/**
 * @throws {OutOfBounds} the power is too large
 * @throws {RangeError} the base is 0 and the exponent is negative
 */
export function power(base: Rational, exponent: bigint): Rational {
  const times = exponent < 0n ? -exponent : exponent;
  const bits = Math.max(bitsOf(base.top), bitsOf(base.bottom));
  // All powers of 0, 1 and -1 are small numbers.
  if (bits > 1 && times * BigInt(bits - 1) > BigInt(mostBits))
    throw new OutOfBounds(`expected a power of at most ${mostBits} bits, but received a larger power`);
  const small = bits > 1 ? times : times % 2n === 0n && times > 0n ? 2n : times > 0n ? 1n : 0n;
  const [top, bottom] = [base.top ** small, base.bottom ** small];
  return exponent < 0n ? rational(bottom, top) : rational(top, bottom);
}

/** Returns the root of a positive degree, or null if the root is irrational or not real. */
export function exactRoot({ top, bottom }: Rational, degree: bigint): Rational | null {
  if (top < 0n && degree % 2n === 0n) return null;
  const up = wholeRoot(top < 0n ? -top : top, degree);
  const down = wholeRoot(bottom, degree);
  if (up === null || down === null) return null;
  return { top: top < 0n ? -up : up, bottom: down };
}

export function greatestDivisor(a: bigint, b: bigint): bigint {
  let [left, right] = [a < 0n ? -a : a, b < 0n ? -b : b];
  while (right !== 0n) [left, right] = [right, left % right];
  return left;
}

/**
 * Returns the value as a decimal such as `-0.125`, or null if the decimal does not terminate.
 *
 * @param most maximum number of digits after the point
 */
export function finiteDecimal({ top, bottom }: Rational, most = 1_000): string | null {
  let [twos, fives, rest] = [0, 0, bottom];
  for (; rest % 2n === 0n; rest /= 2n) twos++;
  for (; rest % 5n === 0n; rest /= 5n) fives++;
  const places = Math.max(twos, fives);
  if (rest !== 1n || places > most) return null;
  const digits = `${((top < 0n ? -top : top) * 10n ** BigInt(places)) / bottom}`.padStart(places + 1, "0");
  const sign = top < 0n ? "-" : "";
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/**
 * Reads a number such as `12`, `1.25`, `.5` or `1.5e-3`. The digits after `‾` repeat forever: `0.1‾6` is 1/6.
 *
 * @throws {OutOfBounds} the number is too long
 */
export function readDecimal(text: string): Rational {
  const [start = "", repeated] = text.split("‾");
  if (repeated === undefined) return readFinite(text);
  const places = (start.split(".")[1] ?? "").length;
  const cycle = rational(readFinite(repeated).top, 10n ** BigInt(repeated.length) - 1n);
  return add(readFinite(`0${start}`), multiply(cycle, readFinite(`1e-${places}`)));
}

function readFinite(text: string): Rational {
  const [mantissa = "", exponent = "0"] = text.toLowerCase().split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  // A longer number is refused before it is parsed.
  const most = mostBits / 3;
  if (whole.length + fraction.length > most || Math.abs(Number(exponent)) > most)
    throw new OutOfBounds(`expected a number of at most ${Math.floor(most)} digits, but received a longer number`);
  const places = Number(exponent) - fraction.length;
  const digits = BigInt(`${whole}${fraction}`);
  return places < 0 ? rational(digits, 10n ** BigInt(-places)) : rational(digits * 10n ** BigInt(places));
}

/** Returns the root of an integer by Newton's method, or null if the root is not an integer. */
function wholeRoot(value: bigint, degree: bigint): bigint | null {
  if (value < 2n) return value;
  if (degree > BigInt(bitsOf(value))) return null;
  let root = 1n << (BigInt(bitsOf(value)) / degree + 1n);
  for (;;) {
    const next = ((degree - 1n) * root + value / root ** (degree - 1n)) / degree;
    if (next >= root) break;
    root = next;
  }
  return root ** degree === value ? root : null;
}

function bitsOf(value: bigint): number {
  const hex = (value < 0n ? -value : value).toString(16);
  return value === 0n ? 0 : (hex.length - 1) * 4 + Number.parseInt(hex[0] as string, 16).toString(2).length;
}
