import { type MessagePort, Worker } from "node:worker_threads";
import type { Log } from "../../log/log.js";
import { CallWatch } from "../call-watch.js";
import { Host } from "../host.js";
import { type CommandMessage, type HostLimits, type HostNotice, outOfMemoryExit } from "../protocol.js";
import { Pulse } from "../pulse.js";
import type { Blame } from "../slot.js";
import type { IntrinsicChecks } from "../sync/sync-loop.js";
import { type CallLimits, excessOf, statOf, ThreadClock } from "../thread-clock.js";

export interface WorkerHostOptions {
  environmentModules: readonly string[];
  limits: HostLimits;
  checks: IntrinsicChecks;
  /** Limits on a call of an environment. A call that exceeds them ends the host. */
  callLimits: CallLimits;
}

/** Data that a host thread receives at its start. */
export interface HostData {
  pulse: SharedArrayBuffer;
  /** Port to the log thread. */
  log: MessagePort;
  environmentModules: readonly string[];
  limits: HostLimits;
  checks: IntrinsicChecks;
}

/** Number of threads that were terminated but still run, in a system call that does not return. */
export const unendedThreads = { count: 0 };

/** Milliseconds to wait for a terminated thread. An ordinary thread ends within a few milliseconds. */
const mostTerminatingMs = 200;

export interface WorkerHostListener {
  /** Returns the bytes that the main thread and the other hosts use. */
  bytesElsewhere(host: WorkerHost): number;
  /** Called once when the thread has ended, before its slots are informed. */
  onExit(host: WorkerHost, cause: string): void;
  /** Called when an environment threw outside of any call. */
  onStray(detail: string): void;
}

/** Represents one worker thread on the main thread. */
export class WorkerHost extends Host {
  private readonly worker: Worker;
  private readonly ended: Promise<void>;
  private onEnded!: (told: Promise<void>) => void;
  private readonly pulse = new Pulse();
  private readonly callWatch: CallWatch;
  private exited = false;
  private stopped = false;
  private condemned: Blame | null = null;

  /** Whether the thread has loaded its environments. */
  ready = false;

  constructor(
    private readonly options: WorkerHostOptions,
    log: Log,
    private readonly listener: WorkerHostListener,
  ) {
    super(log);
    const clock = new ThreadClock(() => (this.pulse.thread === 0 ? null : statOf("self", this.pulse.thread)));
    this.callWatch = new CallWatch(this.pulse, clock, () => listener.bytesElsewhere(this));
    const workerData: HostData = {
      pulse: this.pulse.buffer,
      log: this.port,
      environmentModules: options.environmentModules,
      limits: options.limits,
      checks: options.checks,
    };
    this.worker = new Worker(new URL("./host-thread.js", import.meta.url), {
      workerData,
      transferList: [this.port],
      resourceLimits: { maxOldGenerationSizeMb: options.limits.memoryMb },
    });
    this.worker.on("message", (notice: HostNotice) => this.onNotice(notice));
    this.worker.on("error", (error: NodeJS.ErrnoException) => this.onError(error));
    this.ended = new Promise((resolve) => {
      this.onEnded = resolve;
    });
    this.worker.on("exit", (code) => this.end(code));
  }

  /** Memory in use after the last call, in MiB. */
  get usedMb(): number {
    return this.pulse.usedMb;
  }

  /** Called every `elapsedMs`. Ends the thread when a call of an environment exceeds its limits. */
  watch(elapsedMs: number): void {
    // The thread reads no messages until it has loaded its environments.
    if (!this.ready) return;
    const excess = excessOf(this.callWatch.look(elapsedMs, this.outbox.posted), this.options.callLimits);
    if (excess !== null) {
      const { detail, uncertain } = excess;
      this.condemn({ code: "ENVIRONMENT_HUNG", detail: `the call ${detail} and was ended`, uncertain });
    }
  }

  /** Whether the same call was running at the last two calls of `watch`. */
  get stuck(): boolean {
    return this.callWatch.stuck;
  }

  /**
   * Ends the thread when the process has grown by a host's memory limit during the running call. V8 does not limit
   * array buffers, which are outside its heap, and the thread checks them only between calls.
   */
  watchMemory(): void {
    if (this.callWatch.grownBytes > this.options.limits.memoryMb * 2 ** 20) this.condemn(this.outOfMemory());
  }

  /** Ends the thread without blaming a slot. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.terminate();
    await this.ended;
  }

  protected post(message: CommandMessage): void {
    if (!this.exited) this.worker.postMessage(message);
  }

  protected onTaken(characters: number): void {
    this.pulse.taken(characters);
  }

  private onNotice(notice: HostNotice): void {
    if (notice.type === "ready") this.ready = true;
    else if (notice.type === "stray") this.listener.onStray(notice.detail);
    else this.condemned = { code: "ENVIRONMENT_THREW", detail: `it broke its host: ${notice.detail}` };
  }

  private condemn(cause: Blame): void {
    if (this.condemned) return;
    this.condemned = cause;
    this.terminate();
  }

  /**
   * Terminates the thread. A thread in a system call ends only when the call returns, so the host stops waiting for the
   * thread after 200 ms.
   */
  private terminate(): void {
    void this.worker.terminate();
    setTimeout(() => {
      if (this.exited) return;
      unendedThreads.count += 1;
      this.worker.once("exit", () => {
        unendedThreads.count -= 1;
      });
      this.end(1);
    }, mostTerminatingMs).unref();
  }

  private onError(error: NodeJS.ErrnoException): void {
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") this.condemned = this.runOut();
    else if (!this.condemned)
      this.condemned = { code: "ENVIRONMENT_THREW", detail: `outside of a call: ${error.message}` };
  }

  private outOfMemory(): Blame {
    const detail = `the call brought its host over ${this.options.limits.memoryMb} MiB`;
    return { code: "ENVIRONMENT_OUT_OF_MEMORY", detail };
  }

  /** Blames the running call. If most of the memory was already in use before the call, the call is only suspected. */
  private runOut(): Blame {
    return { ...this.outOfMemory(), uncertain: this.pulse.usedMb > this.options.limits.memoryMb / 2 };
  }

  private end(exitCode: number): void {
    if (this.exited) return;
    this.exited = true;
    this.onEnded(this.tellSlots(exitCode));
  }

  /**
   * Informs the slots that the thread has ended. The slot whose environment was running is to blame, and all other
   * slots are lost.
   */
  private async tellSlots(exitCode: number): Promise<void> {
    if (exitCode === outOfMemoryExit) this.condemned = this.runOut();
    const cause = this.condemned ?? { code: "ENVIRONMENT_THREW", detail: `the thread exited with ${exitCode}` };
    const guilty = this.pulse.running && !this.stopped ? this.pulse.slot : null;
    const ofOthers = guilty === null && !this.stopped ? "unknown" : "none";
    this.listener.onExit(this, cause.detail);
    // Steps that were reported before the thread ended are in the log.
    await this.detach();
    for (const { number, listener } of this.takeSlots()) {
      if (number !== guilty) listener.onLost(ofOthers);
      else if (cause.uncertain) listener.onLost(cause);
      else listener.onFailed(cause.code, cause.detail);
    }
  }
}
