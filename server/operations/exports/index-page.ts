/** The index of an archive of HTML pages: a table with a link to the page of each episode. */
import type { EpisodeFacts } from "./episode.js";
import { escapeHtml } from "./report-page.js";

export interface IndexEntry {
  /** Name of the page in the archive. */
  readonly file: string;
  readonly facts: EpisodeFacts;
}

const style =
  ":root{color-scheme:light dark;font:14px/1.5 system-ui,sans-serif}body{max-width:70rem;margin:2rem auto;padding:0 1rem}" +
  "table{border-collapse:collapse;width:100%}:is(th,td){text-align:left;padding:.3rem .8rem .3rem 0;border-bottom:1px solid #8884}";

const columns = ["episode", "environment", "task", "outcome", "steps", "created"];

/** Yields the page in parts. The texts of the episodes are untrusted. */
export async function* indexTexts(entries: readonly IndexEntry[]): AsyncGenerator<string> {
  const title = entries.length === 1 ? "1 episode" : `${entries.length} episodes`;
  yield `<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">`;
  yield `<title>${title}</title><style>${style}</style></head><body><h1>${title}</h1><table><thead><tr>`;
  yield `${columns.map((column) => `<th>${column}</th>`).join("")}</tr></thead><tbody>\n`;
  for (const { file, facts } of entries) {
    const { episodeId, environment, task, index, createdAt, outcome } = facts;
    const link = `<a href="${escapeHtml(encodeURIComponent(file))}">${escapeHtml(episodeId)}</a>`;
    const texts = [environment, `${task.split} ${task.index}`, outcome, `${index}`, createdAt.slice(0, 19)];
    yield `<tr>${[link, ...texts.map((text) => escapeHtml(text))].map((cell) => `<td>${cell}</td>`).join("")}</tr>\n`;
  }
  yield "</tbody></table></body></html>\n";
}
