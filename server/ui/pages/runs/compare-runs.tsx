/** Runs side by side: curves, differences of settings, and success by family. */
import { useSignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { api, type Run } from "../../api.js";
import { counted } from "../../numbers.js";
import { IntervalChart } from "../../parts/charts/interval-chart.js";
import { Failure, Loaded } from "../../parts/loaded.js";
import { Inline } from "../../parts/text.js";
import { linkTo } from "../../route.js";
import { ComparedTasks } from "./evaluation/comparison.js";
import type { EvaluationReport } from "./evaluation/evaluation-data.js";
import { successRows } from "./evaluation/evaluation-results.js";
import { familyName, loadFamilyKey } from "./family-names.js";
import { TextTable } from "./training/facts.js";
import { useRecords } from "./training/live-records.js";
import { TrainingCurves } from "./training/training-curves.js";
import type { TrainRecord } from "./training/training-data.js";
import "./runs.css";

export function CompareRuns({ names }: { names: readonly string[] }) {
  return (
    <section class="run">
      <h1>{names.length === 2 ? "Two runs" : counted(names.length, "run")}</h1>
      <Loaded of={names.join("\n")} load={() => Promise.all(names.map((name) => api.run(name)))}>
        {(runs) => (
          <>
            <p>
              {runs.map(({ run, title }) => (
                <a key={run} class="compared" href={linkTo(["runs", run])}>
                  <Inline text={title} most={120} />
                </a>
              ))}
            </p>
            <TwoEvaluations runs={runs} />
            <Differences runs={runs} />
            {runs.every(({ kind }) => kind === "training") ? <Curves names={names} /> : <Families runs={runs} />}
          </>
        )}
      </Loaded>
    </section>
  );
}

/** The tasks of two evaluations, one by one. */
function TwoEvaluations({ runs: [a, b, ...more] }: { runs: readonly Run[] }) {
  if (!a || !b || more.length > 0 || a.kind !== "evaluation" || b.kind !== "evaluation") return null;
  return <ComparedTasks runs={[a, b]} />;
}

/** The curves of all runs on the same charts. Each run follows its own records. */
function Curves({ names }: { names: readonly string[] }) {
  const records = useSignal<Readonly<Record<string, readonly TrainRecord[]>>>({});
  const runs = useMemo(() => names.map((name) => ({ name, records: records.value[name] ?? [] })), [records.value]);
  return (
    <>
      {names.map((name) => (
        <Followed
          key={name}
          name={name}
          onRecords={(found) => {
            records.value = { ...records.value, [name]: found };
          }}
        />
      ))}
      <TrainingCurves runs={runs} />
    </>
  );
}

interface FollowedProps {
  name: string;
  onRecords: (records: readonly TrainRecord[]) => void;
}

/** Follows the records of a run, and shows only why they cannot be read. */
function Followed({ name, onRecords }: FollowedProps) {
  const { records, error } = useRecords(name);
  useEffect(() => onRecords(records), [records]);
  return error === null ? null : <Failure error={error} />;
}

function Families({ runs }: { runs: readonly Run[] }) {
  const environmentOf = (run: Run) => (run.kind === "evaluation" ? run.summary.environment : null);
  const load = () => Promise.all(runs.map((run) => loadFamilyKey(environmentOf(run))));
  return (
    <Loaded of={runs.map(({ run }) => run).join("\n")} load={load}>
      {(keys) => <FamilyChart runs={runs} keys={keys} />}
    </Loaded>
  );
}

/** @param keys fields of the families, by run */
function FamilyChart({ runs, keys }: { runs: readonly Run[]; keys: readonly (string | null)[] }) {
  const all = runs.flatMap(({ run, ...data }, colour) => {
    const report = data.kind === "evaluation" ? (data.report as EvaluationReport | null) : null;
    const named = (label: string) => familyName(label, keys[colour] ?? null);
    return report
      ? successRows(report.summary).rows.map((row) => ({ ...row, label: named(row.label), colour, run }))
      : [];
  });
  const labels = [...new Set(all.map(({ label }) => label))];
  const rows = labels.flatMap((label) =>
    all.filter((row) => row.label === label).map((row) => ({ ...row, label: `${label} · ${row.run}` })),
  );
  return <IntervalChart title="Success by family" of="family" note="episodes solved, 95 % intervals" rows={rows} />;
}

function Differences({ runs }: { runs: readonly Run[] }) {
  const names = [...new Set(runs.flatMap(({ settings }) => Object.keys(settings)))];
  const text = (value: unknown) =>
    value === undefined ? "–" : typeof value === "string" ? value : JSON.stringify(value);
  const rows = names
    .map((name) => [name, ...runs.map(({ settings }) => text(settings[name]))])
    .filter(([, ...values]) => new Set(values).size > 1);
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
