/** Reports of the trainer: training runs, evaluations, and evaluations of several environments. */
import { useMemo } from "preact/hooks";
import { StoredEpisodes } from "../pages/runs/evaluation/episode-source.js";
import { EvaluationEpisodes } from "../pages/runs/evaluation/episodes.js";
import { settingsOf } from "../pages/runs/evaluation/evaluation-data.js";
import { EvaluationResults } from "../pages/runs/evaluation/evaluation-results.js";
import { Tabs } from "../pages/runs/tabs.js";
import { Facts, TextTable, Tiles } from "../pages/runs/training/facts.js";
import { Health } from "../pages/runs/training/health.js";
import { TrainingCurves } from "../pages/runs/training/training-curves.js";
import { durationOf, tilesOf } from "../pages/runs/training/training-data.js";
import { CurveChart } from "../parts/charts/curve-chart.js";
import { IntervalChart } from "../parts/charts/interval-chart.js";
import { Inline } from "../parts/text.js";
import { place } from "../route.js";
import { PaperSections, ReportHead } from "./paper.js";
import type { CurvesReportData, EvaluationReportData, SuiteReportData, TrainingReportData } from "./report.js";

export function TrainingReport({ report }: { report: TrainingReportData }) {
  const { title, records, settings, engine, health = [], paper } = report;
  return (
    <section class="run">
      <h1>
        <Inline text={title} most={300} />
      </h1>
      <p class="quiet">{durationOf(records)}</p>
      <Health findings={health} steps={0} />
      <Tiles tiles={tilesOf(records)} />
      <TrainingCurves runs={[{ name: "", records }]} />
      {paper ? (
        <PaperSections sections={paper} />
      ) : (
        <>
          {engine && (
            <>
              <h2>Engine</h2>
              <Facts label="Engine" facts={Object.entries(engine)} />
            </>
          )}
          <h2>Settings</h2>
          <Facts label="Settings" facts={Object.entries(settings)} />
        </>
      )}
    </section>
  );
}

export function EvaluationReportPage({ report: { report, records, prompt } }: { report: EvaluationReportData }) {
  const source = useMemo(() => new StoredEpisodes(records), [records]);
  const [tab = "results"] = place.value.path;
  const { environment, split, policy, k, summary } = report;
  return (
    <section class="run">
      <ReportHead title={`${environment}, ${split}`} note={policy} />
      <Tabs path={[]} tabs={["Results", "Episodes", "Settings"]} open={tab} />
      {tab === "episodes" ? (
        <EvaluationEpisodes
          source={source}
          path={["episodes"]}
          families={summary.families.map(({ family }) => family)}
          k={k}
          prompt={prompt}
        />
      ) : tab === "settings" ? (
        <Facts label="Settings" facts={settingsOf(report)} />
      ) : (
        <EvaluationResults report={report} rows={source.rows} path={[]} />
      )}
    </section>
  );
}

export function SuiteReport({ report }: { report: SuiteReportData }) {
  const { title, complete, tables, charts, links, notes } = report;
  return (
    <section class="run">
      <h1>
        <Inline text={title} most={300} />
      </h1>
      {!complete && <p class="failure">Cut short: this report does not have every planned episode.</p>}
      {tables.map(({ heading, note, ...table }) => (
        <div key={heading}>
          <h2>
            <Inline text={heading} most={200} />
          </h2>
          <TextTable label={heading} {...table} areNumbers />
          {note !== undefined && (
            <p class="note">
              <Inline text={note} />
            </p>
          )}
        </div>
      ))}
      {charts.some(({ rows }) => rows.length > 0) && <h2>Charts</h2>}
      <div class="charts wide">
        {charts.map((chart) => (
          <IntervalChart key={chart.title} {...chart} />
        ))}
      </div>
      <h2>Transcripts</h2>
      {links.length === 0 && <p class="quiet">No episode was begun.</p>}
      <ul>
        {links.map(({ label, href, note }) => (
          <li key={href}>
            <a href={href}>
              <Inline text={label} most={200} />
            </a>
            <Inline text={note} />
          </li>
        ))}
      </ul>
      <h2>Notes</h2>
      {notes.map((note) => (
        <p class="note" key={note}>
          <Inline text={note} />
        </p>
      ))}
    </section>
  );
}

export function CurvesReport({ report: { title, note, sections } }: { report: CurvesReportData }) {
  return (
    <section class="run">
      <ReportHead title={title} note={note} />
      {sections.map(({ heading, charts }) => (
        <div key={heading}>
          <h2>{heading}</h2>
          <div class="charts">
            {charts.map((chart) => (
              <CurveChart key={chart.title} {...chart} isExact />
            ))}
          </div>
        </div>
      ))}
    </section>
  );
}
