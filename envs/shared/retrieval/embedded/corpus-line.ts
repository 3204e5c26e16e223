/** Parses corpus lines in the usual published formats: one JSON object per line. */
import type { PageLink } from "../source.js";

export interface CorpusPage {
  id: string;
  title: string;
  text: string;
  links: PageLink[];
}

/** Thrown for a line that is not a valid page. */
export class BadLine extends Error {}

const idNames = ["id", "_id", "docid", "url"] as const;
const textNames = ["text", "contents", "content", "body"] as const;

/**
 * Returns the page that an object describes. The object has an id (`id`, `_id`, `docid` or `url`), a text (`text`,
 * `contents`, `content` or `body`), and optionally a `title` and `links`, `[{id, title}]`. Without a `title`, the first
 * line of a text with several lines is the title. In `contents` the first line is always the title, as in the corpora
 * of FlashRAG and Search-R1.
 *
 * @throws {BadLine}
 */
export function pageOf(value: unknown): CorpusPage {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new BadLine(`expected a JSON object, but received ${shown(value)}`);
  const line = value as Record<string, unknown>;
  const id = idOf(line);
  const name = textNames.find((one) => line[one] !== undefined && line[one] !== null);
  const whole = name === undefined ? undefined : line[name];
  if (typeof whole !== "string")
    throw new BadLine(`expected a string in one of ${textNames.join(", ")}, but received ${shown(whole)}`);
  const page = { id, ...titled(line.title, whole, name === "contents"), links: linksOf(line.links) };
  if (page.text.trim() === "" && page.title.trim() === "")
    throw new BadLine(`expected page ${shown(id)} to have a text, but received an empty text`);
  return page;
}

/** Returns the page that a JSON line describes. @throws {BadLine} */
export function parseLine(line: string): CorpusPage {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch (error) {
    throw new BadLine(`expected JSON, but received ${shown(line)}: ${(error as Error).message}`);
  }
  return pageOf(value);
}

function idOf(line: Record<string, unknown>): string {
  const id = idNames.map((name) => line[name]).find((entry) => entry !== undefined && entry !== null);
  if (typeof id === "number" || typeof id === "bigint") return `${id}`;
  if (typeof id === "string" && id !== "") return id;
  throw new BadLine(`expected a string or a number in one of ${idNames.join(", ")}, but received ${shown(id)}`);
}

function titled(title: unknown, text: string, beginsWithTitle: boolean): { title: string; text: string } {
  if (typeof title === "string") return { title, text };
  if (title !== undefined && title !== null)
    throw new BadLine(`expected a string as title, but received ${shown(title)}`);
  const end = text.indexOf("\n");
  if (end < 0) return beginsWithTitle ? { title: text, text: "" } : { title: "", text };
  return { title: text.slice(0, end), text: text.slice(end + 1) };
}

function linksOf(links: unknown): PageLink[] {
  if (links === undefined || links === null) return [];
  const isLink = (link: unknown) =>
    typeof (link as PageLink | null)?.id === "string" && typeof (link as PageLink).title === "string";
  if (Array.isArray(links) && links.every(isLink)) return links.map(({ id, title }: PageLink) => ({ id, title }));
  throw new BadLine(`expected a list of {id, title} as links, but received ${shown(links)}`);
}

function shown(value: unknown): string {
  if (value === undefined) return "none";
  const text = typeof value === "bigint" ? `${value}` : JSON.stringify(value);
  return text.length <= 80 ? text : `${text.slice(0, 80)}…`;
}
