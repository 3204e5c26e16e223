/** The tasks of a split, loaded in pages. A search asks for further pages until one is full or it has taken long. */
import { signal } from "@preact/signals";
import { api } from "../api.js";

const pageSize = 50;
/** Milliseconds after which a search pauses, and asks whether to go on. */
const searchesForMs = 3_000;

export class TaskPages {
  readonly tasks = signal<readonly { index: number; title: string }[]>([]);
  readonly isLoading = signal(true);
  /** Index from which the next page begins, or null on the last page. */
  readonly next = signal<number | null>(0);
  readonly error = signal<unknown>(null);
  private isStopped = false;

  constructor(
    private readonly environment: string,
    private readonly split: string,
    private readonly text: string,
  ) {}

  async loadMore(): Promise<void> {
    this.isLoading.value = true;
    this.error.value = null;
    const wanted = this.tasks.value.length + pageSize;
    const begun = performance.now();
    try {
      while (!this.isStopped && this.next.value !== null && this.tasks.value.length < wanted) {
        const { split, text } = this;
        const limit = wanted - this.tasks.value.length;
        const page = await api.tasks(this.environment, { split, from: this.next.value, limit, ...(text && { text }) });
        this.tasks.value = [...this.tasks.value, ...page.tasks];
        this.next.value = page.next;
        if (performance.now() - begun > searchesForMs) break;
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
