/** The results of a benchmark run as Markdown. */
import type { EvaluationReport } from "../../evaluation/evaluate.js";
import {
  diagnosisFigures,
  diagnosisNote,
  failureColumns,
  failureRow,
  familyColumns,
  familyRow,
  figures,
  intervalNote,
  kindColumns,
  kindRows,
  roundsFigures,
  roundsNote,
  seatColumns,
  seatRow,
} from "./evaluation-text.js";

export function evaluationMarkdown(report: EvaluationReport): string {
  const { environment, split, policy, summary, notes } = report;
  const sections = [
    `# ${environment}, ${split}: ${policy}`,
    ...(report.complete ? [] : ["**Cut short: not every planned episode is in it.**"]),
    markdownTable(["", ""], figures(summary)),
    intervalNote,
    ...(report.byRounds.length > 0
      ? ["## Success by rounds", markdownTable(["", ""], roundsFigures(report)), roundsNote]
      : []),
    ...(summary.families.length > 0
      ? ["## By family", markdownTable(familyColumns, summary.families.map(familyRow))]
      : []),
    ...(summary.seats ? ["## By seat", markdownTable(seatColumns, summary.seats.map(seatRow))] : []),
    ...(Object.keys(summary.failureKinds).length > 0
      ? ["## Kinds of failure", markdownTable(kindColumns, kindRows(summary))]
      : []),
    ...(summary.failures.length > 0
      ? ["## Lost episodes", markdownTable(failureColumns, summary.failures.map(failureRow))]
      : []),
    ...(report.diagnosis ? ["## Diagnosis", markdownTable(["", ""], diagnosisFigures(report)), diagnosisNote] : []),
    "## Settings",
    markdownTable(["", ""], settings(report)),
    ...(notes.length > 0 ? ["## Notes", notes.map((note) => `- ${note}`).join("\n")] : []),
  ];
  return `${sections.join("\n\n")}\n`;
}

/** Returns the settings of the measurement, by name. */
export function settings(report: EvaluationReport): [string, string][] {
  const { k, seed, maxRounds, format, options, policySettings } = report;
  const all = { k, seed, maxRounds, format, ...options, ...policySettings };
  return Object.entries(all).map(([name, value]) => [name, String(value)]);
}

export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, columns.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
}

function cell(text: string): string {
  return text.replace(/[\\|]/g, "\\$&").replace(/\s*\n\s*/g, " ");
}
