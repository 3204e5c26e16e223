/** The encyclopedia, which consists of articles and categories. */
import { type Article, type Draft, withoutLinks } from "./articles/article.js";
import { buildingArticles } from "./articles/buildings.js";
import { companyArticles } from "./articles/companies.js";
import { eventArticles } from "./articles/events.js";
import { footballArticles } from "./articles/football.js";
import { listArticles } from "./articles/lists.js";
import { natureArticles } from "./articles/nature.js";
import { peopleArticles } from "./articles/people.js";
import { referencesOf } from "./articles/references.js";
import { reliefArticles } from "./articles/relief.js";
import { townArticles } from "./articles/towns.js";
import { workArticles } from "./articles/works.js";

let known: ReadonlyMap<string, Article> | undefined;
let knownCategories: ReadonlyMap<string, readonly string[]> | undefined;

/** Returns all articles by title, sorted by title. */
export function articles(): ReadonlyMap<string, Article> {
  known ??= new Map(
    drafts()
      .sort((one, other) => (one.title < other.title ? -1 : 1))
      .map((draft) => [draft.title, { ...draft, references: referencesOf(draft) }]),
  );
  return known;
}

function drafts(): Draft[] {
  return [
    ...townArticles(),
    ...reliefArticles(),
    ...buildingArticles(),
    ...peopleArticles(),
    ...workArticles(),
    ...companyArticles(),
    ...footballArticles(),
    ...natureArticles(),
    ...eventArticles(),
    ...listArticles(),
  ];
}

/** Returns the titles of the articles in each category. Categories and titles are sorted. */
export function categories(): ReadonlyMap<string, readonly string[]> {
  if (!knownCategories) {
    const byName = new Map<string, string[]>();
    for (const { title, categories: names } of articles().values())
      for (const name of names) byName.set(name, [...(byName.get(name) ?? []), title]);
    knownCategories = new Map([...byName].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
  return knownCategories;
}

interface Indexed {
  article: Article;
  title: string;
  text: string;
}

let index: readonly Indexed[] | undefined;

/**
 * Returns the articles that contain all words of a query. An exact title comes first, followed by the titles that
 * contain the most words.
 */
export function search(pattern: string): Article[] {
  const wanted = pattern.trim().toLowerCase();
  const words = wanted.split(/[\s,]+/).filter(Boolean);
  if (words.length === 0) return [];
  index ??= [...articles().values()].map((article) => ({
    article,
    title: article.title.toLowerCase(),
    text: textOf(article).toLowerCase(),
  }));
  const ranked = index.flatMap(({ article, title, text }) => {
    if (!words.every((word) => text.includes(word))) return [];
    const inTitle = words.filter((word) => title.includes(word)).length / words.length;
    return [{ article, rank: title === wanted ? 3 : inTitle + (title.startsWith(wanted) ? 1 : 0) }];
  });
  return ranked.sort((one, other) => other.rank - one.rank).map(({ article }) => article);
}

function textOf({ title, facts, sections }: Article): string {
  const parts = sections.flatMap(({ heading = "", paragraphs = [], items = [], table }) => [
    heading,
    ...paragraphs,
    ...items,
    ...(table ? table.rows.flat() : []),
  ]);
  return withoutLinks([title, ...facts.flat(), ...parts].join(" "));
}
