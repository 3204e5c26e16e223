/** A histogram of stacked bars as SVG, such as the steps of solved and unsolved episodes. */
import { niceScale, shortNumber } from "./axis.js";
import { escapeHtml } from "./escape.js";

export interface Series {
  readonly label: string;
  /** CSS class of the color: `c0` to `c7`. */
  readonly colour: string;
  readonly values: readonly number[];
}

interface Bin {
  /** Lowest value of the bin. For a bin of one integer, also the highest value. */
  readonly from: number;
  readonly to: number;
  /** Number of values of each series in the bin. */
  readonly counts: readonly number[];
}

const size = { width: 560, height: 240 };
const frame = { left: 52, right: 12, top: 12, bottom: 28 };
const mostBins = 24;
/** Minimum relative difference of distinct values; smaller differences are rounding errors. */
const leastSpread = 1e-9;

/** Draws the histogram; undefined if no series has a value. */
export function histogram(title: string, note: string, series: readonly Series[]): string | undefined {
  const values = series.flatMap((one) => one.values);
  if (values.length === 0) return undefined;
  const bins = binned(series, values);
  const most = bins.reduce((highest, { counts }) => Math.max(highest, sum(counts)), 0);
  const { high, ticks } = niceScale(0, most);
  const floor = size.height - frame.bottom;
  const y = (count: number) => Math.round(10 * (floor - (count / high) * (floor - frame.top))) / 10;
  const rows = ticks.filter(Number.isInteger).map((tick) => {
    return `<line class="grid" x1="${frame.left}" x2="${size.width - frame.right}" y1="${y(tick)}" y2="${y(tick)}"/><text class="tick" x="${frame.left - 8}" y="${y(tick) + 4}" text-anchor="end">${shortNumber(tick)}</text>`;
  });
  const bars = bins.map((bin, index) => bar(bin, index, bins.length, series, y));
  return `<figure class="card"><figcaption>${escapeHtml(title)} <small>${escapeHtml(note)}</small>${legend(series)}</figcaption>
<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${escapeHtml(title)}">${rows.join("")}${bars.join("")}</svg></figure>`;
}

/** Divides values into bins. Each integer has its own bin if the number of bins allows it. */
function binned(series: readonly Series[], values: readonly number[]): Bin[] {
  const low = values.reduce((least, value) => Math.min(least, value));
  const high = values.reduce((most, value) => Math.max(most, value));
  const areWhole = values.every(Number.isInteger);
  if (!areWhole && high - low <= leastSpread * Math.max(1, Math.abs(low), Math.abs(high)))
    return [{ from: low, to: high, counts: series.map(({ values: { length } }) => length) }];
  const scale = niceScale(low, high, 16);
  const rough = (scale.ticks[1] as number) - (scale.ticks[0] as number);
  const width = areWhole ? (high - low < mostBins ? 1 : Math.ceil(rough)) : rough;
  const first = Math.floor(low / width + 1e-9);
  const count = Math.floor(high / width + 1e-9) - first + 1;
  const binOf = (value: number) => Math.floor(value / width + 1e-9) - first;
  const counts = Array.from({ length: count }, () => series.map(() => 0));
  for (const [at, one] of series.entries()) {
    for (const value of one.values) (counts[binOf(value)] as number[])[at] = (counts[binOf(value)]?.[at] as number) + 1;
  }
  return counts.map((each, index) => {
    const from = (first + index) * width;
    return { from, to: areWhole ? from + width - 1 : from + width, counts: each };
  });
}

function bar(
  { from, to, counts }: Bin,
  index: number,
  count: number,
  series: readonly Series[],
  y: (count: number) => number,
): string {
  const slot = (size.width - frame.left - frame.right) / count;
  const width = Math.min(slot * 0.8, 48);
  const middle = frame.left + slot * (index + 0.5);
  const range = from === to ? shortNumber(from) : `${shortNumber(from)} to ${shortNumber(to)}`;
  let below = 0;
  const parts = counts.map((value, at) => {
    const [bottom, top] = [y(below), y(below + value)];
    below += value;
    if (value === 0) return "";
    const { colour, label } = series[at] as Series;
    return `<rect class="${colour}" x="${(middle - width / 2).toFixed(1)}" width="${width.toFixed(1)}" y="${top}" height="${(bottom - top).toFixed(1)}" rx="2"><title>${escapeHtml(`${range}: ${value} ${label}`)}</title></rect>`;
  });
  const isLabelled = index % Math.ceil(count / 12) === 0;
  const label = `<text class="tick" x="${middle.toFixed(1)}" y="${size.height - 8}" text-anchor="middle">${shortNumber(from)}</text>`;
  return parts.join("") + (isLabelled ? label : "");
}

function legend(series: readonly Series[]): string {
  const entries = series.map(
    ({ label, colour, values }) =>
      `<span class="key"><i class="${colour}"></i>${escapeHtml(label)} <b>${values.length}</b></span>`,
  );
  return `<span class="legend">${entries.join("")}</span>`;
}

function sum(values: readonly number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
