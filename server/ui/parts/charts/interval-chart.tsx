/** Estimates with their 95 % intervals, such as success by family, as a table with a scale from 0 to 100 %. */

import { type Estimate, percent } from "../../numbers.js";
import { Scroll } from "../scroll.js";
import { Inline } from "../text.js";
import { readableLine } from "../visible-text.js";
import "./charts.css";

export interface IntervalRow {
  readonly label: string;
  readonly estimate: Estimate;
  /** Number of episodes or tasks, as text. */
  readonly note: string;
  /** Whether the row is emphasised, such as a total. */
  readonly isStrong?: boolean;
  /** Number of the colour. */
  readonly colour?: number;
}

interface Props {
  title: string;
  note: string;
  /** What the rows are, such as families. */
  of?: string;
  rows: readonly IntervalRow[];
}

export function IntervalChart({ title, note, of = "", rows }: Props) {
  if (rows.length === 0) return null;
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong> <span class="quiet">{note}</span>
      </figcaption>
      <Scroll label={`${title}, intervals`}>
        <table class="intervals" aria-label={title}>
          <thead aria-hidden="true">
            <tr>
              <th>{of}</th>
              <td class="scale">
                <span class="ticks">
                  <i>0 %</i>
                  <i>50 %</i>
                  <i>100 %</i>
                </span>
              </td>
              <td />
              <td />
            </tr>
          </thead>
          <tbody>
            {rows.map((row, index) => (
              <Row key={index} {...row} />
            ))}
          </tbody>
        </table>
      </Scroll>
    </figure>
  );
}

function Row({ label, estimate: { value, low, high }, note, isStrong, colour = 0 }: IntervalRow) {
  const interval = `${percent(low)} to ${percent(high)}`;
  return (
    <tr
      class={isStrong ? "strong" : undefined}
      title={`${readableLine(label, 120)}: ${percent(value)}, interval ${interval}, ${note}`}
    >
      <th scope="row">
        <Inline text={label} most={120} />
      </th>
      <td class="scale">
        <svg class={`c${colour}`} viewBox="0 0 100 16" preserveAspectRatio="none" role="img" aria-label={interval}>
          {[0, 25, 50, 75, 100].map((tick) => (
            <line key={tick} x1={tick} x2={tick} y1="0" y2="16" />
          ))}
          <line class="whisker" x1={100 * low} x2={100 * high} y1="8" y2="8" />
          <line class="dot" x1={100 * value} x2={100 * value} y1="8" y2="8.001" />
        </svg>
      </td>
      <td class="number">{percent(value)}</td>
      <td class="quiet">{note}</td>
    </tr>
  );
}
