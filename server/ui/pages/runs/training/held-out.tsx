/** Success on held-out tasks: a curve and a row of the table for each task set. */

import { meanOf, wilsonInterval } from "../../../numbers.js";
import { CurveChart } from "../../../parts/charts/curve-chart.js";
import { Scroll } from "../../../parts/scroll.js";
import { Inline } from "../../../parts/text.js";
import { environmentOf, type HeldOut, type TrainRecord } from "./training-data.js";

/** Number of colours. The table has all task sets. */
const mostCurves = 8;
/** Evaluations in the table, after the gain, which must be in view. If there are more evaluations, it has the first and the newest ones. */
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
  const environments = [...new Set(sets.map(environmentOf))];
  return (
    <Scroll label="Held-out success by task set" class="card">
      <table class="figures">
        <thead>
          <tr>
            <th>task set, success in % [95 % interval]</th>
            <th class="number">gain</th>
            {shown.map(({ step }) => (
              <th key={step} class="number">
                step {step}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sets.map((set) => (
            <Row
              key={set}
              label={set}
              shares={shown.map(({ success }) => success[set])}
              trials={shown.map(({ episodes }) => episodes?.[set])}
            />
          ))}
          {environments.map((environment) => (
            <MeanRow
              key={environment}
              label={environments.length > 1 ? `mean in ${environment}` : "mean"}
              sets={sets.filter((set) => environmentOf(set) === environment)}
              shown={shown}
            />
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** The mean of the task sets of an environment, over the same sets in all columns, so that these can be compared. */
function MeanRow({ label, sets, shown }: { label: string; sets: readonly string[]; shown: readonly HeldOut[] }) {
  if (sets.length < 2) return null;
  const whole = sets.filter((set) => shown.every(({ success }) => success[set] !== undefined));
  const shares = shown.map(({ success }) => meanOf(whole.map((set) => success[set] as number)));
  return (
    <Row label={whole.length === sets.length ? label : `${label}, ${whole.length} of ${sets.length}`} shares={shares} />
  );
}

interface RowProps {
  label: string;
  shares: readonly (number | undefined)[];
  /** Number of episodes of each share, if it is known. */
  trials?: readonly (number | undefined)[];
}

function Row({ label, shares, trials = [] }: RowProps) {
  const [first, last] = [shares[0], shares.at(-1)];
  return (
    <tr>
      <th scope="row">
        <Inline text={label} most={120} />
      </th>
      <td class="number">
        <b>{first === undefined || last === undefined ? "" : signed(100 * (last - first))}</b>
      </td>
      {shares.map((share, index) => (
        <td key={index} class="number">
          {share === undefined ? "" : (100 * share).toFixed(1)}
          {share !== undefined && trials[index] && <small> {intervalText(share, trials[index])}</small>}
        </td>
      ))}
    </tr>
  );
}

/** Returns the 95 % interval in whole percent, such as `[12, 54]`. */
function intervalText(share: number, trials: number): string {
  return `[${wilsonInterval(share, trials)
    .map((bound) => Math.round(100 * bound))
    .join(", ")}]`;
}

export function signed(points: number): string {
  return `${points < 0 ? "−" : "+"}${Math.abs(points).toFixed(1)}`;
}
