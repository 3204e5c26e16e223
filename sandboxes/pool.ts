/**
 * Lends sandboxes that are expensive to start. The number of sandboxes is limited, and the caller that has waited
 * longest is served first. After its return, a sandbox is kept for a while for the next caller.
 */
import { providerClosed, sandboxClosed } from "./closed.js";
import { type Address, SandboxError, type SandboxProvider, type Service } from "./sandbox.js";

/** Provider whose sandboxes can serve several borrowers, one after the other. */
export interface ReusingProvider<Request> extends SandboxProvider<Request> {
  /**
   * Returns a key that is equal for requests that can share a sandbox, or undefined if the request needs a new sandbox.
   */
  keyOf(request: Request): string | undefined;
  /** Rejects if a used sandbox cannot serve the request. */
  check(sandbox: Service, request: Request): Promise<void>;
}

export interface PoolOptions {
  /** Largest number of sandboxes at once, counting lent and unused sandboxes. */
  most: number;
  /** Milliseconds that an unused sandbox is kept. */
  warmMs: number;
  /** Longest time in milliseconds that a request waits for a sandbox. */
  waitMs: number;
}

interface Waiter<Request> {
  request: Request;
  signal: AbortSignal | undefined;
  serve(sandbox: Promise<Service>): void;
  fail(error: unknown): void;
  /** Removes the waiter's timer and listener. */
  stop(): void;
}

interface Kept {
  sandbox: Service;
  key: string;
  forget(): void;
}

export class Pool<Request> implements SandboxProvider<Request> {
  private readonly waiting: Waiter<Request>[] = [];
  /** Unused sandboxes, ordered from the longest to the shortest time without use. */
  private readonly kept: Kept[] = [];
  private readonly ending = new Set<Promise<void>>();
  private isClosed = false;
  private taken = 0;

  constructor(
    private readonly provider: ReusingProvider<Request>,
    private readonly options: PoolOptions,
  ) {}

  /** Number of requests that wait until a sandbox is given back. */
  get waitingCount(): number {
    return this.waiting.length;
  }

  async open(request: Request, signal?: AbortSignal): Promise<Service> {
    signal?.throwIfAborted();
    if (this.isClosed) throw providerClosed();
    return new Promise((resolve, reject) => {
      const waiter: Waiter<Request> = { request, signal, serve: resolve, fail: reject, stop };
      const abort = () => this.turnAway(waiter, signal?.reason);
      const timer = setTimeout(() => this.turnAway(waiter, this.full()), this.options.waitMs);
      function stop() {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      }
      signal?.addEventListener("abort", abort);
      this.waiting.push(waiter);
      this.serveNext();
    });
  }

  /** Closes the pool and its provider. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const waiter of [...this.waiting]) this.turnAway(waiter, providerClosed());
    for (const kept of this.kept.splice(0)) this.end(kept);
    await this.provider.close();
    await Promise.all(this.ending);
  }

  private full(): SandboxError {
    const { most, waitMs } = this.options;
    return SandboxError.ofState("FULL", `All ${most} sandboxes are in use, and none became free within ${waitMs} ms.`);
  }

  private turnAway(waiter: Waiter<Request>, error: unknown): void {
    this.waiting.splice(this.waiting.indexOf(waiter), 1);
    waiter.stop();
    waiter.fail(error);
  }

  private serveNext(): void {
    const [first] = this.waiting;
    if (!first) return;
    const kept = this.kept.findLast(({ key }) => key === this.provider.keyOf(first.request));
    if (!kept && this.taken === this.options.most) {
      // An unused sandbox with another key is closed to free a place. The end of that sandbox calls `serveNext` again.
      const [oldest] = this.ending.size === 0 ? this.kept.splice(0, 1) : [];
      if (oldest) this.end(oldest);
      return;
    }
    this.waiting.shift();
    if (kept) this.kept.splice(this.kept.indexOf(kept), 1);
    else this.taken += 1;
    first.stop();
    first.serve(this.lend(first, kept));
    this.serveNext();
  }

  private async lend({ request, signal }: Waiter<Request>, kept: Kept | undefined): Promise<Service> {
    let sandbox: Service | undefined;
    try {
      sandbox = (kept && (await this.checked(kept, request))) ?? (await this.provider.open(request, signal));
    } finally {
      if (!sandbox) this.free();
    }
    const lent = sandbox;
    const lease = new Lease(lent, ({ isSpoilt }) =>
      this.takeBack(lent, isSpoilt ? undefined : this.provider.keyOf(request)),
    );
    if (!signal?.aborted) return lease;
    await lease.close();
    throw signal.reason;
  }

  private async checked({ sandbox, forget }: Kept, request: Request): Promise<Service | undefined> {
    forget();
    try {
      await this.provider.check(sandbox, request);
      return sandbox;
    } catch {
      await sandbox.close();
      return undefined;
    }
  }

  /** @param key key of the requests that can use the sandbox next, or undefined to close the sandbox */
  private async takeBack(sandbox: Service, key: string | undefined): Promise<void> {
    if (key === undefined || sandbox.lost.aborted || this.isClosed) {
      await sandbox.close();
      return this.free();
    }
    this.keep(sandbox, key);
    this.serveNext();
  }

  private keep(sandbox: Service, key: string): void {
    const end = () => {
      this.kept.splice(this.kept.indexOf(kept), 1);
      this.end(kept);
    };
    const timer = setTimeout(end, this.options.warmMs);
    timer.unref();
    sandbox.lost.addEventListener("abort", end);
    const forget = () => {
      clearTimeout(timer);
      sandbox.lost.removeEventListener("abort", end);
    };
    const kept = { sandbox, key, forget };
    this.kept.push(kept);
  }

  private end({ sandbox, forget }: Kept): void {
    forget();
    const ending = sandbox.close().then(() => {
      this.ending.delete(ending);
      this.free();
    });
    this.ending.add(ending);
  }

  private free(): void {
    this.taken -= 1;
    this.serveNext();
  }
}

/** A lent sandbox. `close` returns the sandbox to the pool. */
class Lease implements Service {
  private readonly losing = new AbortController();
  private closing: Promise<void> | undefined;
  private readonly lose = () => this.losing.abort(this.sandbox.lost.reason);

  constructor(
    private readonly sandbox: Service,
    private readonly giveBack: (options: { isSpoilt?: boolean }) => Promise<void>,
  ) {
    if (sandbox.lost.aborted) this.lose();
    else sandbox.lost.addEventListener("abort", this.lose);
  }

  get id(): string {
    return this.sandbox.id;
  }

  /** Signal of this lease alone. It does not abort after `close`, even if the sandbox is lost during the next lease. */
  get lost(): AbortSignal {
    return this.losing.signal;
  }

  async readFile(path: string, options?: { maxBytes?: number; user?: string }): Promise<Uint8Array> {
    return this.held().readFile(path, options);
  }

  async writeFile(path: string, data: Uint8Array, options?: { user?: string }): Promise<void> {
    await this.held().writeFile(path, data, options);
  }

  async openPort(port?: number): Promise<Address> {
    return this.held().openPort(port);
  }

  close(options: { isSpoilt?: boolean } = {}): Promise<void> {
    this.sandbox.lost.removeEventListener("abort", this.lose);
    this.closing ??= this.giveBack(options);
    return this.closing;
  }

  private held(): Service {
    if (!this.closing) return this.sandbox;
    throw sandboxClosed(this.id);
  }
}
