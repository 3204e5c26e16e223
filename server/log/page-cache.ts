import { placesPerPage } from "./step-page.js";

/** Characters of all pages that are kept: what the restores of a host's episodes come back to again and again. */
const mostCharacters = 2 ** 25;

export interface CachedPage {
  /** Two of each step: `readStep` knows them. */
  lines: readonly string[];
  characters: number;
}

/**
 * The pages that were read last, split into their lines. Steps of many episodes share a page, so what one of them had
 * to read serves the others. Pages never change, and no number is given twice: an entry can be old, but never wrong.
 */
export class PageCache {
  /** The one that was asked for last is the last. */
  private readonly pages = new Map<number, CachedPage>();
  private characters = 0;

  /** @param read gives a page's text */
  constructor(private readonly read: (page: number) => string) {}

  /** The page that holds a place: `page * placesPerPage + place`. */
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

  /** For when a transaction was rolled back: the numbers of its pages will be given again. */
  clear(): void {
    this.pages.clear();
    this.characters = 0;
  }

  private split(text: string): CachedPage {
    this.characters += text.length;
    return { lines: text.split("\n"), characters: text.length };
  }
}
