/** A benchmark run as Markdown: the figures, to be pasted elsewhere. */
import type { EvaluationReport } from "../evaluate.js";
import { failureColumns, failureRow, familyColumns, familyRow, figures, intervalNote } from "./evaluation-text.js";

export function evaluationMarkdown(report: EvaluationReport): string {
  const { environment, split, policy, summary, notes } = report;
  const sections = [
    `# ${environment}, ${split}: ${policy}`,
    ...(report.complete ? [] : ["**Cut short: not every planned episode is in it.**"]),
    table(["", ""], figures(summary)),
    intervalNote,
    ...(summary.families.length > 0 ? ["## By family", table(familyColumns, summary.families.map(familyRow))] : []),
    ...(summary.failures.length > 0 ? ["## Failures", table(failureColumns, summary.failures.map(failureRow))] : []),
    "## Settings",
    table(["", ""], settings(report)),
    ...(notes.length > 0 ? ["## Notes", notes.map((note) => `- ${note}`).join("\n")] : []),
  ];
  return `${sections.join("\n\n")}\n`;
}

/** What was measured, by its names. */
export function settings(report: EvaluationReport): [string, string][] {
  const { k, seed, maxRounds, format, options, policySettings } = report;
  const all = { k, seed, maxRounds, format, ...options, ...policySettings };
  return Object.entries(all).map(([name, value]) => [name, String(value)]);
}

function table(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  return [columns, columns.map(() => "---"), ...rows].map((row) => `| ${row.map(cell).join(" | ")} |`).join("\n");
}

function cell(text: string): string {
  return text.replace(/[\\|]/g, "\\$&").replace(/\s*\n\s*/g, " ");
}
