/** The results of several environments as one HTML page, with charts and links to the environments' own pages. */
import type { SuiteReport } from "../evaluation/suite.js";
import { escapeHtml } from "./escape.js";
import { roundsChart } from "./evaluation-charts.js";
import { evaluationStyle } from "./evaluation-style.js";
import { diagnosisNote, intervalNote, roundsNote } from "./evaluation-text.js";
import { type IntervalRow, intervalChart } from "./interval-chart.js";
import { reportStyle } from "./report-style.js";
import { suiteTitle } from "./suite-markdown.js";
import { suiteDiagnosis, suiteNotes, suiteRounds, suiteTable } from "./suite-text.js";

export function suiteHtml(report: SuiteReport): string {
  const title = suiteTitle(report);
  const { columns, measured, quoted } = suiteTable(report);
  const rounds = suiteRounds(report);
  const diagnosis = suiteDiagnosis(report);
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<title>${escapeHtml(title)}</title><style>${reportStyle}${evaluationStyle}</style></head><body>
<h1>${escapeHtml(title)}</h1>
${report.complete ? "" : '<p class="cut"><strong>Cut short: not every planned episode is in it.</strong></p>'}
<h2>Results</h2>
<div class="card scroll figures">${htmlTable(columns, measured, quoted)}</div>
<h2>Charts</h2>
<div class="charts">${[successChart(report), ...roundsCharts(report)].join("\n")}</div>
${rounds ? `<h2>Success by rounds</h2><div class="card scroll figures">${htmlTable(rounds.columns, rounds.rows)}</div>${note(roundsNote)}` : ""}
${diagnosis.rows.length > 0 ? `<h2>Diagnosis</h2><div class="card scroll figures">${htmlTable(diagnosis.columns, diagnosis.rows)}</div>${note(diagnosisNote)}` : ""}
<h2>Transcripts</h2>
${links(report)}
<h2>Notes</h2>
${[...suiteNotes(report), intervalNote].map(note).join("\n")}
</body></html>
`;
}

function note(text: string): string {
  return `<p class="note">${escapeHtml(text)}</p>`;
}

function successChart({ rows, overall }: SuiteReport): string {
  const each = rows.flatMap(({ environment, report }): IntervalRow[] => {
    const { successRate: estimate, episodes = 0 } = report?.summary ?? {};
    return estimate ? [{ label: environment, estimate, note: `of ${episodes}` }] : [];
  });
  const mean = overall && { label: "mean", estimate: overall, note: `of ${each.length}`, isStrong: true };
  return (
    intervalChart("Success by environment", "tasks solved, 95 % intervals", [...(mean ? [mean] : []), ...each]) ?? ""
  );
}

function roundsCharts({ rows }: SuiteReport): string[] {
  return rows.flatMap(({ environment, report }) => {
    const chart = report && roundsChart(report, `Success by rounds: ${environment}`);
    return chart === undefined ? [] : [chart];
  });
}

function links({ rows }: SuiteReport): string {
  const played = rows.filter(({ report }) => report);
  if (played.length === 0) return '<p class="note">No episode was begun.</p>';
  const entries = played.map(({ environment, report }) => {
    const path = `${encodeURIComponent(environment)}/report.html`;
    const worst = report?.diagnosis?.worst.length ?? 0;
    const more = worst > 0 ? `, with the worst episodes by diagnosis: ${worst}` : "";
    return `<li><a href="${path}">${escapeHtml(environment)}</a>${escapeHtml(more)}</li>`;
  });
  return `<ul>${entries.join("")}</ul>`;
}

function htmlTable(
  columns: readonly string[],
  rows: readonly (readonly string[])[],
  quoted: readonly (readonly string[])[] = [],
): string {
  const cells = (tag: string, row: readonly string[]) =>
    row.map((text) => `<${tag}>${escapeHtml(text)}</${tag}>`).join("");
  const body = rows.map((row) => `<tr>${cells("td", row)}</tr>`);
  const others = quoted.map((row) => `<tr class="quoted">${cells("td", row)}</tr>`);
  return `<table><tr>${cells("th", columns)}</tr>${[...body, ...others].join("\n")}</table>`;
}
