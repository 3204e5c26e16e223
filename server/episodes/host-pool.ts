import { GymError } from "../errors.js";
import { Host, type HostListener, type HostOptions } from "./host.js";
import type { Log } from "./log.js";
import type { OpenRequest, Slot, SlotListener } from "./slot.js";

export interface HostPoolOptions extends HostOptions {
  /** Worker threads. */
  count: number;
  /** Told of every thread that ended before the pool was closed. */
  onHostLost(cause: string): void;
  /** Told of errors in a thread that no call of an environment led to. */
  onStray(detail: string): void;
}

const watchIntervalMs = 50;
const firstRestartDelayMs = 50;
const longestRestartDelayMs = 5_000;

/**
 * A fixed number of hosts. A new slot goes to the host with the fewest; a host that ends is replaced at once, and at
 * growing intervals while replacements end before they are ready.
 */
export class HostPool {
  private readonly hosts = new Set<Host>();
  private readonly watch: NodeJS.Timeout;
  private failedStarts = 0;
  private closed = false;

  constructor(
    private readonly options: HostPoolOptions,
    private readonly log: Log,
  ) {
    for (let i = 0; i < options.count; i++) this.start();
    this.watch = setInterval(() => this.watchHosts(), watchIntervalMs);
    this.watch.unref();
  }

  get readyCount(): number {
    return [...this.hosts].filter((host) => host.ready).length;
  }

  /** @throws {GymError} HOST_FAILED while no thread runs, LOG_FAILED once the log is lost */
  open(request: OpenRequest, listener: SlotListener): Slot {
    // Results come by way of the log: no host would ever be heard of again.
    this.log.check();
    let emptiest: Host | null = null;
    for (const host of this.hosts) if (!emptiest || host.load < emptiest.load) emptiest = host;
    if (!emptiest) throw new GymError("HOST_FAILED", "a running host", "none: replacements end before they are ready");
    return emptiest.open(request, listener);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.watch);
    await Promise.all([...this.hosts].map((host) => host.stop()));
  }

  private watchHosts(): void {
    for (const host of this.hosts) host.watch(watchIntervalMs);
    const stuck = [...this.hosts].filter((host) => host.stuck);
    // Memory is told of the whole process: where two calls run long, only their deadline says whose fault it is.
    if (stuck.length === 1) stuck[0]?.watchMemory();
  }

  private start(): void {
    const listener: HostListener = {
      onExit: (host, cause) => this.onExit(host, cause),
      onStray: this.options.onStray,
      bytesElsewhere: (host) => this.bytesElsewhere(host),
    };
    this.hosts.add(new Host(this.options, this.log, listener));
  }

  private bytesElsewhere(host: Host): number {
    const { heapTotal, external } = process.memoryUsage();
    let bytes = heapTotal + external;
    for (const other of this.hosts) if (other !== host) bytes += other.usedMb * 2 ** 20;
    return bytes;
  }

  private onExit(host: Host, cause: string): void {
    this.hosts.delete(host);
    if (this.closed) return;
    this.options.onHostLost(cause);
    this.failedStarts = host.ready ? 0 : this.failedStarts + 1;
    if (this.failedStarts === 0) return this.start();
    const delay = Math.min(firstRestartDelayMs * 2 ** (this.failedStarts - 1), longestRestartDelayMs);
    setTimeout(() => {
      if (!this.closed) this.start();
    }, delay).unref();
  }
}
