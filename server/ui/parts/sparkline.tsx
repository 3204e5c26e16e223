/** The course of one or more values over the last five minutes. Times without a value are gaps in the line. */
import "./sparkline.css";

export interface Point {
  /** Milliseconds since the Unix epoch. */
  atMs: number;
  value: number | null;
}

interface Props {
  label: string;
  lines: readonly (readonly Point[])[];
  format: (value: number) => string;
}

const [width, height] = [300, 40];
const shownMs = 300_000;
/** Values that are further apart are not connected. */
const longestStepMs = 2_500;

export function Sparkline({ label, lines, format }: Props) {
  const values = lines.flatMap((line) => line.flatMap(({ value }) => value ?? []));
  const highest = Math.max(0, ...values);
  const endMs = Math.max(...lines.map((line) => line.at(-1)?.atMs ?? 0));
  const x = (atMs: number) => (width * (1 - (endMs - atMs) / shownMs)).toFixed(1);
  const y = (value: number) => (height - 2 - (value / (highest || 1)) * (height - 4)).toFixed(1);
  return (
    <svg
      class="sparkline"
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`${label} in the last five minutes, at most ${format(highest)}`}
    >
      <line x1="0" x2={width} y1={height - 2} y2={height - 2} />
      {lines.map((line, i) => (
        <path key={i} d={pathOf(line, x, y)} />
      ))}
    </svg>
  );
}

function pathOf(line: readonly Point[], x: (atMs: number) => string, y: (value: number) => string): string {
  let lastMs = Number.NEGATIVE_INFINITY;
  const parts: string[] = [];
  for (const { atMs, value } of line) {
    if (value === null) continue;
    const isNear = atMs - lastMs <= longestStepMs;
    // A value alone is drawn as a dot.
    parts.push(isNear ? `L${x(atMs)} ${y(value)}` : `M${x(atMs)} ${y(value)}h0`);
    lastMs = atMs;
  }
  return parts.join("");
}
