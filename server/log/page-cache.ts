import { placesPerPage } from "./step-page.js";

/** Limit on the characters of all cached pages. Restores of a host's episodes read the same pages again and again. */
const mostCharacters = 2 ** 25;

export interface CachedPage {
  /** Two lines for each step, in the format of `readStep`. */
  lines: readonly string[];
  characters: number;
}

/**
 * Least-recently-used cache of pages, split into their lines. Many episodes share a page, so a read for one episode serves
 * the others. An entry never goes stale, since a page never changes and no page number is used twice.
 */
export class PageCache {
  /** Cached pages, least recently used first. */
  private readonly pages = new Map<number, CachedPage>();
  private characters = 0;

  /** @param read returns the text of a page */
  constructor(private readonly read: (page: number) => string) {}

  /** Returns the page that holds a place, given as `page * placesPerPage + place`. */
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

  /** Empties the cache. A rollback must call this method, since the page numbers of that transaction will be used again. */
  clear(): void {
    this.pages.clear();
    this.characters = 0;
  }

  private split(text: string): CachedPage {
    this.characters += text.length;
    return { lines: text.split("\n"), characters: text.length };
  }
}
