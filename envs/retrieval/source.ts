/** The retrieval interface, with which environments search and open pages. */

export interface PageLink {
  id: string;
  title: string;
}

/** A passage of a page in the result of a search. */
export interface Passage {
  /** Id of the page. */
  id: string;
  /** Title of the page. */
  title: string;
  text: string;
  /** Relevance: higher is better. Scores of different queries or sources are not comparable. */
  score: number;
}

/** A window of an opened page. */
export interface PageWindow {
  id: string;
  title: string;
  text: string;
  /** Position of `text` in the text of the page, in UTF-16 code units. */
  offset: number;
  /** Length of the text of the page, in UTF-16 code units. */
  length: number;
  links: PageLink[];
}

/**
 * A searchable collection of pages. After an abort, calls reject with the signal's reason. If the collection is
 * unreachable or broken, calls reject with ServiceFailed, which is an infrastructure failure.
 */
export interface Source {
  /** Returns the best `k` passages, from different pages, the best passage first. A query without words finds nothing. */
  search(query: string, k: number, signal: AbortSignal): Promise<Passage[]>;
  /** Returns at most `windowCharacters` of the text of a page from `offset` on, or null if the page does not exist. */
  open(id: string, offset: number, signal: AbortSignal): Promise<PageWindow | null>;
  /** Frees the resources of the source. A second call does nothing. */
  close(): Promise<void>;
}

/** Largest length of the text of one call of `open`, in UTF-16 code units. */
export const windowCharacters = 4_000;

/** Returns a window of a page. An offset past the end gives an empty text. */
export function windowOf(
  { id, title, text, links }: { id: string; title: string; text: string; links: PageLink[] },
  offset: number,
): PageWindow {
  const from = Math.min(Math.max(0, Math.trunc(offset)), text.length);
  let end = Math.min(text.length, from + windowCharacters);
  // The text is never cut between the halves of a surrogate pair.
  if (end < text.length && /[\uD800-\uDBFF]/.test(text[end - 1] as string)) end -= 1;
  return { id, title, text: text.slice(from, end), offset: from, length: text.length, links };
}
