/** A benchmark run as one self-contained HTML page: results, charts and searchable transcripts. */
import { createHash } from "node:crypto";
import type { Evaluation } from "../evaluation/evaluate.js";
import type { Summary } from "../evaluation/summary.js";
import { escapeHtml } from "./escape.js";
import { evaluationCharts } from "./evaluation-charts.js";
import { settings } from "./evaluation-markdown.js";
import { evaluationStyle } from "./evaluation-style.js";
import {
  decimal,
  diagnosisFigures,
  diagnosisNote,
  failureColumns,
  failureRow,
  familyColumns,
  familyRow,
  figures,
  intervalNote,
  percent,
  roundsFigures,
  roundsNote,
} from "./evaluation-text.js";
import { reportStyle } from "./report-style.js";
import { transcriptScript, transcriptSection, worstEpisodes } from "./transcripts.js";

export function evaluationHtml({ report, records, prompt }: Evaluation): string {
  const { environment, split, policy, summary, notes, k } = report;
  const title = `${environment}, ${split}: ${policy}`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${contentPolicy}">
<title>${escapeHtml(title)}</title><style>${reportStyle}${evaluationStyle}</style></head><body>
<h1>${escapeHtml(`${environment}, ${split}`)}</h1>
<p class="sub">${escapeHtml(policy)}</p>
${report.complete ? "" : '<p class="cut"><strong>Cut short: not every planned episode is in it.</strong></p>'}
<div class="tiles">${tiles(summary).join("")}</div>
<h2>Results</h2>
${evaluationCharts(report, records)}
<p class="note">${escapeHtml(intervalNote)}</p>
<div class="card scroll">${table([], figures(summary))}</div>
${report.byRounds.length > 0 ? `<h2>Success by rounds</h2><div class="card scroll">${table([], roundsFigures(report))}</div><p class="note">${escapeHtml(roundsNote)}</p>` : ""}
${summary.families.length > 0 ? `<h2>By family</h2><div class="card scroll figures">${table(familyColumns, summary.families.map(familyRow))}</div>` : ""}
${summary.failures.length > 0 ? `<h2>Failures</h2><div class="card scroll">${table(failureColumns, summary.failures.map(failureRow))}</div>` : ""}
${report.diagnosis ? `<h2>Diagnosis</h2><div class="card scroll">${table([], diagnosisFigures(report))}</div><p class="note">${escapeHtml(diagnosisNote)}</p>${worstEpisodes(report.diagnosis, records, k)}` : ""}
<h2>Settings</h2>
<div class="card scroll">${table([], settings(report))}</div>
${notes.map((note) => `<p class="note">${escapeHtml(note)}</p>`).join("\n")}
${transcriptSection(records, k, prompt)}
<script>${transcriptScript}</script>
</body></html>
`;
}

/** Content security policy, in addition to escaping: nothing is fetched, and only the page's own script runs. */
const contentPolicy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${createHash("sha256").update(transcriptScript).digest("base64")}'`;

function tiles({ successRate, meanScore, episodes, planned, failed, meanSteps, meanStepsSolved }: Summary): string[] {
  const tile = (label: string, value: string, more: string) =>
    `<div class="tile"><b>${escapeHtml(value)}</b><em>${escapeHtml(more)}</em><span>${escapeHtml(label)}</span></div>`;
  const within = (low: string, high: string) => `95 %: ${low} to ${high}`;
  return [
    tile(
      "success rate",
      percent(successRate?.value),
      successRate ? within(percent(successRate.low), percent(successRate.high)) : "no episode",
    ),
    tile(
      "mean score",
      decimal(meanScore?.value),
      meanScore ? within(decimal(meanScore.low), decimal(meanScore.high)) : "no episode",
    ),
    tile("episodes", `${episodes}`, failed > 0 ? `of ${planned}, ${failed} lost to failures` : `of ${planned}`),
    tile("steps of an episode", decimal(meanSteps, 1), `of solved ones ${decimal(meanStepsSolved, 1)}`),
  ];
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = columns.length > 0 ? `<tr>${columns.map((name) => `<th>${escapeHtml(name)}</th>`).join("")}</tr>` : "";
  const body = rows.map((row) => `<tr>${row.map((text) => `<td>${escapeHtml(text)}</td>`).join("")}</tr>`).join("\n");
  return `<table>${head}${body}</table>`;
}
