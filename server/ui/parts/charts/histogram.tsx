/** A histogram of stacked bars, such as the steps of solved and unsolved episodes. */

import { shortNumber } from "../../numbers.js";
import { type Bin, binned, type Series } from "./bins.js";
import "./charts.css";

interface Props {
  title: string;
  note: string;
  /** Labels of the axes. Default: the title, and episodes. */
  across?: string;
  up?: string;
  series: readonly Series[];
}

export function Histogram({ title, note, across = title, up = "episodes", series }: Props) {
  const bins = binned(series.map(({ values }) => values));
  const text = (value: number) => `${value}`;
  return <BarChart title={title} note={note} across={across} up={up} series={series} bins={bins} write={text} />;
}

interface BarProps {
  title: string;
  note: string;
  /** Labels of the axes. */
  across: string;
  up: string;
  series: readonly Omit<Series, "values">[];
  bins: readonly Bin[];
  write: (value: number) => string;
}

/** Bars over bins of numbers. */
export function BarChart({ title, note, across, up, series, bins, write }: BarProps) {
  if (bins.length === 0) return null;
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  const most = Math.max(...bins.map(({ counts }) => sum(counts)));
  const every = Math.ceil(bins.length / 10);
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong> <span class="quiet">{note}</span>
        {series.length > 1 && (
          <span class="legend">
            {series.map(({ label, colour }, at) => (
              <span key={label}>
                <i class={`block c${colour}`} /> {label} <b>{write(sum(bins.map(({ counts }) => counts[at] ?? 0)))}</b>
              </span>
            ))}
          </span>
        )}
      </figcaption>
      <p class="axis">
        {up}, at most {write(most)}
      </p>
      <ol class="bars" aria-label={title}>
        {bins.map(({ from, to, counts }) => {
          const range = from === to ? shortNumber(from) : `${shortNumber(from)} to ${shortNumber(to)}`;
          const parts = counts.flatMap((count, at) =>
            count > 0 ? [`${write(count)} ${series.length > 1 ? series[at]?.label : ""}`.trim()] : [],
          );
          const text = `${range}: ${parts.join(", ") || write(0)}`;
          return (
            <li key={from} title={text}>
              <span class="unseen">{text}</span>
              {counts.map((count, at) => (
                <i
                  key={at}
                  class={`c${series[at]?.colour ?? 0}`}
                  aria-hidden="true"
                  style={{ height: `${(100 * count) / most}%` }}
                />
              ))}
            </li>
          );
        })}
      </ol>
      <div class="bar-labels" aria-hidden="true">
        {bins.map(({ from }, index) => (
          <span key={from}>{index % every === 0 ? shortNumber(from) : ""}</span>
        ))}
      </div>
      <p class="axis across">{across}</p>
    </figure>
  );
}
