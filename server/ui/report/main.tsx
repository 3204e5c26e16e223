/**
 * A page that shows one report and needs no gym: all of its data is in the page. The build bundles it as one file,
 * `report.html`, and the gym and the trainer put data into it.
 */
import { render } from "preact";
import "../style.css";
import { EpisodeReport } from "./episode-report.js";
import type { Report } from "./report.js";

const report = JSON.parse(document.getElementById("report")?.textContent ?? "null") as Report | null;

function ReportPage() {
  if (report === null) return <p class="page">This page has no data.</p>;
  return (
    <main>
      <EpisodeReport report={report} />
    </main>
  );
}

render(<ReportPage />, document.getElementById("app") as HTMLElement);
