/** Two runs side by side: curves, differences of settings, and success by family. */
import { api, type Run } from "../../api.js";
import { IntervalChart } from "../../parts/charts/interval-chart.js";
import { Loaded } from "../../parts/loaded.js";
import { Inline } from "../../parts/text.js";
import { linkTo } from "../../route.js";
import { ComparedTasks } from "./evaluation/comparison.js";
import type { EvaluationReport } from "./evaluation/evaluation-data.js";
import { successRows } from "./evaluation/evaluation-results.js";
import { TextTable } from "./training/facts.js";
import { useRecords } from "./training/live-records.js";
import { TrainingCurves } from "./training/training-curves.js";
import "./runs.css";

export function CompareRuns({ a, b }: { a: string; b: string }) {
  return (
    <section class="run">
      <h1>Two runs</h1>
      <Loaded of={`${a} ${b}`} load={() => Promise.all([api.run(a), api.run(b)])}>
        {(runs) => (
          <>
            <p>
              {runs.map(({ run, title }) => (
                <a key={run} class="compared" href={linkTo(["runs", run])}>
                  <Inline text={title} most={120} />
                </a>
              ))}
            </p>
            {runs.every(({ kind }) => kind === "evaluation") && <ComparedTasks runs={runs} />}
            <Differences runs={runs} />
            {runs.every(({ kind }) => kind === "training") ? <BothCurves a={a} b={b} /> : <Families runs={runs} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

function BothCurves({ a, b }: { a: string; b: string }) {
  const [first, second] = [useRecords(a).records, useRecords(b).records];
  return (
    <TrainingCurves
      runs={[
        { name: a, records: first },
        { name: b, records: second },
      ]}
    />
  );
}

function Families({ runs }: { runs: readonly Run[] }) {
  const all = runs.flatMap(({ run, ...data }, colour) => {
    const report = data.kind === "evaluation" ? (data.report as EvaluationReport | null) : null;
    return report ? successRows(report.summary).rows.map((row) => ({ ...row, colour, run })) : [];
  });
  const labels = [...new Set(all.map(({ label }) => label))];
  const rows = labels.flatMap((label) =>
    all.filter((row) => row.label === label).map((row) => ({ ...row, label: `${label} · ${row.run}` })),
  );
  return <IntervalChart title="Success by family" note="episodes solved, 95 % intervals" rows={rows} />;
}

function Differences({ runs }: { runs: readonly Run[] }) {
  const names = [...new Set(runs.flatMap(({ settings }) => Object.keys(settings)))];
  const text = (value: unknown) =>
    value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);
  const rows = names
    .map((name) => [name, ...runs.map(({ settings }) => text(settings[name]))])
    .filter(([, first, second]) => first !== second);
  return (
    <>
      <h2>Settings that differ</h2>
      {rows.length === 0 ? (
        <p class="quiet">none</p>
      ) : (
        <TextTable label="Settings that differ" columns={["setting", ...runs.map(({ run }) => run)]} rows={rows} />
      )}
    </>
  );
}
