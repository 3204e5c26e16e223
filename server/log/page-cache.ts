import { placesPerPage } from "./step-page.js";

/** Limit on the characters of all cached pages. The restores of a host's episodes read the same pages repeatedly. */
const mostCharacters = 2 ** 25;

export interface CachedPage {
  /** Lines of the page: two for each step, in the format of `readStep`. */
  lines: readonly string[];
  characters: number;
}

/**
 * Least-recently-used cache of pages, split into their lines. Many episodes share a page, so a page that is read for
 * one episode is useful for other episodes. Entries never become stale, because a page never changes and a page number
 * is never reused.
 */
export class PageCache {
  /** Cached pages, from least to most recently used. */
  private readonly pages = new Map<number, CachedPage>();
  private characters = 0;

  /** @param read returns the text of a page */
  constructor(private readonly read: (page: number) => string) {}

  /** Returns the page of a step's place. @param place number `page * placesPerPage + place` */
  pageOf(place: number): CachedPage {
    const page = Math.floor(place / placesPerPage);
    const found = this.pages.get(page) ?? this.split(this.read(page));
    this.pages.delete(page);
    this.pages.set(page, found);
    for (const [oldest, { characters }] of this.pages) {
      if (this.characters <= mostCharacters) break;
      this.pages.delete(oldest);
      this.characters -= characters;
    }
    return found;
  }

  /**
   * Empties the cache. Call this method after a rollback, because the page numbers of that transaction will be used
   * again.
   */
  clear(): void {
    this.pages.clear();
    this.characters = 0;
  }

  private split(text: string): CachedPage {
    this.characters += text.length;
    return { lines: text.split("\n"), characters: text.length };
  }
}
