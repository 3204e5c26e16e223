/**
 * Exact decimal numbers. Tolerances need exact decimals: 298.1 and 298 differ by exactly 0.1, which binary fractions
 * cannot represent.
 */

/** The decimal number `digits` × 10^`exponent`. */
export interface Decimal {
  digits: bigint;
  exponent: number;
}

/** @param text a finite number such as `1234.5` or `-1e+22` */
export function decimalOf(text: string): Decimal | undefined {
  const [, sign = "", whole = "", fraction = "", power = "0"] =
    /^([+-]?)(\d*)\.?(\d*)(?:e([+-]?\d+))?$/.exec(text.toLowerCase()) ?? [];
  if (whole === "" && fraction === "") return undefined;
  const digits = BigInt(`${whole}${fraction}`);
  return { digits: sign === "-" ? -digits : digits, exponent: Number(power) - fraction.length };
}

/** Scales decimals to their smallest exponent, and returns their digits. */
export function aligned(...decimals: readonly Decimal[]): bigint[] {
  const exponent = Math.min(...decimals.map((one) => one.exponent));
  return decimals.map((one) => one.digits * 10n ** BigInt(one.exponent - exponent));
}

export function distanceBetween(one: bigint, other: bigint): bigint {
  return one > other ? one - other : other - one;
}
