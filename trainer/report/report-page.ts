/**
 * Reports as one self-contained HTML file: the page for reports that the build bundles (server/ui/report), with data in it.
 */
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { TrainerError } from "../errors.js";

/** Data of a report. `server/ui/report/report.ts` has the shape of each kind. */
export interface ReportData {
  readonly kind: "training" | "evaluation" | "suite" | "curves" | "paper";
  readonly [field: string]: unknown;
}

const template = fileURLToPath(new URL("../../server/ui/report.html", import.meta.url));
let parts: { start: string; end: string } | undefined;

/**
 * Returns a page that shows a report. The data may contain untrusted text.
 *
 * @param besides sentence that names the files with the same data, for browsers without scripts
 * @throws {TrainerError} REPORT_TEMPLATE_MISSING
 */
export function reportPage(title: string, data: ReportData, besides: string): string {
  parts ??= readTemplate();
  // The element with the data would end at "</script", and a comment in it could hide its end.
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  const start = parts.start
    .replace(/<title>.*<\/title>/, () => `<title>${escapeHtml(title)}</title>`)
    .replace(/<noscript>[\s\S]*<\/noscript>/, () => {
      return `<noscript><h1>${escapeHtml(title)}</h1><p>This page needs JavaScript. ${escapeHtml(besides)}</p></noscript>`;
    });
  return `${start}<script type="application/json" id="report">${json}</script>${parts.end}`;
}

/** Writes a page atomically, so that it can be opened during the run. */
export function writePage(path: string, page: string): void {
  writeFileSync(`${path}.new`, page);
  renameSync(`${path}.new`, path);
}

function readTemplate(): { start: string; end: string } {
  let text: string;
  try {
    text = readFileSync(template, "utf8");
  } catch (error) {
    throw new TrainerError(
      "REPORT_TEMPLATE_MISSING",
      `expected the page for reports at ${template}, but received ${(error as Error).message}. Build it with: npm run build`,
    );
  }
  const [start, end] = text.split("<!--report-->");
  if (start !== undefined && end !== undefined) return { start, end };
  throw new TrainerError(
    "REPORT_TEMPLATE_MISSING",
    `expected ${template} to have a place for data, but it has none. Build it again with: npm run build`,
  );
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
