/** A list of episodes that is loaded in pages. With a filter, a page may be short or empty, and the next one is asked for. */
import { signal } from "@preact/signals";
import { api, type EpisodeFilter, type EpisodePage, type EpisodeSummary } from "../api.js";

const pageSize = 100;
/** Size of the first page: the rows that a window shows, so that they are seen soon. */
const firstSize = 50;
/** Size of the page that is looked at for new episodes. */
const newestSize = 50;

export class EpisodePages {
  readonly rows = signal<readonly EpisodeSummary[]>([]);
  readonly isLoading = signal(false);
  readonly isComplete = signal(false);
  readonly error = signal<unknown>(null);
  /** Page with new episodes that the list does not show yet, or null. */
  readonly newest = signal<EpisodePage | null>(null);
  private before: string | undefined;
  private isStopped = false;

  constructor(private readonly filter: EpisodeFilter) {}

  /** Loads further rows until there are a page of them more, or no more. */
  async loadMore(most = this.before === undefined ? firstSize : pageSize): Promise<void> {
    if (this.isLoading.value || this.isComplete.value) return;
    this.isLoading.value = true;
    this.error.value = null;
    const wanted = this.rows.value.length + most;
    try {
      while (!this.isStopped && !this.isComplete.value && this.rows.value.length < wanted) {
        const { before } = this;
        const limit = before === undefined ? firstSize : pageSize;
        const query = { ...this.filter, limit, ...(before !== undefined && { before }) };
        const page = await api.episodes(query);
        this.rows.value = [...this.rows.value, ...page.episodes];
        this.before = page.next ?? undefined;
        this.isComplete.value = page.next === null;
      }
    } catch (error) {
      this.error.value = error;
    } finally {
      this.isLoading.value = false;
    }
  }

  /** Looks for new episodes, which wait in `newest`, and updates the states of the newest known ones. */
  async look(): Promise<void> {
    if (this.isLoading.value) return;
    try {
      const page = await api.episodes({ ...this.filter, limit: newestSize });
      const found = new Map(page.episodes.map((episode) => [episode.episodeId, episode]));
      this.rows.value = this.rows.value.map((row) => found.get(row.episodeId) ?? row);
      for (const { episodeId } of this.rows.value) found.delete(episodeId);
      this.newest.value = found.size > 0 ? page : null;
    } catch {
      // The page says that it has no connection, and looks again when it has one.
    }
  }

  /** Adds the new episodes that wait at the top. */
  showNewest(): void {
    const page = this.newest.value;
    if (page === null || this.isLoading.value) return;
    const known = new Set(this.rows.value.map(({ episodeId }) => episodeId));
    const added = page.episodes.filter(({ episodeId }) => !known.has(episodeId));
    this.newest.value = null;
    if (added.length < page.episodes.length || page.next === null || known.size === 0) {
      this.rows.value = [...added, ...this.rows.value];
      return;
    }
    // There may be more new episodes than the page has, so the list begins again.
    this.rows.value = page.episodes;
    this.before = page.next;
    this.isComplete.value = false;
  }

  stop(): void {
    this.isStopped = true;
  }
}
