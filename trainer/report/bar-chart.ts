/** A bar chart over integers as SVG, such as tokens by staleness. */
import { niceScale, shortNumber } from "./axis.js";
import { escapeHtml } from "./escape.js";

const size = { width: 560, height: 240 };
const frame = { left: 52, right: 12, top: 12, bottom: 28 };

/** Draws the chart; undefined without shares. @param shares shares of the numbers 0, 1, 2 ... */
export function barChart(title: string, note: string, shares: readonly number[]): string | undefined {
  if (shares.length === 0) return undefined;
  const { high, ticks } = niceScale(
    0,
    shares.reduce((most, share) => Math.max(most, share)),
  );
  const inner = { width: size.width - frame.left - frame.right, height: size.height - frame.top - frame.bottom };
  const heightOf = (share: number) => (share / high) * inner.height;
  const floor = size.height - frame.bottom;
  const rows = ticks.map((tick) => {
    const y = floor - heightOf(tick);
    return `<line class="grid" x1="${frame.left}" x2="${size.width - frame.right}" y1="${y}" y2="${y}"/><text class="tick" x="${frame.left - 8}" y="${y + 4}" text-anchor="end">${shortNumber(100 * tick)}%</text>`;
  });
  const slot = inner.width / shares.length;
  const width = Math.min(slot * 0.7, 48);
  const bars = shares.map((share, value) => {
    const middle = frame.left + slot * (value + 0.5);
    const bar = `<rect class="bar" x="${(middle - width / 2).toFixed(1)}" width="${width.toFixed(1)}" y="${(floor - heightOf(share)).toFixed(1)}" height="${heightOf(share).toFixed(1)}" rx="2"><title>${value}: ${(100 * share).toFixed(1)}%</title></rect>`;
    const isLabelled = value % Math.ceil(shares.length / 16) === 0;
    return isLabelled
      ? `${bar}<text class="tick" x="${middle}" y="${size.height - 8}" text-anchor="middle">${value}</text>`
      : bar;
  });
  return `<figure class="card"><figcaption>${escapeHtml(title)} <small>${escapeHtml(note)}</small></figcaption>
<svg viewBox="0 0 ${size.width} ${size.height}" role="img" aria-label="${escapeHtml(title)}">${rows.join("")}${bars.join("")}</svg></figure>`;
}
