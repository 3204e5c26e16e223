/** A small in-memory BM25 index of pages, with which questions are rated and their plans are checked. */
import { openDatabase } from "../../../native/sqlite/index.js";

export interface Passage {
  id: string;
  title: string;
  text: string;
  /** Relevance score; larger is better. */
  score: number;
}

/** Search function that returns the `k` best passages for a query, best first. */
export type Search = (query: string, k: number) => Promise<Passage[]>;

const stopWords = new Set(
  (
    "a an and are as at be by did do does for from had has have how in into is it its many most much name of on one or " +
    "only than that the there this to was were what when where which while who whose will with"
  ).split(" "),
);

/** Indexes pages with SQLite's FTS5. A query matches every page that contains at least one of its words. */
export function passageSearch(pages: Iterable<{ id: string; title: string; text: string }>): Search {
  const database = openDatabase(":memory:");
  database.exec(
    "CREATE VIRTUAL TABLE passages USING fts5(id UNINDEXED, title, text, tokenize = 'unicode61 remove_diacritics 2')",
  );
  const insert = database.prepare("INSERT INTO passages (id, title, text) VALUES (?, ?, ?)");
  database.transaction(() => {
    for (const { id, title, text } of pages) insert.run(id, title, text);
  })();
  const select = database.prepare<[string, number], Passage>(
    "SELECT id, title, text, -bm25(passages) AS score FROM passages WHERE passages MATCH ? ORDER BY bm25(passages), id LIMIT ?",
  );
  return async (query, k) => {
    const words = wordsOf(query);
    return words.length === 0 ? [] : select.all(words.map((word) => `"${word}"`).join(" OR "), k);
  };
}

/** Returns the distinct words of a query, except common English words. */
export function wordsOf(query: string): string[] {
  const words = query.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return [...new Set(words)].filter((word) => !stopWords.has(word));
}
