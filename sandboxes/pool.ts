/**
 * Lends sandboxes that are expensive to start. The number of sandboxes is limited, and the caller that has waited
 * longest is served first. After its return, a sandbox is kept for a while for the next caller.
 */
import { providerClosed, sandboxClosed } from "./closed.js";
import type { Permits } from "./permits.js";
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
  /** Permits of the sandboxes, lent and unused ones, which limit their number. */
  permits: Permits;
  /** Milliseconds that an unused sandbox is kept. */
  warmMs: number;
  /** Longest time in milliseconds that a request waits for a sandbox. */
  waitMs: number;
}

/** A permit, with the used sandbox that it belongs to, if there is one. */
interface Place {
  sandbox?: Service;
  leave(): void;
}

interface Waiter {
  /** Key of the sandboxes that can serve the request. */
  key: string | undefined;
  /** Place of a used sandbox that was given to the request while it waited for a permit. */
  place?: Place;
  /** Ends the wait for a permit. */
  stop: AbortController;
}

interface Kept extends Required<Place> {
  key: string;
  forget(): void;
}

export class Pool<Request> implements SandboxProvider<Request> {
  /** Requests that wait for a permit, ordered from the longest to the shortest wait. */
  private readonly waiters: Waiter[] = [];
  /** Unused sandboxes, ordered from the longest to the shortest time without use. */
  private readonly kept: Kept[] = [];
  private readonly ending = new Set<Promise<void>>();
  private isClosed = false;

  constructor(
    private readonly provider: ReusingProvider<Request>,
    private readonly options: PoolOptions,
  ) {
    options.permits.onWaiting(() => this.share());
  }

  /** Number of requests that wait until a sandbox is given back. */
  get waitingCount(): number {
    return this.waiters.length;
  }

  async open(request: Request, signal?: AbortSignal): Promise<Service> {
    signal?.throwIfAborted();
    if (this.isClosed) throw providerClosed();
    const key = this.provider.keyOf(request);
    const place = this.takeKept(key) ?? (await this.wait(key, signal));
    return this.lend(request, place, signal);
  }

  /** Closes the pool and its provider. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const { stop } of this.waiters) stop.abort(providerClosed());
    for (const kept of this.kept.splice(0)) this.end(kept);
    await this.provider.close();
    await Promise.all(this.ending);
  }

  /** Waits for a permit, or for a used sandbox with the key. */
  private async wait(key: string | undefined, signal: AbortSignal | undefined): Promise<Place> {
    const { permits, waitMs } = this.options;
    const stop = new AbortController();
    const waiter: Waiter = { key, stop };
    const abort = () => stop.abort(signal?.reason);
    const full = () =>
      SandboxError.ofState(
        "FULL",
        `All ${permits.most} sandboxes are in use, and none became free within ${waitMs} ms.`,
      );
    signal?.addEventListener("abort", abort);
    this.waiters.push(waiter);
    try {
      const leave = await permits.take({ waitMs, full, signal: stop.signal });
      if (!waiter.place) return { leave };
      leave();
    } catch (error) {
      if (!waiter.place) throw error;
    } finally {
      signal?.removeEventListener("abort", abort);
      if (!waiter.place) this.waiters.splice(this.waiters.indexOf(waiter), 1);
      this.share();
    }
    return waiter.place;
  }

  /** Number of requests that wait outside of this pool. */
  private get waitingElsewhere(): number {
    return this.options.permits.waitingCount - this.waiters.length;
  }

  /** Gives the unused sandboxes to requests that wait for one, or ends them to free their permits. */
  private share(): void {
    while (this.waitingElsewhere <= 0 && this.serve(this.waiters[0]));
    const { permits } = this.options;
    for (; this.ending.size < permits.waitingCount && this.kept.length > 0; ) this.end(this.kept.shift() as Kept);
    for (const waiter of [...this.waiters]) this.serve(waiter);
  }

  /** Gives an unused sandbox to the waiter. Returns false if there is none with its key. */
  private serve(waiter: Waiter | undefined): boolean {
    const place = waiter && this.takeKept(waiter.key);
    if (!place) return false;
    this.waiters.splice(this.waiters.indexOf(waiter), 1);
    waiter.place = place;
    waiter.stop.abort();
    return true;
  }

  private takeKept(key: string | undefined): Place | undefined {
    const at = this.kept.findLastIndex((kept) => kept.key === key);
    if (at === -1) return undefined;
    const [{ sandbox, leave, forget }] = this.kept.splice(at, 1) as [Kept];
    forget();
    return { sandbox, leave };
  }

  private async lend(request: Request, place: Place, signal: AbortSignal | undefined): Promise<Service> {
    const { leave } = place;
    let sandbox: Service | undefined;
    try {
      sandbox = (await this.checked(place.sandbox, request)) ?? (await this.provider.open(request, signal));
    } finally {
      if (!sandbox) leave();
    }
    const lent = { sandbox, leave };
    const lease = new Lease(sandbox, ({ isSpoilt }) =>
      this.takeBack(lent, isSpoilt ? undefined : this.provider.keyOf(request)),
    );
    if (!signal?.aborted) return lease;
    await lease.close();
    throw signal.reason;
  }

  private async checked(sandbox: Service | undefined, request: Request): Promise<Service | undefined> {
    if (!sandbox) return undefined;
    try {
      await this.provider.check(sandbox, request);
      return sandbox;
    } catch {
      await sandbox.close();
      return undefined;
    }
  }

  /** @param key key of the requests that can use the sandbox next, or undefined to close the sandbox */
  private async takeBack({ sandbox, leave }: Required<Place>, key: string | undefined): Promise<void> {
    if (key === undefined || sandbox.lost.aborted || this.isClosed) {
      await sandbox.close();
      return leave();
    }
    this.keep({ sandbox, leave }, key);
    this.share();
  }

  private keep({ sandbox, leave }: Required<Place>, key: string): void {
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
    const kept = { sandbox, leave, key, forget };
    this.kept.push(kept);
  }

  private end({ sandbox, leave, forget }: Kept): void {
    forget();
    const ending = sandbox.close().then(() => {
      this.ending.delete(ending);
      leave();
    });
    this.ending.add(ending);
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
