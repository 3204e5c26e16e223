/** The curves of one or several training runs, with controls for smoothing and for the scale. */
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { percent } from "../../../numbers.js";
import { CurveChart } from "../../../parts/charts/curve-chart.js";
import type { Curve } from "../../../parts/charts/curves.js";
import { BarChart } from "../../../parts/charts/histogram.js";
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
      {Object.entries(trainingPlans).map(([heading, plans]) => (
        <Section key={heading} heading={heading} plans={plans} runs={runs}>
          {(plan, curves) => (
            <CurveChart
              {...plan}
              key={plan.title}
              curves={curves}
              smoothing={smoothing.value}
              isLog={isLog.value}
              {...(onSelect && { onSelect })}
            />
          )}
        </Section>
      ))}
    </>
  );
}

interface SectionProps {
  heading: string;
  plans: readonly TrainingChart[];
  runs: readonly NamedRecords[];
  children: (plan: TrainingChart, curves: Curve[]) => preact.ComponentChild;
}

function Section({ heading, plans, runs, children }: SectionProps) {
  const records = runs.map((run) => run.records);
  const charts = useMemo(() => plans.map((plan) => ({ plan, curves: curvesOf(plan, runs) })), records);
  const present = charts.filter(({ curves }) => curves.some(hasValue));
  const isAsync = heading === "Asynchrony" && runs.length === 1;
  const shares = isAsync ? stalenessOf(runs[0]?.records ?? []) : [];
  if (present.length === 0) return null;
  return (
    <>
      <h2>{heading}</h2>
      <div class="charts">
        {present.map(({ plan, curves }) => children(plan, curves))}
        {shares.length > 0 && (
          <BarChart
            title="Tokens by staleness"
            note="policy versions between sampling and training"
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
    })),
  );
}
