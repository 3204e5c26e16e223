/** Bins of a histogram. */

export interface Series {
  readonly label: string;
  /** Number of the colour. */
  readonly colour: number;
  readonly values: readonly number[];
}

export interface Bin {
  /** Lowest value of the bin. For a bin of one integer, also the highest value. */
  readonly from: number;
  readonly to: number;
  /** Number of values of each series in the bin. */
  readonly counts: readonly number[];
}

const mostBins = 24;
/** Smallest relative difference of distinct values; smaller differences are rounding errors. */
const leastSpread = 1e-9;

/** Divides the values of several series into bins. Each integer has a bin of its own if there are few enough. */
export function binned(series: readonly (readonly number[])[]): Bin[] {
  const values = series.flat();
  if (values.length === 0) return [];
  const low = values.reduce((least, value) => Math.min(least, value));
  const high = values.reduce((most, value) => Math.max(most, value));
  const areWhole = values.every(Number.isInteger);
  if (!areWhole && high - low <= leastSpread * Math.max(1, Math.abs(low), Math.abs(high))) {
    return [{ from: low, to: low, counts: series.map(({ length }) => length) }];
  }
  const rough = ticksTo(high - low, 16)[1] as number;
  const width = areWhole ? (high - low < mostBins ? 1 : Math.ceil(rough)) : rough;
  const binOf = (value: number) => Math.floor(value / width + 1e-9);
  const first = binOf(low);
  const counts = Array.from({ length: binOf(high) - first + 1 }, () => series.map(() => 0));
  for (const [at, own] of series.entries()) {
    for (const value of own) {
      const bin = counts[binOf(value) - first] as number[];
      bin[at] = (bin[at] as number) + 1;
    }
  }
  return counts.map((each, index) => {
    const from = (first + index) * width;
    return { from, to: areWhole ? from + width - 1 : from + width, counts: each };
  });
}

/** Returns round ticks (1, 2 or 5 times a power of 10) from 0 to at least `high`. */
function ticksTo(high: number, count = 4): number[] {
  const rough = (high || 1) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough - 1e-12) ?? 10) * power;
  const last = Math.ceil((high || 1) / step - 1e-9);
  return Array.from({ length: last + 1 }, (_, index) => index * step);
}
