/** Runs one environment of `palestra eval`: plays its plan with a progress bar and writes its reports. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Evaluation,
  EvaluationFailed,
  type EvaluationPlan,
  evaluate,
} from "../../../trainer/evaluation/evaluate.js";
import type { TaskLists } from "../../../trainer/evaluation/task-list.js";
import type { GymClient } from "../../../trainer/gym/gym.js";
import type { PolicySettings } from "../../../trainer/policy/policies.js";
import type { Policy } from "../../../trainer/policy/policy.js";
import { evaluationHtml } from "../../../trainer/report/evaluation/evaluation-html.js";
import { evaluationMarkdown } from "../../../trainer/report/evaluation/evaluation-markdown.js";
import type { EvaluationProgress } from "../../../trainer/report/evaluation/evaluation-progress.js";
import type { EvalFlags } from "./eval-plan.js";

/** Inputs that all environments of a run share. */
export interface EvalRun {
  readonly flags: EvalFlags;
  readonly tasks: TaskLists;
  readonly gym: GymClient;
  readonly policy: Policy;
  /** Policy of the seats that `policy` does not play. */
  readonly partner?: Policy | undefined;
  readonly settings: PolicySettings;
  readonly progress: Pick<EvaluationProgress, "start" | "onResume" | "onEpisode" | "onTurn" | "onRetry" | "stop">;
  readonly signal: AbortSignal;
}

/** Returns callbacks of `evaluate` that tell a progress bar. */
export function toldTo(progress: Omit<EvalRun["progress"], "start" | "stop">) {
  return {
    onResume: progress.onResume.bind(progress),
    onEpisode: progress.onEpisode.bind(progress),
    onTurn: progress.onTurn.bind(progress),
    onRetry: progress.onRetry.bind(progress),
  };
}

/**
 * Plays a plan and writes its reports.
 *
 * @param label text beside the progress bar, if several environments are played
 * @throws {EvaluationFailed} after the reports of the played episodes are written @throws errors of `evaluate`
 */
export async function playPlan(
  plan: EvaluationPlan,
  directory: string,
  { gym, policy, partner, progress, signal }: EvalRun,
  label?: string,
): Promise<Evaluation> {
  progress.start(plan.tasks.length * plan.k, label);
  try {
    const evaluation = await evaluate(plan, { gym, policy, partner, directory, signal, ...toldTo(progress) });
    writeReports(evaluation, directory);
    return evaluation;
  } catch (error) {
    if (error instanceof EvaluationFailed && error.evaluation) writeReports(error.evaluation, directory);
    throw error;
  } finally {
    progress.stop();
  }
}

function writeReports(evaluation: Evaluation, directory: string): void {
  const { report } = evaluation;
  writeFiles(directory, {
    json: `${JSON.stringify(report, null, 2)}\n`,
    md: evaluationMarkdown(report),
    html: () => evaluationHtml(evaluation),
  });
}

interface ReportTexts {
  readonly json: string;
  readonly md: string;
  /** Makes the page. It is made last, so that a missing template loses no other report. */
  readonly html: () => string;
}

/** Writes `report.json`, `report.md` and `report.html`. @throws {TrainerError} REPORT_TEMPLATE_MISSING */
export function writeFiles(directory: string, { json, md, html }: ReportTexts): void {
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, "report.json"), json);
  writeFileSync(join(directory, "report.md"), md);
  writeFileSync(join(directory, "report.html"), html());
}

/** Returns the name of a folder in `.palestra/evaluations`, made from the parts of the measurement. */
export function folderName(parts: readonly unknown[]): string {
  return parts
    .join("-")
    .replace(/[^A-Za-z0-9@._-]+/g, "-")
    .slice(0, 200);
}
