/** Texts for the results of several environments: a table with the rows of this run above quoted rows. */

import { counted } from "../../../server/formats/counted.js";
import { failureKinds, failureNames } from "../../../server/formats/outcomes/failure.js";
import type { EvaluationReport } from "../../evaluation/evaluation.js";
import type { PublishedFigure } from "../../evaluation/published.js";
import type { SuiteReport, SuiteRow } from "../../evaluation/suite.js";
import { decimal, diagnosisColumns, diagnosisRow, intervalOf, percent } from "./evaluation-text.js";

export interface SuiteTable {
  readonly columns: readonly string[];
  /** Rows of this run. */
  readonly measured: readonly (readonly string[])[];
  /** Published rows of other systems. */
  readonly quoted: readonly (readonly string[])[];
}

/** Makes a row. @param last cell in the column of means */
type MakeRow = (name: string, cell: (row: SuiteRow) => string, last?: string) => string[];

/** Makes the table, with a column for each environment and a last column for their mean. */
export function suiteTable(report: SuiteReport): SuiteTable {
  const { rows, overall, published } = report;
  const each: MakeRow = (name, cell, last = "") => [name, ...rows.map(cell), last];
  return {
    columns: ["", ...rows.map(({ environment }) => environment), `mean of ${overall?.environments.length ?? 0}`],
    measured: measuredRows(report, each),
    quoted: (published?.rows ?? []).map(({ name, figures }) =>
      each(`${name} (quoted)`, ({ environment }) => figureText(figures[environment.replace(/@.*/, "")])),
    ),
  };
}

function measuredRows({ policy, overall }: SuiteReport, each: MakeRow): string[][] {
  const of = (cell: (report: EvaluationReport) => string) => (row: SuiteRow) =>
    row.report?.summary.successRate ? cell(row.report) : "";
  const success = ({ report }: SuiteRow) =>
    report?.summary.successRate ? percent(report.summary.successRate.value) : "not played";
  return [
    each(policy, success, percent(overall?.value)),
    each(
      "95 % interval",
      of(({ summary }) => intervalOf(summary.successRate, percent)),
      intervalOf(overall, percent),
    ),
    each(
      "score above 0",
      of(({ summary }) => percent(summary.aboveZero?.value)),
    ),
    each(
      "mean score",
      of(({ summary }) => decimal(summary.meanScore?.value)),
    ),
    each(
      "episodes",
      of(({ summary }) => `${summary.episodes} of ${summary.planned}`),
    ),
    each(
      "split",
      of(({ split }) => split),
    ),
    each(
      "round cap",
      of(({ maxRounds }) => `${maxRounds}`),
    ),
    each(
      "rounds",
      of(({ summary }) => decimal(summary.meanSteps, 1)),
    ),
  ];
}

function figureText(figure: PublishedFigure | undefined): string {
  return figure ? `${figure.percent.toFixed(2)} %${figure.isReadOff ? " *" : ""}` : "";
}

/** Returns the notes under the table, as sentences. */
export function suiteNotes({ rows, overall, published }: SuiteReport): string[] {
  const missing = rows.flatMap(({ environment, notPlayed }) =>
    notPlayed ? [`${environment}: ${notPlayed.reason} ${notPlayed.remedy}`] : [],
  );
  const cut = rows.flatMap(({ environment, report }) =>
    report && !report.complete ? [`${environment} was cut short: not every planned episode is in its column.`] : [],
  );
  const lost = rows.flatMap(({ environment, report, notPlayed }) => {
    if (notPlayed) return [];
    const { failed = 0, failures: [first] = [] } = report?.summary ?? {};
    return failed > 0 && first
      ? [
          `${environment}: ${counted(failed, "episode was", "episodes were")} lost to failures and left out, as by ${first.code}. ${first.remedy}`,
        ]
      : [];
  });
  const own = rows.flatMap(({ environment, report }) => (report?.notes ?? []).map((note) => `${environment}: ${note}`));
  return [...missing, ...cut, ...lost, ...meanNote(overall), ...quotedNotes(published, rows), ...own];
}

function meanNote(overall: SuiteReport["overall"]): string[] {
  if (!overall) return [];
  const names = overall.environments.join(", ");
  return [
    `The mean gives each environment the same weight, and has these in it: ${names}. Its interval combines theirs (Zou and Donner 2008).`,
  ];
}

function quotedNotes(published: SuiteReport["published"], rows: readonly SuiteRow[]): string[] {
  if (!published) return [];
  const names = rows.map(({ environment }) => environment.replace(/@.*/, ""));
  const hasReadOff = published.rows.some(({ figures }) => names.some((name) => figures[name]?.isReadOff));
  return [
    `Rows marked (quoted) are figures of ${published.source}; Palestra did not measure them.`,
    ...(hasReadOff ? ["Figures marked * were read off a bar chart of the paper."] : []),
    "AgentGym-RL's evaluation script counts an episode as passed when its last score is above 0; `score above 0` is that share. The success rate counts solved tasks alone. The two differ where an environment gives partial scores, as SciWorld does.",
  ];
}

/** Returns the table of success by rounds; undefined for a single cap. */
export function suiteRounds({ rows }: SuiteReport): { columns: string[]; rows: string[][] } | undefined {
  const played = rows.flatMap(({ environment, report }) =>
    report?.summary.successRate && report.byRounds.length > 0 ? [{ environment, byRounds: report.byRounds }] : [],
  );
  if (played.length === 0) return undefined;
  const caps = [...new Set(played.flatMap(({ byRounds }) => byRounds.map(({ rounds }) => rounds)))].sort(
    (a, b) => a - b,
  );
  const cells = played.map(({ environment, byRounds }) => [
    environment,
    ...caps.map((cap) => {
      const rate = byRounds.find(({ rounds }) => rounds === cap)?.successRate;
      return rate ? `${percent(rate.value)} ${intervalOf(rate, percent)}` : "";
    }),
  ]);
  return { columns: ["success within", ...caps.map((cap) => counted(cap, "round"))], rows: cells };
}

/** Returns the table of diagnoses, with a row for each environment that has a diagnosis. */
export function suiteDiagnosis({ rows }: SuiteReport): { columns: string[]; rows: string[][] } {
  const present = rows.flatMap(({ environment, report }) =>
    report?.diagnosis ? [[environment, ...diagnosisRow(report.diagnosis)]] : [],
  );
  return { columns: ["environment", ...diagnosisColumns], rows: present };
}

/** Returns the table of kinds of failure, with a row for each environment that has failures; undefined without a row. */
export function suiteFailures({ rows }: SuiteReport): { columns: string[]; rows: string[][] } | undefined {
  const counts = rows.flatMap(({ environment, report }) =>
    Object.keys(report?.summary.failureKinds ?? {}).length > 0
      ? [{ environment, found: report?.summary.failureKinds ?? {} }]
      : [],
  );
  if (counts.length === 0) return undefined;
  const kinds = failureKinds.filter((kind) => counts.some(({ found }) => found[kind]));
  return {
    columns: ["kinds of failure", ...kinds.map((kind) => failureNames[kind])],
    rows: counts.map(({ environment, found }) => [environment, ...kinds.map((kind) => `${found[kind] ?? 0}`)]),
  };
}

/** Returns the lines of the result for a terminal. */
export function suiteLines(report: SuiteReport): string[] {
  const { columns, measured, quoted } = suiteTable(report);
  const rounds = suiteRounds(report);
  const failures = suiteFailures(report);
  const diagnosis = suiteDiagnosis(report);
  return [
    ...aligned([columns, ...measured, ...quoted]),
    ...(rounds ? ["", ...aligned([rounds.columns, ...rounds.rows])] : []),
    ...(failures ? ["", ...aligned([failures.columns, ...failures.rows])] : []),
    ...(diagnosis.rows.length > 0 ? ["", ...aligned([diagnosis.columns, ...diagnosis.rows])] : []),
    "",
    ...suiteNotes(report),
  ];
}

/** Aligns the first column to the left and all other columns to the right. */
function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((text, at) => (at === 0 ? text.padEnd(widths[0] ?? 0) : text.padStart(widths[at] ?? 0)));
    return cells.join("  ").trimEnd();
  });
}
