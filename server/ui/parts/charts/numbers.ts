/** Numbers as text. */

const plain = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const grouping = new Intl.NumberFormat("en", { maximumFractionDigits: 2 });

type Maybe = number | null | undefined;

/** Returns a number with three significant digits: 0.123, 45.6, 12.3K, 1.2e-5. */
export function shortNumber(value: Maybe): string {
  if (value === null || value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (size !== 0 && size < 1e-3) return value.toExponential(1);
  return (size >= 1e4 ? compact : plain).format(value);
}

/** @param value share from 0 to 1 */
export function percent(value: Maybe): string {
  return value === null || value === undefined || Number.isNaN(value) ? "–" : `${(100 * value).toFixed(1)} %`;
}

export function decimal(value: Maybe, digits = 2): string {
  return value === null || value === undefined ? "–" : value.toFixed(digits);
}

export function grouped(value: number): string {
  return grouping.format(value);
}

export function meanOf(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}

export interface Estimate {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** Returns an estimate with its interval. */
export function estimated(estimate: Estimate | undefined, write: (value: number) => string): string {
  return estimate ? `${write(estimate.value)} [${write(estimate.low)}, ${write(estimate.high)}]` : "–";
}

/** Returns round ticks (1, 2 or 5 times a power of 10) from 0 to at least `high`. */
export function ticksTo(high: number, count = 4): number[] {
  const rough = (high || 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough - 1e-12) ?? 10) * power;
  const last = Math.ceil((high || 1) / step - 1e-9);
  return Array.from({ length: last + 1 }, (_, index) => index * step);
}
