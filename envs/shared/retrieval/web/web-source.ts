/** A source for the live web: a search API finds pages, and a browser opens them. */
import { KeptPages } from "../remote/kept-pages.js";
import { type PageWindow, type Passage, type Source, windowOf } from "../source.js";
import type { Browsers } from "./page-reader.js";
import { PageReader, usualLoadMs } from "./page-reader.js";
import { SearchApi } from "./search-api.js";
import type { WebSettings } from "./settings.js";

export class WebSource implements Source {
  private readonly api: SearchApi;
  private readonly reader: PageReader;

  /**
   * @param kept cache of opened pages, from which further windows are returned
   * @param loadMs timeout in milliseconds for a page to load
   */
  constructor(
    settings: WebSettings,
    browsers: Browsers,
    private readonly kept = new KeptPages(),
    loadMs = usualLoadMs,
  ) {
    this.api = new SearchApi(settings);
    this.reader = new PageReader(browsers, settings.hosts, loadMs);
  }

  async search(query: string, k: number, signal: AbortSignal): Promise<Passage[]> {
    return query.trim() === "" ? [] : this.api.search(query, k, signal);
  }

  async open(id: string, offset: number, signal: AbortSignal): Promise<PageWindow | null> {
    // Later windows come from the page as first loaded, even if the page has changed since.
    const page = (offset > 0 ? this.kept.get(id) : undefined) ?? (await this.reader.read(id, signal));
    if (!page) return null;
    this.kept.keep(page);
    return windowOf(page, offset);
  }

  async close(): Promise<void> {}
}
