/**
 * A chart of curves, by train step unless another axis is named. The arrow keys move its cursor, and charts on one page share it. A table has the same
 * values for screen readers.
 */

import { useSignal } from "@preact/signals";
import { useEffect, useMemo, useRef } from "preact/hooks";
import { percent, shortNumber } from "../../numbers.js";
import { Scroll } from "../scroll.js";
import { Inline } from "../text.js";
import { readableLine } from "../visible-text.js";
import { type AlignedCurves, aligned, type Curve, smoothed } from "./curves.js";
import { dashOf, type Plot, type PlotOptions, plot } from "./plot.js";
import "./charts.css";

export interface ChartOptions {
  /** Weight of earlier values in the strong line; 0 shows the values alone. */
  readonly smoothing?: number | undefined;
  readonly isLog?: boolean;
}

export interface ChartPlan {
  readonly title: string;
  readonly unit?: string;
  /** What the horizontal axis counts. Default: train steps. */
  readonly axis?: string;
  /** Whether values are shares, which are shown in percent. */
  readonly isShare?: boolean;
  /** Whether values are settings and not measurements. They are never smoothed. */
  readonly isExact?: boolean;
  /** Whether a logarithmic scale can show the values. */
  readonly mayBeLog?: boolean;
}

type Props = ChartPlan & ChartOptions & { curves: readonly Curve[]; onSelect?: (step: number) => void };

export function CurveChart(props: Props) {
  const { title, unit = "", isShare = false, curves } = props;
  const drawn = curves.filter(({ points }) => points.some(([, value]) => value !== null));
  const data = useMemo(() => aligned(drawn), [curves]);
  const at = useSignal<number | null>(null);
  if (drawn.length === 0) return null;
  const write = isShare ? percent : shortNumber;
  const last = data.steps.length - 1;
  const shown = Math.min(at.value ?? last, last);
  const shownValue = (curve: number) =>
    at.value === null ? data.values[curve]?.findLast((value) => value != null) : data.values[curve]?.[shown];
  return (
    <figure class="chart">
      <figcaption>
        <strong>{title}</strong> {unit !== "" && !isShare && <span class="quiet">{unit}</span>}
        <span class="legend">
          {drawn.map(({ label }, index) => (
            <span key={label}>
              <Swatch index={index} /> <Inline text={label} most={80} /> <b>{write(shownValue(index))}</b>
            </span>
          ))}
        </span>
      </figcaption>
      <Canvas {...props} labels={drawn.map(({ label }) => label)} data={data} at={at} write={write} />
      <ChartTable
        title={title}
        axis={props.axis ?? "step"}
        labels={drawn.map(({ label }) => label)}
        data={data}
        write={write}
      />
    </figure>
  );
}

interface CanvasProps extends ChartPlan, ChartOptions {
  labels: readonly string[];
  data: AlignedCurves;
  at: { value: number | null };
  write: (value: number | null | undefined) => string;
  onSelect?: ((step: number) => void) | undefined;
}

function Canvas({ title, labels, data, at, write, onSelect, smoothing, ...plan }: CanvasProps) {
  const { box, drawn } = usePlot({ title, labels, data, at, onSelect, smoothing, ...plan });
  const last = data.steps.length - 1;
  const index = at.value ?? last;
  const move = (event: KeyboardEvent) => {
    const to = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: last }[event.key];
    if (event.key === "Enter" && onSelect) onSelect(data.steps[index] as number);
    if (to === undefined) return;
    event.preventDefault();
    drawn.current?.moveTo(Math.min(last, Math.max(0, to)));
  };
  const values = labels
    .map((label, curve) => `${readableLine(label, 80)} ${write(data.values[curve]?.[index])}`)
    .join(", ");
  return (
    <div
      ref={box}
      class="canvas"
      role="slider"
      tabIndex={0}
      aria-label={`${title} by ${plan.axis ?? "train step"}`}
      aria-valuemin={data.steps[0]}
      aria-valuemax={data.steps[last]}
      aria-valuenow={data.steps[index]}
      aria-valuetext={`${plan.axis ?? "step"} ${data.steps[index]}: ${values}`}
      onKeyDown={move}
    />
  );
}

/** Draws the chart in a box, and again when its data or its options change. */
function usePlot({ title, labels, data, at, onSelect, smoothing = 0, ...plan }: Omit<CanvasProps, "write">) {
  const box = useRef<HTMLDivElement>(null);
  const drawn = useRef<Plot | null>(null);
  const weight = plan.isExact || data.values.every(isSparse) ? 0 : smoothing;
  // A logarithmic scale shows no value of 0, so curves that are 0 everywhere keep the linear one.
  const isLog = plan.isLog === true && plan.mayBeLog === true && data.values.flat().some((value) => (value ?? 0) > 0);
  const select = useRef(onSelect);
  select.current = onSelect;
  const key = JSON.stringify([labels, weight > 0, isLog, onSelect !== undefined]);
  useEffect(() => {
    const options: PlotOptions = {
      count: labels.length,
      isSmoothed: weight > 0,
      isLog,
      isShare: plan.isShare ?? false,
      across: plan.axis ?? "train step",
      up: plan.unit ?? (plan.isShare ? "share" : title),
      onCursor: (index) => {
        at.value = index;
      },
      ...(onSelect && { onSelect: (step: number) => select.current?.(step) }),
    };
    const made = plot(box.current as HTMLDivElement, options);
    drawn.current = made;
    return () => made.destroy();
  }, [key]);
  useEffect(() => {
    drawn.current?.show(valuesOf(data, weight, isLog));
  }, [data, weight, key]);
  return { box, drawn };
}

/** Whether a curve has so few points, such as evaluations, that each of them counts. */
function isSparse(values: readonly (number | null | undefined)[]): boolean {
  return values.filter((value) => value != null).length < 20;
}

/** Returns the data as uPlot takes it: steps, then the values as they are, then the smoothed values. */
function valuesOf({ steps, values }: AlignedCurves, weight: number, isLog: boolean) {
  const known = isLog ? values.map((curve) => curve.map((value) => ((value ?? 0) > 0 ? value : null))) : values;
  return [
    steps,
    ...known,
    ...(weight > 0 ? known.map((curve) => (isSparse(curve) ? curve : smoothed(curve, weight))) : []),
  ];
}

/** A piece of a curve's line, in its colour and dashes. */
export function Swatch({ index }: { index: number }) {
  return (
    <svg class={`swatch c${index % 8} d${dashOf(index)}`} viewBox="0 0 22 8" aria-hidden="true">
      <line x1="0" x2="22" y1="4" y2="4" />
    </svg>
  );
}

const mostRows = 500;

function ChartTable({
  title,
  axis,
  labels,
  data: { steps, values },
  write,
}: {
  title: string;
  axis: string;
  labels: readonly string[];
  data: AlignedCurves;
  write: (value: number | null | undefined) => string;
}) {
  const isOpen = useSignal(false);
  const from = Math.max(0, steps.length - mostRows);
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open;
      }}
    >
      <summary aria-label={`Table of ${title}`}>Table</summary>
      {isOpen.value && (
        <Scroll label={`Values of ${title}`}>
          {from > 0 && <p class="quiet">The newest {mostRows} steps.</p>}
          <table>
            <thead>
              <tr>
                <th class="number">{axis}</th>
                {labels.map((label) => (
                  <th key={label} class="number">
                    <Inline text={label} most={80} />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {steps.slice(from).map((step, row) => (
                <tr key={step}>
                  <td class="number">{step}</td>
                  {labels.map((label, curve) => (
                    <td key={label} class="number">
                      {write(values[curve]?.[from + row])}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </Scroll>
      )}
    </details>
  );
}
