/** The report of a training run as one self-contained HTML file: results, curves and settings. */
import type { Finding } from "../../server/formats/health/health.js";
import type { TrainRecord } from "./metric-names.js";
import type { PaperSection } from "./paper/paper.js";
import { reportPage, writePage } from "./report-page.js";

export interface TrainingReportInput {
  readonly title: string;
  /** Records in the order of their steps. */
  readonly records: readonly TrainRecord[];
  /** Settings of the run, without secrets. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** Facts about the engine since the run started or resumed; undefined if unknown. */
  readonly engine?: Readonly<Record<string, unknown>> | undefined;
  /** Findings about the run's health. */
  readonly health?: readonly Finding[];
  /** Held-out success, data, cost and origin of the run, to be printed. */
  readonly paper?: readonly PaperSection[];
}

/** @throws {TrainerError} REPORT_TEMPLATE_MISSING */
export function trainingHtml(input: TrainingReportInput): string {
  return reportPage(
    input.title,
    { kind: "training", ...input },
    "metrics.jsonl in the same folder has the metrics of each train step.",
  );
}

/** Writes the report atomically. @throws {TrainerError} REPORT_TEMPLATE_MISSING @throws errors of the disk */
export function writeTrainingHtml(path: string, input: TrainingReportInput): void {
  writePage(path, trainingHtml(input));
}
