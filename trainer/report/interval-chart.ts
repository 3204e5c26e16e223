/** A chart of estimates with confidence intervals as SVG, such as success by family or pass@k. */
import type { Estimate } from "../evaluation/statistics.js";
import { escapeHtml } from "./escape.js";

export interface IntervalRow {
  readonly label: string;
  /** Estimate and interval, as shares from 0 to 1. */
  readonly estimate: Pick<Estimate, "value" | "low" | "high">;
  /** Number of episodes or tasks, as text. */
  readonly note: string;
  /** Whether the row is highlighted, such as a total. */
  readonly isStrong?: boolean;
}

const width = 560;
const rowHeight = 24;
const frame = { left: 150, right: 110, top: 6, bottom: 26 };
const longestLabel = 20;

/** Draws the chart; undefined without rows. */
export function intervalChart(title: string, note: string, rows: readonly IntervalRow[]): string | undefined {
  if (rows.length === 0) return undefined;
  const height = frame.top + rows.length * rowHeight + frame.bottom;
  const floor = height - frame.bottom;
  const grid = [0, 0.25, 0.5, 0.75, 1].map((tick) => {
    const x = at(tick);
    return `<line class="grid" x1="${x}" x2="${x}" y1="${frame.top}" y2="${floor}"/><text class="tick" x="${x}" y="${floor + 17}" text-anchor="middle">${100 * tick}%</text>`;
  });
  return `<figure class="card"><figcaption>${escapeHtml(title)} <small>${escapeHtml(note)}</small></figcaption>
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">${grid.join("")}${rows.map(drawn).join("")}</svg></figure>`;
}

function at(share: number): number {
  return Math.round(10 * (frame.left + share * (width - frame.left - frame.right))) / 10;
}

function drawn({ label, estimate, note, isStrong = false }: IntervalRow, index: number): string {
  const y = frame.top + (index + 0.5) * rowHeight;
  const [low, value, high] = [at(estimate.low), at(estimate.value), at(estimate.high)];
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  const shown = label.length > longestLabel ? `${label.slice(0, longestLabel - 1)}…` : label;
  const tip = `${label}: ${percent(estimate.value)} [${percent(estimate.low)}, ${percent(estimate.high)}], ${note}`;
  const weight = isStrong ? ' font-weight="600"' : "";
  return `<g class="interval"><title>${escapeHtml(tip)}</title>
<text class="label" x="${frame.left - 12}" y="${y + 4}" text-anchor="end"${weight}>${escapeHtml(shown)}</text>
<line class="whisker" x1="${low}" x2="${high}" y1="${y}" y2="${y}"/><line class="whisker" x1="${low}" x2="${low}" y1="${y - 4}" y2="${y + 4}"/><line class="whisker" x1="${high}" x2="${high}" y1="${y - 4}" y2="${y + 4}"/>
<circle class="dot" cx="${value}" cy="${y}" r="4.5"/>
<text class="tick" x="${width - frame.right + 14}" y="${y + 4}"${weight}>${percent(estimate.value)} <tspan class="soft" dx="4">${escapeHtml(note)}</tspan></text></g>`;
}
