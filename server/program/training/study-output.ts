/** Writes and prints the report over several runs. */
import { join } from "node:path";
import { writePaper } from "../../../trainer/report/paper/paper-files.js";
import { type Study, type StudyInput, studyOf } from "../../../trainer/report/study/study.js";
import { studyPaper } from "../../../trainer/report/study/study-paper.js";
import { studyLines } from "../../../trainer/report/study/study-text.js";

/** Joins runs and writes the report in a folder. @throws {TrainerError} REPORT_TEMPLATE_MISSING @throws errors of the disk */
export function writeStudy(folder: string, input: StudyInput): Study {
  const study = studyOf(input);
  writePaper(folder, studyPaper(study), study);
  return study;
}

/** Prints a study, as lines or as JSON. */
export function printStudy(study: Study, folder: string, json: boolean): void {
  if (json) console.log(JSON.stringify(study, null, 2));
  else for (const line of [...studyLines(study), `report         ${join(folder, "report.html")}`]) console.log(line);
}
