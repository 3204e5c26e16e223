import type { PageLink } from "../source.js";

/** A whole page. */
export interface Page {
  id: string;
  title: string;
  text: string;
  links: PageLink[];
}

/** Maximum total size of the cached pages, in UTF-16 code units. */
const mostCharacters = 2 ** 25;

/** A cache of the most recently added pages by id, with bounded memory. */
export class KeptPages {
  /** Cached pages by id, the oldest first. */
  private readonly pages = new Map<string, Page>();
  private characters = 0;

  constructor(private readonly most = mostCharacters) {}

  get(id: string): Page | undefined {
    return this.pages.get(id);
  }

  /** Adds a page, unless the page is larger than the whole cache. */
  keep(page: Page): void {
    this.forget(page.id);
    this.pages.set(page.id, page);
    this.characters += sizeOf(page);
    for (const oldest of this.pages.keys()) {
      if (this.characters <= this.most) break;
      this.forget(oldest);
    }
  }

  private forget(id: string): void {
    const page = this.pages.get(id);
    if (!page) return;
    this.pages.delete(id);
    this.characters -= sizeOf(page);
  }
}

function sizeOf({ id, title, text, links }: Page): number {
  const linked = links.reduce((sum, link) => sum + link.id.length + link.title.length, 0);
  return id.length + title.length + text.length + linked;
}
