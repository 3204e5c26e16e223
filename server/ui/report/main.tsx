/**
 * A page that shows one report and needs no gym: all of its data is in the page. The build bundles it as one file,
 * `report.html`, and the gym and the trainer put data into it.
 */
import { render } from "preact";
import "../style.css";
import { Guard } from "../parts/guard.js";
import { EpisodeReport } from "./episode-report.js";
import { PaperPage } from "./paper.js";
import type { Report } from "./report.js";
import { CurvesReport, EvaluationReportPage, SuiteReport, TrainingReport } from "./run-reports.js";

const report = JSON.parse(document.getElementById("report")?.textContent ?? "null") as Report | null;

function ReportPage() {
  switch (report?.kind) {
    case "episode":
      return <EpisodeReport report={report} />;
    case "training":
      return <TrainingReport report={report} />;
    case "evaluation":
      return <EvaluationReportPage report={report} />;
    case "suite":
      return <SuiteReport report={report} />;
    case "curves":
      return <CurvesReport report={report} />;
    case "paper":
      return <PaperPage report={report} />;
    default:
      return <p class="page">This page has no data.</p>;
  }
}

render(
  <main>
    <Guard of="">
      <ReportPage />
    </Guard>
  </main>,
  document.getElementById("app") as HTMLElement,
);
