/** The curves of one or several training runs, with controls for smoothing and for the scale. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useMemo } from "preact/hooks";
import { percent, shortNumber } from "../../../numbers.js";
import { CurveChart } from "../../../parts/charts/curve-chart.js";
import { type Curve, isFlat } from "../../../parts/charts/curves.js";
import { BarChart } from "../../../parts/charts/histogram.js";
import { Inline } from "../../../parts/text.js";
import { HeldOutSection } from "./held-out.js";
import { pointsOf, stalenessOf, type TrainRecord } from "./training-data.js";
import { type TrainingChart, trainingPlans } from "./training-plans.js";

export interface NamedRecords {
  /** Name of the run, empty if there is one run only. */
  readonly name: string;
  readonly records: readonly TrainRecord[];
}

interface Props {
  runs: readonly NamedRecords[];
  onSelect?: (step: number) => void;
}

export function TrainingCurves({ runs, onSelect }: Props) {
  const smoothing = useSignal(0.6);
  const isLog = useSignal(false);
  const [only] = runs;
  const isAlone = runs.length === 1 && only !== undefined;
  if (runs.every(({ records }) => records.length === 0)) return null;
  return (
    <>
      <p class="controls">
        <label>
          Smoothing{" "}
          <input
            type="range"
            min="0"
            max="0.95"
            step="0.05"
            value={smoothing.value}
            onInput={({ currentTarget }) => {
              smoothing.value = Number(currentTarget.value);
            }}
          />{" "}
          {smoothing.value.toFixed(2)}
        </label>
        <label>
          <input
            type="checkbox"
            checked={isLog.value}
            onChange={({ currentTarget }) => {
              isLog.value = currentTarget.checked;
            }}
          />{" "}
          Logarithmic scales
        </label>
        {onSelect && <span class="quiet">Click a step, or press Enter, to see its groups.</span>}
      </p>
      {isAlone && <HeldOutSection records={only.records} />}
      <Charts runs={runs} options={{ smoothing: smoothing.value, isLog: isLog.value, ...(onSelect && { onSelect }) }} />
    </>
  );
}

interface Drawn {
  readonly plan: TrainingChart;
  readonly curves: readonly Curve[];
}

interface ChartsProps {
  runs: readonly NamedRecords[];
  options: { smoothing: number; isLog: boolean; onSelect?: (step: number) => void };
}

/** The charts by section. Those without a change are folded away under one line. */
function Charts({ runs, options }: ChartsProps) {
  const records = runs.map((run) => run.records);
  const sections = useMemo(
    () =>
      Object.entries(trainingPlans).map(([heading, plans]) => ({
        heading,
        charts: plans.map((plan) => ({ plan, curves: curvesOf(plan, runs) })),
      })),
    [records.length, ...records],
  );
  const all = sections.flatMap(({ charts }) => charts);
  const flat = all.filter(({ curves }) => curves.some(hasValue) && isFlat(curves));
  const empty = all.filter(({ curves }) => !curves.some(hasValue));
  const chart = ({ plan, curves }: Drawn) => <CurveChart key={plan.title} {...plan} curves={curves} {...options} />;
  return (
    <>
      {sections.map(({ heading, charts }) => (
        <Section key={heading} heading={heading} runs={runs}>
          {charts.filter(({ curves }) => curves.some(hasValue) && !isFlat(curves)).map(chart)}
        </Section>
      ))}
      {flat.length > 0 && (
        <details class="flat">
          <summary>
            Without a change: <Inline text={flat.map(flatText).join("; ")} />
          </summary>
          <div class="charts">{flat.map(chart)}</div>
        </details>
      )}
      {empty.length > 0 && <p class="quiet">Without a value: {empty.map(({ plan }) => plan.title).join(", ")}</p>}
    </>
  );
}

function Section({ heading, runs, children }: { heading: string; runs: ChartsProps["runs"]; children: VNode[] }) {
  const isAsync = heading === "Asynchrony" && runs.length === 1;
  const shares = isAsync ? stalenessOf(runs[0]?.records ?? []) : [];
  if (children.length === 0 && shares.length < 2) return null;
  return (
    <>
      <h2>{heading}</h2>
      <div class="charts">
        {children}
        {shares.length > 1 && (
          <BarChart
            title="Tokens by staleness"
            note="policy versions between sampling and training"
            across="policy versions"
            up="share of the tokens"
            series={[{ label: "tokens", colour: 0 }]}
            bins={shares.map((value, age) => ({ from: age, to: age, counts: [value] }))}
            write={percent}
          />
        )}
      </div>
    </>
  );
}

const hasValue = ({ points }: Pick<Curve, "points">) => points.some(([, value]) => value !== null);

function curvesOf({ curves, needs }: TrainingChart, runs: readonly NamedRecords[]): Curve[] {
  if (needs !== undefined && !runs.some(({ records }) => hasValue({ points: pointsOf(records, needs) }))) return [];
  return Object.entries(curves).flatMap(([label, name]) =>
    runs.map((run) => ({
      label: run.name === "" ? label : `${run.name}: ${label}`,
      points: pointsOf(run.records, name),
      metric: name,
    })),
  );
}

/** Names a chart without a change, with the value of each curve: `Groups (all 4, filtered 0)`. */
function flatText({ plan: { title, isShare }, curves }: Drawn): string {
  const write = isShare ? percent : shortNumber;
  const known = curves.filter(hasValue).map(({ label, points }) => {
    const value = write(points.find(([, value]) => value !== null)?.[1]);
    return { label, value };
  });
  const [only] = known;
  if (known.length === 1 && only) return `${title} ${only.value}`;
  return `${title} (${known.map(({ label, value }) => `${label} ${value}`).join(", ")})`;
}
