/** Reports as one self-contained HTML file: the studio's page for reports (server/ui/report) with data in it. */
import { readFile } from "node:fs/promises";

const template = new URL("../../ui/report.html", import.meta.url);
let parts: Promise<{ start: string; end: string }> | undefined;

/**
 * Returns a page that shows a report. The data may contain untrusted text.
 *
 * @param report data with a `kind`, as `server/ui/report/report.ts` defines it
 */
export async function reportPage(title: string, report: { kind: string }): Promise<string> {
  let page = "";
  for await (const text of reportTexts(title, [JSON.stringify(report)])) page += text;
  return page;
}

/** Yields such a page in parts. @param report JSON text of the data, in parts */
export async function* reportTexts(
  title: string,
  report: AsyncIterable<string> | Iterable<string>,
): AsyncGenerator<string> {
  parts ??= readTemplate();
  const { start, end } = await parts;
  yield start.replace(/<title>.*<\/title>/, () => `<title>${escapeHtml(title)}</title>`);
  yield '<script type="application/json" id="report">';
  // The data would end at "</script", and a comment in it could hide its end.
  for await (const text of report) yield text.replaceAll("<", "\\u003c");
  yield `</script>${end}`;
}

async function readTemplate(): Promise<{ start: string; end: string }> {
  const [start = "", end = ""] = (await readFile(template, "utf8")).split("<!--report-->");
  return { start, end };
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
