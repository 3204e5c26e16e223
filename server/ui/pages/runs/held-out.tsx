/** Success on held-out tasks: a curve and a row of the table for each task set. */

import { meanOf } from "../../numbers.js";
import { CurveChart } from "../../parts/charts/curve-chart.js";
import { Scroll } from "../../parts/scroll.js";
import { Inline } from "../../parts/text.js";
import type { HeldOut, TrainRecord } from "./training-data.js";

/** Number of colours. The table has all task sets. */
const mostCurves = 8;
/** Columns of the table. If there are more evaluations, it has the first and the newest ones. */
const mostColumns = 9;

export function HeldOutSection({ records }: { records: readonly TrainRecord[] }) {
  const evaluations = records.flatMap(({ held_out }) => (held_out ? [held_out] : []));
  if (evaluations.length === 0) return null;
  const sets = [...new Set(evaluations.flatMap(({ success }) => Object.keys(success)))];
  const curves = sets.slice(0, mostCurves).map((set) => ({
    label: set,
    points: evaluations.map(({ step, success }) => [step, success[set] ?? null] as const),
  }));
  return (
    <>
      <h2>Held out</h2>
      <div class="charts wide">
        <CurveChart title="Success on held-out tasks" isShare isExact curves={curves} />
        <HeldOutTable evaluations={evaluations} sets={sets} />
      </div>
    </>
  );
}

function HeldOutTable({ evaluations, sets }: { evaluations: readonly HeldOut[]; sets: readonly string[] }) {
  const shown =
    evaluations.length <= mostColumns
      ? evaluations
      : [...evaluations.slice(0, 1), ...evaluations.slice(1 - mostColumns)];
  // The means of all columns are over the same sets, so that they can be compared.
  const whole = sets.filter((set) => shown.every(({ success }) => success[set] !== undefined));
  const means = shown.map(({ success }) => meanOf(whole.map((set) => success[set] as number)));
  return (
    <Scroll label="Held-out success by task set" class="card">
      <table class="figures">
        <thead>
          <tr>
            <th>task set, success in %</th>
            {shown.map(({ step }) => (
              <th key={step} class="number">
                step {step}
              </th>
            ))}
            <th class="number">gain</th>
          </tr>
        </thead>
        <tbody>
          {sets.map((set) => (
            <Row key={set} label={set} shares={shown.map(({ success }) => success[set])} />
          ))}
          {sets.length > 1 && (
            <Row label={whole.length === sets.length ? "mean" : `mean of ${whole.length}`} shares={means} />
          )}
        </tbody>
      </table>
    </Scroll>
  );
}

function Row({ label, shares }: { label: string; shares: readonly (number | undefined)[] }) {
  const [first, last] = [shares[0], shares.at(-1)];
  return (
    <tr>
      <th scope="row">
        <Inline text={label} most={120} />
      </th>
      {shares.map((share, index) => (
        <td key={index} class="number">
          {share === undefined ? "" : (100 * share).toFixed(1)}
        </td>
      ))}
      <td class="number">
        <b>{first === undefined || last === undefined ? "" : signed(100 * (last - first))}</b>
      </td>
    </tr>
  );
}

export function signed(points: number): string {
  return `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(1)}`;
}
