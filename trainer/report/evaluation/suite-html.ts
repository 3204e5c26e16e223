/** The results of several environments as one HTML page, with charts and links to the environments' own pages. */

import { counted } from "../../../server/formats/counted.js";
import type { Estimate } from "../../evaluation/statistics.js";
import type { SuiteReport } from "../../evaluation/suite.js";
import { reportPage } from "../report-page.js";
import { diagnosisNote, intervalNote, roundsNote } from "./evaluation-text.js";
import { suiteTitle } from "./suite-markdown.js";
import { suiteDiagnosis, suiteFailures, suiteNotes, suiteRounds, suiteTable } from "./suite-text.js";

interface IntervalRow {
  readonly label: string;
  readonly estimate: Pick<Estimate, "value" | "low" | "high">;
  readonly note: string;
  readonly isStrong?: boolean;
}

/** @throws {TrainerError} REPORT_TEMPLATE_MISSING */
export function suiteHtml(report: SuiteReport): string {
  const title = suiteTitle(report);
  return reportPage(title, suiteData(report), "report.md in the same folder has the same tables.");
}

/** Returns the data of the page. */
export function suiteData(report: SuiteReport) {
  const { columns, measured, quoted } = suiteTable(report);
  const rounds = suiteRounds(report);
  const failures = suiteFailures(report);
  const diagnosis = suiteDiagnosis(report);
  return {
    kind: "suite" as const,
    title: suiteTitle(report),
    complete: report.complete,
    tables: [
      { heading: "Results", columns, rows: measured, quoted },
      ...(rounds ? [{ heading: "Success by rounds", ...rounds, note: roundsNote }] : []),
      ...(failures ? [{ heading: "Kinds of failure", ...failures }] : []),
      ...(diagnosis.rows.length > 0 ? [{ heading: "Diagnosis", ...diagnosis, note: diagnosisNote }] : []),
    ],
    charts: [successChart(report), ...roundsCharts(report)],
    links: linksOf(report),
    notes: [...suiteNotes(report), intervalNote],
  };
}

function successChart({ rows, overall }: SuiteReport) {
  const each = rows.flatMap(({ environment, report }): IntervalRow[] => {
    const { successRate: estimate, episodes = 0 } = report?.summary ?? {};
    return estimate ? [{ label: environment, estimate, note: `of ${episodes}` }] : [];
  });
  const mean: IntervalRow[] = overall
    ? [{ label: "mean", estimate: overall, note: `of ${each.length}`, isStrong: true }]
    : [];
  return { title: "Success by environment", note: "tasks solved, 95 % intervals", rows: [...mean, ...each] };
}

function roundsCharts({ rows }: SuiteReport) {
  return rows.flatMap(({ environment, report }) => {
    const own = (report?.byRounds ?? []).flatMap(({ rounds, episodes, successRate: estimate }): IntervalRow[] =>
      estimate ? [{ label: counted(rounds, "round"), estimate, note: `of ${episodes}` }] : [],
    );
    const note = "episodes solved within a round cap, 95 % intervals";
    return own.length > 0 ? [{ title: `Success by rounds: ${environment}`, note, rows: own }] : [];
  });
}

function linksOf({ rows }: SuiteReport) {
  return rows.flatMap(({ environment, report }) => {
    if (!report) return [];
    const worst = report.diagnosis?.worst.length ?? 0;
    const note = worst > 0 ? `, with the worst episodes by diagnosis: ${worst}` : "";
    return [{ label: environment, href: `${encodeURIComponent(environment)}/report.html`, note }];
  });
}
