/** The results of several environments as Markdown, with links to the environments' own reports. */
import type { SuiteReport } from "../../evaluation/suite.js";
import { markdownTable } from "./evaluation-markdown.js";
import { diagnosisNote, intervalNote, roundsNote } from "./evaluation-text.js";
import { suiteDiagnosis, suiteFailures, suiteNotes, suiteRounds, suiteTable } from "./suite-text.js";

export function suiteMarkdown(report: SuiteReport): string {
  const { columns, measured, quoted } = suiteTable(report);
  const rounds = suiteRounds(report);
  const failures = suiteFailures(report);
  const diagnosis = suiteDiagnosis(report);
  const played = report.rows.filter((row) => row.report);
  const sections = [
    `# ${suiteTitle(report)}`,
    ...(report.complete ? [] : ["**Cut short: not every planned episode is in it.**"]),
    markdownTable(columns, [...measured, ...quoted]),
    ...(rounds ? ["## Success by rounds", markdownTable(rounds.columns, rounds.rows), roundsNote] : []),
    ...(failures ? ["## Kinds of failure", markdownTable(failures.columns, failures.rows)] : []),
    ...(diagnosis.rows.length > 0
      ? ["## Diagnosis", markdownTable(diagnosis.columns, diagnosis.rows), diagnosisNote]
      : []),
    "## Notes",
    [...suiteNotes(report), intervalNote].map((note) => `- ${note}`).join("\n"),
    ...(played.length > 0
      ? ["## Reports", played.map(({ environment }) => `- [${environment}](${environment}/report.md)`).join("\n")]
      : []),
  ];
  return `${sections.join("\n\n")}\n`;
}

export function suiteTitle({ preset, policy, rows }: SuiteReport): string {
  return `${preset ?? rows.map(({ environment }) => environment).join(", ")}: ${policy}`;
}
