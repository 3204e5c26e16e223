import { ServiceFailed } from "../../../errors.js";
import type { PageWindow, Passage, Source } from "../source.js";
import { SearchPool } from "./search-pool.js";

let pool: SearchPool | undefined;

/**
 * A source that searches an embedded index: the bundled index, or an index made by `palestra index build`. All embedded
 * indexes of a process share one pool of threads.
 */
export class EmbeddedSource implements Source {
  /**
   * @param name display name
   * @param path returns the path of the index file, and builds the index first if necessary
   */
  constructor(
    private readonly name: string,
    private readonly path: () => Promise<string>,
  ) {}

  search(query: string, k: number, signal: AbortSignal): Promise<Passage[]> {
    return this.ask((path) => sharedPool().ask({ kind: "search", path, query, k }, signal), signal) as Promise<
      Passage[]
    >;
  }

  open(id: string, offset: number, signal: AbortSignal): Promise<PageWindow | null> {
    const asked = this.ask((path) => sharedPool().ask({ kind: "open", path, page: id, offset }, signal), signal);
    return asked as Promise<PageWindow | null>;
  }

  async close(): Promise<void> {}

  private async ask(question: (path: string) => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
    try {
      return await question(await this.path());
    } catch (error) {
      signal.throwIfAborted();
      throw new ServiceFailed(`the index ${this.name} to answer`, (error as Error).message, error);
    }
  }
}

function sharedPool(): SearchPool {
  pool ??= new SearchPool();
  return pool;
}
