/** `palestra train --summary RUNS`: joins training runs that were played before. */
import { basename, join } from "node:path";
import type { RunOrigin } from "../../../trainer/report/run-file.js";
import { readRuns } from "../../../trainer/report/study/stored-run.js";
import { folderName } from "./eval-run.js";
import { printStudy, writeStudy } from "./study-output.js";

export interface SummaryRequest {
  /** Folders of runs. */
  readonly roots: readonly string[];
  /** Folder of the report. Default: a folder under .palestra/summaries. */
  readonly folder: string | undefined;
  readonly json: boolean;
  readonly origin: RunOrigin;
}

/**
 * Prints the summary and writes its report.
 *
 * @param names folders or names of runs, or of folders with runs
 * @throws {TrainerError} ARGUMENT_INVALID: there is no such run
 */
export function summarizeRuns(names: readonly string[], { roots, folder, json, origin }: SummaryRequest): void {
  const runs = names.flatMap((name) => readRuns(name, roots));
  const title = `Training runs ${names.map((name) => basename(name)).join(", ")}`;
  const target = folder ?? join(".palestra", "summaries", folderName(names.map((name) => basename(name))));
  printStudy(writeStudy(target, { title, runs, command: origin.command }), target, json);
}
