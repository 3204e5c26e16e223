import type { AnyEnvironmentSpec } from "../../envs/env.js";
import type { Registry } from "../../envs/registry.js";
import { usualVariables } from "../../sandboxes/usual-variables.js";
import type { Config } from "../config/config.js";
import type { HostTimes } from "../config/times.js";
import type { GymError } from "../errors.js";
import type { Log } from "../log/log.js";
import { ending } from "./async/loop.js";
import type { Host } from "./host.js";
import { GymPermits, type SandboxCount } from "./permits.js";
import { AsyncProcessHost } from "./process/async-process-host.js";
import type { ProcessHost, ProcessHostListener } from "./process/process-host.js";
import { noHost, ProcessHosts } from "./process/process-hosts.js";
import type { ProcessSetup } from "./process/process-protocol.js";
import { SyncProcessHost } from "./process/sync-process-host.js";
import type { HostLimits, OpenRequest, VerifyRequest } from "./protocol.js";
import { Restarts } from "./restarts.js";
import { type SandboxKind, untilGone } from "./sandbox-kinds.js";
import type { Slot, SlotListener } from "./slot.js";
import type { IntrinsicChecks } from "./sync/sync-loop.js";
import { WorkerHost, type WorkerHostListener } from "./thread/worker-host.js";
import { callLimits } from "./thread-clock.js";

export interface HostPoolOptions {
  registry: Registry;
  limits: HostLimits;
  /** Limit in milliseconds on a call of an environment: processor time of a synchronous one, time of an async one. */
  stepDeadlineMs: number;
  sandboxes: Config["sandboxes"];
  /** Number of worker threads. */
  count: number;
  /** Where the synchronous environments of added modules run. */
  isolation: Config["hosts"]["isolation"];
  /** Names of environment variables that the processes of added modules get beyond the usual ones. */
  passVariables: readonly string[];
  times: HostTimes;
  /** Called when a thread or process ends before the pool is closed. */
  onHostLost(cause: string): void;
  /** Called for errors that an environment threw outside of any call. */
  onStray(detail: string): void;
  /** Called again and again while requests of a process wait for a sandbox of the kind, see `HostPool.processOf`. */
  onWaiting(process: string, kind: SandboxKind, requests: number): void;
  /** Called when an instance ends because its infrastructure failed. */
  onInstanceLost(environment: string, error: GymError): void;
}

const watchIntervalMs = 50;

/**
 * The hosts of a gym: a fixed number of worker threads for the built-in synchronous environments, one process for each group
 * of async environments, and one process for each added module. A process starts when it is first needed. A new slot of a synchronous environment goes to the
 * thread with the fewest slots. A thread that ends is replaced at once. While replacements end before they are ready, the
 * delay before each replacement grows.
 */
export class HostPool {
  private readonly hosts = new Set<WorkerHost>();
  private readonly restarts = new Restarts();
  private lostThreads = 0;
  /** Processes by the path of their module, or by the name of their group. */
  private readonly processes = new Map<string, ProcessHosts>();
  private readonly permits: GymPermits;
  private readonly watch: NodeJS.Timeout;
  private closed = false;

  constructor(
    private readonly options: HostPoolOptions,
    private readonly log: Log,
  ) {
    const { sandboxes } = options;
    this.permits = new GymPermits(sandboxes, (kind, pid) => untilGone(kind, pid, sandboxes));
    for (let i = 0; i < options.count; i++) this.start();
    this.watch = setInterval(() => this.watchHosts(), watchIntervalMs);
    this.watch.unref();
  }

  get readyCount(): number {
    return [...this.hosts].filter((host) => host.ready).length;
  }

  /** Number of sandboxes of each kind in all processes. */
  get sandboxCounts(): Record<SandboxKind, SandboxCount> {
    return this.permits.counts();
  }

  /** Whether a process has a sandbox of the kind. @param process see `processOf` */
  holdsSandbox(process: string | null, kind: SandboxKind): boolean {
    return process !== null && (this.processes.get(process)?.holdsSandbox(kind) ?? false);
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
   * Aborts calls of async environments that still run after a while. Calls in threads need no abort, because their
   * deadline is short.
   */
  drain(): void {
    for (const hosts of this.processes.values()) hosts.drain();
  }

  async close(): Promise<void> {
    this.closed = true;
    clearInterval(this.watch);
    await Promise.all([...this.hosts, ...this.processes.values()].map((host) => host.stop()));
  }

  /** Returns the key of the process that runs an environment, or null if threads run it. */
  processOf(spec: AnyEnvironmentSpec): string | null {
    const { registry, isolation } = this.options;
    const module = registry.moduleOf(spec);
    if (spec.isAsync) return module ?? registry.groupOf(spec);
    return isolation === "process" ? (module ?? null) : null;
  }

  private hostFor(environment: string): Host {
    if (this.closed) throw ending();
    // If the log was lost, no result would ever arrive.
    this.log.check();
    const spec = this.options.registry.get(environment);
    const process = this.processOf(spec);
    if (process !== null) return this.processesOf(process, spec).host;
    let emptiest: WorkerHost | null = null;
    for (const host of this.hosts) if (!emptiest || host.load < emptiest.load) emptiest = host;
    if (!emptiest) throw noHost();
    return emptiest;
  }

  private watchHosts(): void {
    for (const host of this.hosts) host.watch(watchIntervalMs);
    for (const hosts of this.processes.values()) hosts.watch(watchIntervalMs);
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
    const { isolation, registry, limits, stepDeadlineMs, times } = this.options;
    const environmentModules = isolation === "thread" ? registry.modules : [];
    const checks = environmentModules.length === 0 ? "never" : checksAfter(this.lostThreads);
    const options = { environmentModules, limits, checks, callLimits: callLimits(stepDeadlineMs, times) };
    this.hosts.add(new WorkerHost(options, this.log, listener));
  }

  private bytesElsewhere(host: WorkerHost): number {
    const { heapTotal, external } = process.memoryUsage();
    let bytes = heapTotal + external;
    for (const other of this.hosts) if (other !== host) bytes += other.usedMb * 2 ** 20;
    return bytes;
  }

  private onExit(host: WorkerHost, cause: string): void {
    this.hosts.delete(host);
    this.lostThreads += 1;
    if (this.closed) return;
    this.options.onHostLost(cause);
    const delay = this.restarts.delayAfter(host);
    if (delay === 0) return this.start();
    setTimeout(() => {
      if (!this.closed) this.start();
    }, delay).unref();
  }

  private processesOf(key: string, spec: AnyEnvironmentSpec): ProcessHosts {
    let hosts = this.processes.get(key);
    if (!hosts) {
      const isAsync = spec.isAsync === true;
      const module = this.options.registry.moduleOf(spec);
      // The processes of groups are many, and a spare of each would double their memory.
      const hasSpare = isAsync && module !== undefined;
      hosts = new ProcessHosts((losses) => this.startProcess(key, module, isAsync, losses), hasSpare);
      this.processes.set(key, hosts);
    }
    return hosts;
  }

  private startProcess(key: string, module: string | undefined, isAsync: boolean, losses: number): ProcessHost {
    const { registry, sandboxes, stepDeadlineMs, limits, times, onStray, onInstanceLost, passVariables } = this.options;
    const setup: ProcessSetup = {
      environmentModules: module === undefined ? registry.definitionsOf(key) : [module],
      group: module === undefined ? key : null,
      sandboxes,
      stepDeadlineMs,
      limits,
      times,
      checks: checksAfter(losses),
    };
    const environment = module === undefined ? process.env : usualVariables(passVariables);
    const listener: ProcessHostListener = {
      onExit: (host, cause) => this.onProcessExit(key, host, cause),
      onWaiting: (kind, requests) => this.options.onWaiting(key, kind, requests),
      onStray,
      onInstanceLost,
    };
    const launch = { name: key, environment };
    return isAsync
      ? new AsyncProcessHost(launch, setup, this.log, listener, this.permits)
      : new SyncProcessHost(launch, setup, this.log, listener);
  }

  private onProcessExit(key: string, host: ProcessHost, cause: string): void {
    this.processes.get(key)?.onExit(host);
    if (!this.closed) this.options.onHostLost(cause);
  }
}

/** Once a host of added modules was lost, its successors tell precisely which slot changes shared objects. */
function checksAfter(losses: number): IntrinsicChecks {
  return losses === 0 ? "message" : "call";
}
