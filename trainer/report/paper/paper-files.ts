/** Writes a paper as `report.html` and `report.md`, with its data as `report.json`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { reportPage, writePage } from "../report-page.js";
import type { Paper } from "./paper.js";
import { paperMarkdown } from "./paper-markdown.js";

/**
 * @param data object of `report.json`
 * @returns path of the page
 * @throws {TrainerError} REPORT_TEMPLATE_MISSING, after the other files are written @throws errors of the file system
 */
export function writePaper(folder: string, paper: Paper, data: object): string {
  const page = join(folder, "report.html");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "report.json"), `${JSON.stringify(data, null, 2)}\n`);
  writeFileSync(join(folder, "report.md"), paperMarkdown(paper));
  writePage(page, reportPage(paper.title, { kind: "paper", ...paper }, "report.md in the same folder has the same."));
  return page;
}
