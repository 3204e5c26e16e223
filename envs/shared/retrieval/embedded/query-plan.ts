/** Chooses the words of a query that are searched for. */

/** A word of the query. */
export interface Term {
  /** The word as written in the query. */
  word: string;
  /** The word as stored in the index, for example stemmed. */
  term: string;
  /** Number of passages that contain the word. */
  passages: number;
}

/** Maximum number of terms in a search. The rarest terms of a query are used. */
const mostTerms = 64;

/**
 * Minimum number of passages of an index in which a search ignores terms that occur in at least half of the passages.
 */
const fewestPassages = 20_000;

/** Lucene's English stop words, which are ignored in a query that also has other words. */
const stopWords = new Set(
  "a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to was will with".split(
    " ",
  ),
);

/** Returns the words to search for, the rarest word first. */
export function tellingTerms(terms: readonly Term[], passages: number): Term[] {
  const telling = terms.filter(({ word }) => !stopWords.has(word.toLowerCase()));
  const kept = telling.length > 0 ? telling : terms;
  const sorted = [...kept].sort((a, b) => a.passages - b.passages).slice(0, mostTerms);
  if (passages < fewestPassages) return sorted;
  // BM25 gives no weight to a term in at least half of all passages.
  const weighty = sorted.filter((term) => term.passages < passages / 2);
  return weighty.length > 0 ? weighty : sorted.slice(0, 1);
}
