/** A list of episodes that is loaded in pages. With a filter, a page may be short or empty, and the next one is asked for. */
import { signal } from "@preact/signals";
import { api, type EpisodeFilter, type EpisodeSummary } from "../api.js";

const pageSize = 100;

export class EpisodePages {
  readonly rows = signal<readonly EpisodeSummary[]>([]);
  readonly isLoading = signal(false);
  readonly isComplete = signal(false);
  readonly error = signal<unknown>(null);
  private before: string | undefined;
  private isStopped = false;

  constructor(private readonly filter: EpisodeFilter) {}

  /** Loads further rows until there are a page of them more, or no more. */
  async loadMore(most = pageSize): Promise<void> {
    if (this.isLoading.value || this.isComplete.value) return;
    this.isLoading.value = true;
    this.error.value = null;
    const wanted = this.rows.value.length + most;
    try {
      while (!this.isStopped && !this.isComplete.value && this.rows.value.length < wanted) {
        const { before } = this;
        const query = { ...this.filter, limit: pageSize, ...(before !== undefined && { before }) };
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

  stop(): void {
    this.isStopped = true;
  }
}
