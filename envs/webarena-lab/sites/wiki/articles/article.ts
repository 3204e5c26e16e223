/** Type of an article, and functions for the text of articles. */
export interface Article {
  title: string;
  /** Labels and values of the infobox. */
  facts: readonly (readonly [label: string, value: string])[];
  /** Sections of the article. The first section has no heading. */
  sections: readonly Section[];
  seeAlso: readonly string[];
  references: readonly string[];
  categories: readonly string[];
}

/** A section. The text may contain the links `[[Title]]` and `[[Title|text]]`. */
export interface Section {
  heading?: string;
  paragraphs?: readonly string[];
  items?: readonly string[];
  table?: WikiTable;
}

export interface WikiTable {
  caption: string;
  /** Whether a click on a column heading sorts the table. */
  isSortable?: boolean;
  head: readonly string[];
  rows: readonly (readonly string[])[];
}

/** An article without references. */
export type Draft = Omit<Article, "references">;

export function link(title: string, shown = title): string {
  return shown === title ? `[[${title}]]` : `[[${title}|${shown}]]`;
}

export function grouped(value: number): string {
  return value.toLocaleString("en-US");
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Formats a day as `14 March 1871`. */
export function dayOf(time: number): string {
  const date = new Date(time);
  return `${date.getUTCDate()} ${months[date.getUTCMonth()]} ${date.getUTCFullYear()}`;
}

/** Adds the indefinite article: `a novel`, `an album`. */
export function withArticle(words: string): string {
  return `${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;
}

/** Joins items as `A, B and C`. */
export function listed(items: readonly string[]): string {
  return items.length < 2 ? (items[0] ?? "") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`;
}

/** Returns a list with one section, or an empty list if the section has no items. */
export function sectionOf(heading: string, items: readonly string[]): Section[] {
  return items.length > 0 ? [{ heading, items }] : [];
}

export function withoutLinks(text: string): string {
  return text.replace(/\[\[(?:[^\]|]+\|)?([^\]]+)\]\]/g, "$1");
}
