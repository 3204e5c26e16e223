import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { SearchAnswer, SearchCall } from "./search-thread.js";

/** Timeout of a call in milliseconds. After a timeout, the call's thread is terminated and replaced. */
const mostCallMs = 60_000;
const mostThreads = 4;
/**
 * Number of calls sent to a thread at a time. A thread gets its next call before it finishes the current call, so that
 * it is never idle.
 */
const callsPerThread = 2;

type Question = SearchCall extends infer Call ? (Call extends { id: number } ? Omit<Call, "id"> : never) : never;

interface Waiting {
  question: Question;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/**
 * A pool of threads that search embedded indexes. Threads start on demand, and idle threads do not keep the process
 * alive.
 */
export class SearchPool {
  private readonly threads: SearchThread[] = [];
  private readonly line: Waiting[] = [];
  private isClosed = false;

  constructor(private readonly most = Math.min(mostThreads, Math.max(1, availableParallelism() - 1))) {}

  /** Makes a call. Rejects with an Error if the index cannot be read, and with the signal's reason after an abort. */
  ask(question: Question, signal: AbortSignal): Promise<unknown> {
    if (signal.aborted) return Promise.reject(signal.reason);
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        question,
        resolve: (value) => settle(() => resolve(value)),
        reject: (error) => settle(() => reject(error)),
      };
      const onAbort = () => {
        const at = this.line.indexOf(waiting);
        if (at >= 0) this.line.splice(at, 1);
        waiting.reject(signal.reason);
      };
      const settle = (how: () => void) => {
        signal.removeEventListener("abort", onAbort);
        how();
      };
      signal.addEventListener("abort", onAbort, { once: true });
      this.line.push(waiting);
      this.serve();
    });
  }

  async close(): Promise<void> {
    this.isClosed = true;
    for (const { reject } of this.line.splice(0)) reject(new Error("a closed search pool"));
    await Promise.all(this.threads.splice(0).map((thread) => thread.end(new Error("a closed search pool"))));
  }

  private serve(): void {
    while (this.line.length > 0 && !this.isClosed) {
      const free = this.freest();
      if (!free) return;
      free.take(this.line.shift() as Waiting);
    }
  }

  private freest(): SearchThread | undefined {
    const [first] = [...this.threads].sort((a, b) => a.load - b.load);
    if (first?.load === 0) return first;
    if (this.threads.length < this.most) {
      const thread = new SearchThread(
        () => this.serve(),
        (left) => this.drop(thread, left),
      );
      this.threads.push(thread);
      return thread;
    }
    return first && first.load < callsPerThread ? first : undefined;
  }

  /**
   * Removes a dead thread. @param left calls that it had not started; another thread performs them before the queued
   * calls
   */
  private drop(thread: SearchThread, left: readonly Waiting[]): void {
    const at = this.threads.indexOf(thread);
    if (at >= 0) this.threads.splice(at, 1);
    this.line.unshift(...left);
    this.serve();
  }
}

class SearchThread {
  private readonly worker = new Worker(new URL("./search-thread.js", import.meta.url));
  /** Calls in the order in which they were sent. The first call is in progress. */
  private readonly calls = new Map<number, Waiting>();
  private timer: NodeJS.Timeout | undefined;
  private nextId = 0;
  private isGone = false;

  constructor(
    private readonly onFree: () => void,
    private readonly onGone: (left: readonly Waiting[]) => void,
  ) {
    this.worker.unref();
    this.worker.on("message", (answer: SearchAnswer) => this.settle(answer));
    this.worker.once("error", (error: Error) => this.fail(error));
    this.worker.once("exit", (code) => this.fail(new Error(`the exit of a search thread with code ${code}`)));
  }

  get load(): number {
    return this.calls.size;
  }

  take(waiting: Waiting): void {
    const id = this.nextId++;
    this.calls.set(id, waiting);
    if (this.calls.size === 1) this.watch();
    this.worker.ref();
    this.worker.postMessage({ id, ...waiting.question } satisfies SearchCall);
  }

  async end(error: Error): Promise<void> {
    this.isGone = true;
    clearTimeout(this.timer);
    for (const { reject } of this.calls.values()) reject(error);
    this.calls.clear();
    await this.worker.terminate();
  }

  private settle(answer: SearchAnswer): void {
    const call = this.calls.get(answer.id);
    if (!call) return;
    this.calls.delete(answer.id);
    this.watch();
    if (this.calls.size === 0) this.worker.unref();
    if ("error" in answer) call.reject(new Error(answer.error));
    else call.resolve(answer.value);
    this.onFree();
  }

  /** Restarts the timeout for the call in progress. */
  private watch(): void {
    clearTimeout(this.timer);
    if (this.calls.size === 0) return;
    const late = () => this.fail(new Error(`no reply within ${mostCallMs} ms`));
    this.timer = setTimeout(late, mostCallMs).unref();
  }

  /** Rejects the call in progress, and passes the other calls to another thread. */
  private fail(error: Error): void {
    if (this.isGone) return;
    const [culprit, ...left] = this.calls.values();
    this.calls.clear();
    void this.end(error);
    culprit?.reject(error);
    this.onGone(left);
  }
}
