/** The section of held-out tasks in the report: a curve and a table row for each task set. */
import { curveChart } from "./curve-chart.js";
import { escapeHtml } from "./escape.js";
import type { HeldOutRecord, TrainRecord } from "./metric-names.js";

/** Maximum number of curves, which is the number of colors. The table contains all task sets. */
const mostCurves = 8;

/** Returns the section as HTML; empty without evaluations. */
export function heldOutSection(records: readonly TrainRecord[]): string {
  const evaluations = records.flatMap(({ held_out }) => (held_out ? [held_out] : []));
  if (evaluations.length === 0) return "";
  const sets = [...new Set(evaluations.flatMap(({ success }) => Object.keys(success)))];
  const curves = sets.slice(0, mostCurves).map((set) => ({ label: set, points: pointsOf(evaluations, set) }));
  const chart = curveChart({ title: "Success on held-out tasks", unit: "", isShare: true, isExact: true, curves });
  return `<h2>Held out</h2>${chart ?? ""}<div class="card scroll">${table(evaluations, sets)}</div>`;
}

function pointsOf(evaluations: readonly HeldOutRecord[], set: string): [number, number][] {
  return evaluations.map(({ step, success }) => [step, success[set] ?? Number.NaN]);
}

/** Maximum number of columns of the table. If there are more evaluations, only the first and the last are shown. */
const mostColumns = 9;

function table(evaluations: readonly HeldOutRecord[], sets: readonly string[]): string {
  const shown =
    evaluations.length <= mostColumns
      ? evaluations
      : [...evaluations.slice(0, 1), ...evaluations.slice(1 - mostColumns)];
  const head = shown.map(({ step }) => `<th>step ${step}</th>`).join("");
  const rows = sets.map((set) =>
    row(
      set,
      shown.map(({ success }) => success[set]),
    ),
  );
  // The means of all columns are over the same sets, so that they can be compared.
  const whole = sets.filter((set) => shown.every(({ success }) => success[set] !== undefined));
  const means = shown.map(({ success }) => meanOf(whole.map((set) => success[set] as number)));
  const label = whole.length === sets.length ? "mean" : `mean of ${whole.length}`;
  return `<table class="figures"><tr><th></th>${head}<th>gain</th></tr>${rows.join("")}${row(label, means)}</table>`;
}

function row(label: string, shares: readonly (number | undefined)[]): string {
  const cells = shares.map((share) => `<td>${share === undefined ? "" : (100 * share).toFixed(1)}</td>`);
  const [first, last] = [shares[0], shares.at(-1)];
  const gain = first === undefined || last === undefined ? "" : signed(100 * (last - first));
  return `<tr><td>${escapeHtml(label)}</td>${cells.join("")}<td><b>${gain}</b></td></tr>`;
}

function signed(points: number): string {
  return `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(1)}`;
}

function meanOf(shares: readonly number[]): number | undefined {
  return shares.length === 0 ? undefined : shares.reduce((sum, share) => sum + share, 0) / shares.length;
}
