/** A benchmark run as one self-contained HTML page: results, charts and searchable transcripts. */
import type { Evaluation } from "../../evaluation/evaluate.js";
import { reportPage } from "../report-page.js";

/** @throws {TrainerError} REPORT_TEMPLATE_MISSING */
export function evaluationHtml({ report, records, prompt }: Evaluation): string {
  const { environment, split, policy } = report;
  return reportPage(
    `${environment}, ${split}: ${policy}`,
    { kind: "evaluation", report, records, prompt },
    "report.md in the same folder has the results, and episodes.jsonl has the transcripts.",
  );
}
