/**
 * A chart for print: lines with bands as SVG, told apart by dashes as well as by colour. It has no cursor; the page names the
 * values in a table.
 */
import { percent, shortNumber } from "../numbers.js";
import { Swatch } from "../parts/charts/curve-chart.js";
import { dashOf } from "../parts/charts/plot.js";
import { Inline } from "../parts/text.js";
import { readableLine } from "../parts/visible-text.js";

export interface BandPoint {
  readonly x: number;
  readonly y: number;
  readonly low?: number;
  readonly high?: number;
}

export interface BandSeries {
  readonly label: string;
  readonly points: readonly BandPoint[];
  /** Thin lines of single runs. */
  readonly single?: readonly (readonly (readonly [x: number, y: number])[])[];
}

export interface BandPlan {
  readonly title: string;
  readonly across: string;
  readonly isShare: boolean;
  readonly series: readonly BandSeries[];
}

/** Size of the picture, and the room of its axes. */
const [width, height, left, bottom, top, right] = [440, 240, 52, 34, 8, 10] as const;

export function BandChart({ title, across, isShare, series }: BandPlan) {
  const points = series.flatMap((each) => [
    ...each.points.flatMap(({ x, y, low = y, high = y }) => [[x, low] as const, [x, high] as const]),
    ...(each.single ?? []).flat(),
  ]);
  if (points.length === 0) return null;
  const scale = scaleOf(points, isShare);
  const write = isShare ? percent : shortNumber;
  const last = series.map(({ label, points: own }) => `${readableLine(label, 80)} ${write(own.at(-1)?.y)}`).join(", ");
  return (
    <figure class="chart band">
      <figcaption>
        <strong>{title}</strong>
        <span class="legend">
          {series.map(({ label, points: own }, index) => (
            <span key={label}>
              <Swatch index={index} /> <Inline text={label} most={120} /> <b>{write(own.at(-1)?.y)}</b>
            </span>
          ))}
        </span>
      </figcaption>
      <svg viewBox={`0 0 ${width} ${height}`} role="img" aria-label={`${title} by ${across}. At the end: ${last}`}>
        <Axes {...scale} across={across} write={write} />
        {series.map((each, index) => (
          <Line key={each.label} {...each} index={index} scale={scale} />
        ))}
      </svg>
    </figure>
  );
}

interface Scale {
  x(value: number): number;
  y(value: number): number;
  readonly xTicks: readonly number[];
  readonly yTicks: readonly number[];
}

function Line({ points, single = [], index, scale }: BandSeries & { index: number; scale: Scale }) {
  const { x, y } = scale;
  const banded = points.filter(({ low, high }) => low !== undefined && high !== undefined);
  const ahead = banded.map(({ x: at, high }) => `${x(at)},${y(high as number)}`);
  const back = [...banded].reverse().map(({ x: at, low }) => `${x(at)},${y(low as number)}`);
  return (
    <g class={`c${index % 8} d${dashOf(index)}`}>
      {banded.length > 1 && <polygon class="area" points={[...ahead, ...back].join(" ")} />}
      {single.map((run, at) => (
        <polyline key={at} class="thin" points={run.map(([a, b]) => `${x(a)},${y(b)}`).join(" ")} />
      ))}
      <polyline class="line" points={points.map((point) => `${x(point.x)},${y(point.y)}`).join(" ")} />
      {points.length < 20 && points.map((point) => <circle key={point.x} cx={x(point.x)} cy={y(point.y)} r="2.2" />)}
    </g>
  );
}

function Axes({ x, y, xTicks, yTicks, across, write }: Scale & { across: string; write: (value: number) => string }) {
  return (
    <g class="axes">
      {yTicks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={width - right} y1={y(tick)} y2={y(tick)} />
          <text x={left - 6} y={y(tick) + 4} text-anchor="end">
            {write(tick)}
          </text>
        </g>
      ))}
      {xTicks.map((tick) => (
        <text key={tick} x={x(tick)} y={height - bottom + 15} text-anchor="middle">
          {shortNumber(tick)}
        </text>
      ))}
      <text x={(left + width - right) / 2} y={height - 4} text-anchor="middle">
        {across}
      </text>
    </g>
  );
}

function scaleOf(points: readonly (readonly [number, number])[], isShare: boolean): Scale {
  const [xs, ys] = [points.map(([x]) => x), points.map(([, y]) => y)];
  const xTicks = ticksOf(Math.min(...xs), Math.max(...xs));
  const yTicks = isShare ? [0, 0.25, 0.5, 0.75, 1] : ticksOf(Math.min(0, ...ys), Math.max(...ys));
  const [fromX, toX] = [Math.min(...xs), Math.max(...xs)];
  const [fromY, toY] = [yTicks[0] as number, Math.max(yTicks.at(-1) as number, ...ys)];
  const place = (value: number, from: number, to: number) => (to === from ? 0.5 : (value - from) / (to - from));
  const rounded = (value: number) => Math.round(10 * value) / 10;
  return {
    x: (value) => rounded(left + place(value, fromX, toX) * (width - left - right)),
    y: (value) => rounded(height - bottom - place(value, fromY, toY) * (height - bottom - top)),
    xTicks: xTicks.filter((tick) => tick >= fromX && tick <= toX),
    yTicks,
  };
}

/** Returns about five round numbers that cover a range. */
function ticksOf(from: number, to: number): number[] {
  if (to <= from) return [from];
  const rough = (to - from) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((factor) => factor * power >= rough) as number) * power;
  const first = Math.floor(from / step);
  const last = Math.ceil(to / step - 1e-9);
  return Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
}
