/** The interface with which environments search for passages and open pages. */

export interface PageLink {
  id: string;
  title: string;
}

/** A search result: a passage of a page. */
export interface Passage {
  /** Id of the page. */
  id: string;
  /** Title of the page. */
  title: string;
  text: string;
  /** Relevance score, higher is better. Scores are comparable only within one search. */
  score: number;
}

/** A part of a page's text, returned by `open`. */
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
 * unreachable or damaged, calls reject with ServiceFailed, which counts as an infrastructure failure.
 */
export interface Source {
  /** Returns the best `k` passages, at most one per page, the best first. A query without words finds nothing. */
  search(query: string, k: number, signal: AbortSignal): Promise<Passage[]>;
  /** Returns at most `windowCharacters` of a page's text, starting at `offset`, or null if the page does not exist. */
  open(id: string, offset: number, signal: AbortSignal): Promise<PageWindow | null>;
  /** Frees the resources of the source. Further calls have no effect. */
  close(): Promise<void>;
}

/** Maximum length of the text that one call of `open` returns, in UTF-16 code units. */
export const windowCharacters = 4_000;

/** Returns a window of a page. The text is empty if the offset is past the end. */
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
