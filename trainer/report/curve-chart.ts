/**
 * A chart of curves over train steps as SVG: raw values are drawn as faint lines, their running mean as a strong line.
 */
import { niceScale, type Scale, shortNumber } from "./axis.js";
import { escapeHtml } from "./escape.js";

export interface Curve {
  readonly label: string;
  /** Points (step, value); a value that is not finite leaves a gap. */
  readonly points: readonly (readonly [number, number])[];
}

export interface Chart {
  readonly title: string;
  readonly unit: string;
  readonly curves: readonly Curve[];
  /** Whether values are shares, which are shown in percent. */
  readonly isShare?: boolean;
  /** Whether values are settings and not measurements; such values are shown without smoothing. */
  readonly isExact?: boolean;
}

const size = { width: 560, height: 240 };
const frame = { left: 52, right: 12, top: 12, bottom: 28 };
const mostPoints = 400;

/** Draws the chart; undefined if no curve has a point. */
export function curveChart({ title, unit, curves, isShare = false, isExact = false }: Chart): string | undefined {
  const drawn = curves.map((curve) => ({ ...curve, points: thinned(curve.points) })).filter(hasPoints);
  const points = drawn.flatMap((curve) => curve.points);
  if (points.length === 0) return undefined;
  const x = horizontal(points.map(([step]) => step));
  const y = vertical(points.map(([, value]) => value).filter(Number.isFinite), isShare);
  const place: Place = ([step, value]) => [
    frame.left + ((step - x.low) / (x.high - x.low)) * (size.width - frame.left - frame.right),
    size.height - frame.bottom - ((value - y.low) / (y.high - y.low)) * (size.height - frame.top - frame.bottom),
  ];
  const label = (value: number) => (isShare ? `${shortNumber(100 * value)}%` : shortNumber(value));
  return `<figure class="card"><figcaption>${escapeHtml(title)}${unit && !isShare ? ` <small>${escapeHtml(unit)}</small>` : ""}${legend(drawn, label)}</figcaption>
<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${escapeHtml(title)}">
${grid(x, y, place, label)}
${drawn.map((curve, index) => lines(curve, index, place, isExact)).join("\n")}
</svg></figure>`;
}

type Point = readonly [number, number];
type Place = (point: Point) => Point;

function hasPoints({ points }: Curve): boolean {
  return points.some(([, value]) => Number.isFinite(value));
}

function horizontal(steps: readonly number[]): Scale {
  const low = steps.reduce((least, step) => Math.min(least, step));
  const high = steps.reduce((most, step) => Math.max(most, step));
  const { ticks } = niceScale(low, high, 6);
  const inside = ticks.filter((tick) => tick >= low && tick <= high && Number.isInteger(tick));
  return low === high ? { low: low - 1, high: high + 1, ticks: [low] } : { low, high, ticks: inside };
}

function vertical(values: readonly number[], isShare: boolean): Scale {
  const low = values.reduce((least, value) => Math.min(least, value));
  const high = values.reduce((most, value) => Math.max(most, value));
  if (isShare) return high > 0.4 ? { low: 0, high: 1, ticks: [0, 0.25, 0.5, 0.75, 1] } : niceScale(0, high || 0.01);
  // The chart includes 0 unless all values are far from 0. A chart of a single value also includes 0.
  if (low === high) return niceScale(Math.min(0, low), Math.max(0, high));
  return niceScale(low > 0 && low < high * 0.6 ? 0 : low, high);
}

function grid(x: Scale, y: Scale, place: Place, label: (value: number) => string): string {
  const rows = y.ticks.map((tick) => {
    const [, at] = rounded(place([x.low, tick]));
    return `<line class="grid" x1="${frame.left}" x2="${size.width - frame.right}" y1="${at}" y2="${at}"/><text class="tick" x="${frame.left - 8}" y="${at + 4}" text-anchor="end">${label(tick)}</text>`;
  });
  const columns = x.ticks.map((tick) => {
    const [at] = rounded(place([tick, y.low]));
    return `<text class="tick" x="${at}" y="${size.height - 8}" text-anchor="middle">${shortNumber(tick)}</text>`;
  });
  return [...rows, ...columns].join("");
}

function lines({ points }: Curve, index: number, place: Place, isExact: boolean): string {
  const raw = path(points, place);
  const dots = alone(points).map((point) => {
    const [left, top] = rounded(place(point));
    return `<circle class="c${index}" cx="${left}" cy="${top}" r="4"/>`;
  });
  if (isExact || points.length < 20) return `<path class="curve c${index}" d="${raw}"/>${dots.join("")}`;
  return `<path class="raw c${index}" d="${raw}"/><path class="curve c${index}" d="${path(smoothed(points), place)}"/>${dots.join("")}`;
}

/** Returns the single points between gaps, which a line does not show. */
function alone(points: readonly Point[]): Point[] {
  const isGap = (index: number) => !Number.isFinite(points[index]?.[1]);
  return points.filter((_, index) => !isGap(index) && isGap(index - 1) && isGap(index + 1));
}

function path(points: readonly Point[], place: Place): string {
  let pen = "M";
  let drawn = "";
  for (const point of points) {
    if (!Number.isFinite(point[1])) {
      pen = "M";
      continue;
    }
    const [left, top] = rounded(place(point));
    drawn += `${pen}${left} ${top}`;
    pen = "L";
  }
  return drawn;
}

/** Computes running means over a centered window of about a twentieth of the curve. */
function smoothed(points: readonly Point[]): Point[] {
  const reach = Math.max(1, Math.round(points.length / 40));
  return points.map(([step, value], index) => {
    if (!Number.isFinite(value)) return [step, value];
    return [step, finiteMean(points.slice(Math.max(0, index - reach), index + reach + 1))];
  });
}

function finiteMean(points: readonly Point[]): number {
  const values = points.map(([, value]) => value).filter(Number.isFinite);
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Reduces points to means of neighbors if the chart is too small to show all points. */
function thinned(points: readonly Point[]): readonly Point[] {
  const width = Math.ceil(points.length / mostPoints);
  if (width <= 1) return points;
  return Array.from({ length: Math.ceil(points.length / width) }, (_, index) => {
    const bucket = points.slice(index * width, (index + 1) * width);
    return [(bucket.at(-1) as Point)[0], finiteMean(bucket)];
  });
}

function legend(curves: readonly Curve[], label: (value: number) => string): string {
  const entries = curves.map(({ label: name, points }, index) => {
    const last = points.findLast(([, value]) => Number.isFinite(value))?.[1] as number;
    return `<span class="key"><i class="c${index}"></i>${escapeHtml(name)} <b>${label(last)}</b></span>`;
  });
  return `<span class="legend">${entries.join("")}</span>`;
}

function rounded([left, top]: Point): Point {
  return [Math.round(left * 10) / 10, Math.round(top * 10) / 10];
}
