import type { Registry } from "../../envs/registry.js";
import type { Config } from "../config.js";
import type { GymError } from "../errors.js";
import type { Log } from "../log/log.js";
import { ending } from "./async/loop.js";
import type { Host } from "./host.js";
import { ProcessHost, type ProcessHostListener } from "./process/process-host.js";
import { noHost, ProcessHosts } from "./process/process-hosts.js";
import type { OpenRequest, VerifyRequest } from "./protocol.js";
import { Restarts } from "./restarts.js";
import type { Slot, SlotListener } from "./slot.js";
import { WorkerHost, type WorkerHostListener, type WorkerHostOptions } from "./thread/worker-host.js";

export interface HostPoolOptions extends WorkerHostOptions {
  registry: Registry;
  sandboxes: Config["sandboxes"];
  /** Number of worker threads. */
  count: number;
  /** Called when a thread or process ends before the pool is closed. */
  onHostLost(cause: string): void;
  /** Called for errors that an environment threw outside of any call. */
  onStray(detail: string): void;
  /** Called when an instance ends because its infrastructure failed. */
  onInstanceLost(environment: string, error: GymError): void;
}

const watchIntervalMs = 50;

/**
 * A fixed number of worker threads, and one process for all async environments. A new slot goes to the thread with the
 * fewest slots. A thread that ends is replaced at once. While replacements end before they are ready, the delay before each
 * replacement grows.
 */
export class HostPool {
  private readonly hosts = new Set<WorkerHost>();
  private readonly restarts = new Restarts();
  private readonly processes = new ProcessHosts(() => this.startProcess());
  private readonly watch: NodeJS.Timeout;
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

  /** @throws {GymError} HOST_FAILED while no thread runs, SERVER_DRAINING, LOG_FAILED once the log is lost */
  open(request: OpenRequest, listener: SlotListener): Slot {
    return this.hostFor(request.environment).open(request, listener);
  }

  /** Scores answers. `onAnswered` receives the verdicts. @throws {GymError} the same errors as `open` */
  verify(request: VerifyRequest, listener: SlotListener): Slot {
    return this.hostFor(request.environment).verify(request, listener);
  }

  /**
   * Aborts calls of async environments that still run after 5 seconds. Calls in threads need no abort, because their
   * deadline is short.
   */
  drain(): void {
    this.processes.drain();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.watch);
    await Promise.all([...this.hosts, this.processes].map((host) => host.stop()));
  }

  private hostFor(environment: string): Host {
    if (this.closed) throw ending();
    // If the log was lost, no result would ever arrive.
    this.log.check();
    if (this.options.registry.get(environment).isAsync) return this.processes.host;
    let emptiest: WorkerHost | null = null;
    for (const host of this.hosts) if (!emptiest || host.load < emptiest.load) emptiest = host;
    if (!emptiest) throw noHost();
    return emptiest;
  }

  private watchHosts(): void {
    for (const host of this.hosts) host.watch(watchIntervalMs);
    this.processes.watch(watchIntervalMs);
    const stuck = [...this.hosts].filter((host) => host.stuck);
    // Memory is measured for the whole process. If two calls run long, only the deadlines can show which call is to blame.
    if (stuck.length === 1) stuck[0]?.watchMemory();
  }

  private start(): void {
    const listener: WorkerHostListener = {
      onExit: (host, cause) => this.onExit(host, cause),
      onStray: this.options.onStray,
      bytesElsewhere: (host) => this.bytesElsewhere(host),
    };
    this.hosts.add(new WorkerHost(this.options, this.log, listener));
  }

  private bytesElsewhere(host: WorkerHost): number {
    const { heapTotal, external } = process.memoryUsage();
    let bytes = heapTotal + external;
    for (const other of this.hosts) if (other !== host) bytes += other.usedMb * 2 ** 20;
    return bytes;
  }

  private onExit(host: WorkerHost, cause: string): void {
    this.hosts.delete(host);
    if (this.closed) return;
    this.options.onHostLost(cause);
    const delay = this.restarts.delayAfter(host);
    if (delay === 0) return this.start();
    setTimeout(() => {
      if (!this.closed) this.start();
    }, delay).unref();
  }

  private startProcess(): ProcessHost {
    const { environmentModules, sandboxes, stepDeadlineMs, limits, onStray, onInstanceLost } = this.options;
    const listener: ProcessHostListener = {
      onExit: (host, cause) => this.onProcessExit(host, cause),
      onStray,
      onInstanceLost,
    };
    return new ProcessHost({ environmentModules, sandboxes, stepDeadlineMs, limits }, this.log, listener);
  }

  private onProcessExit(host: ProcessHost, cause: string): void {
    this.processes.onExit(host);
    if (!this.closed) this.options.onHostLost(cause);
  }
}
