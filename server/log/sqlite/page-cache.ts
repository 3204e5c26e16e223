import { placesPerPage, type SplitPage } from "../records/step-page.js";

/** Limit on the characters of all cached pages. The restores of a host's episodes read the same pages repeatedly. */
const mostCharacters = 2 ** 25;

export interface CachedPage extends SplitPage {
  characters: number;
}

/** A page as it is stored. */
export interface StoredPage {
  text: string;
  /** See `LoggedStep.atMs`. */
  atMs: number | null;
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

  /** @param read returns a page as it is stored */
  constructor(private readonly read: (page: number) => StoredPage) {}

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

  private split({ text, atMs }: StoredPage): CachedPage {
    this.characters += text.length;
    return { lines: text.split("\n"), atMs, characters: text.length };
  }
}
