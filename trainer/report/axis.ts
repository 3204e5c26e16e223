/** Axes of charts: ticks and number format. */

export interface Scale {
  readonly low: number;
  readonly high: number;
  readonly ticks: readonly number[];
}

/** Returns a scale with about `count` round ticks (1, 2 or 5 times a power of 10) that includes all values. */
export function niceScale(low: number, high: number, count = 4): Scale {
  const span = high > low ? high - low : Math.abs(high) || 1;
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(low / step + 1e-9);
  const last = Math.max(Math.ceil(high / step - 1e-9), first + 1);
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => (first + index) * step);
  return { low: first * step, high: last * step, ticks };
}

const plain = new Intl.NumberFormat("en", { maximumSignificantDigits: 3 });
const compact = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });

/** Formats a number with three significant digits: 0.123, 45.6, 12.3K, 1.2e-5. */
export function shortNumber(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && size < 1e-3) return value.toExponential(1);
  return (size >= 1e4 ? compact : plain).format(value);
}
