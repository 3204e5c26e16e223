/** The choice of the words of a query to search for. */

/** A word of the query. */
export interface Term {
  /** Form in the query. */
  word: string;
  /** Form in the index. */
  term: string;
  /** Number of passages that contain the word. */
  passages: number;
}

/** Largest number of terms of a query. The rarest terms are used. */
const mostTerms = 64;

/**
 * Size of an index in passages. In an index of at least this size, terms that at least half of the passages contain are
 * left out.
 */
const fewestPassages = 20_000;

/** Lucene's English stop words. Stop words are left out of a query with other words. */
const stopWords = new Set(
  "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with".split(
    " ",
  ),
);

/** Returns the words that affect the result, the rarest word first. */
export function tellingTerms(terms: readonly Term[], passages: number): Term[] {
  const telling = terms.filter(({ word }) => !stopWords.has(word.toLowerCase()));
  const kept = telling.length > 0 ? telling : terms;
  const sorted = [...kept].sort((a, b) => a.passages - b.passages).slice(0, mostTerms);
  if (passages < fewestPassages) return sorted;
  // BM25 gives no weight to a term in at least half of all passages.
  const weighty = sorted.filter((term) => term.passages < passages / 2);
  return weighty.length > 0 ? weighty : sorted.slice(0, 1);
}
