import { Worker } from "node:worker_threads";
import type { Log } from "../../log/log.js";
import { Host } from "../host.js";
import { type HostData, type HostLimits, type HostNotice, type Message, outOfMemoryExit, Pulse } from "../protocol.js";
import type { Blame } from "../slot.js";
import { CallWatch } from "./call-watch.js";

export interface WorkerHostOptions {
  environmentModules: readonly string[];
  limits: HostLimits;
  /** A call of an environment that takes longer ends the host. */
  stepDeadlineMs: number;
}

/** Threads of this process that were ended and still run, in a call of the system that does not return. */
export const unendedThreads = { count: 0 };

/** An ordinary thread ends within a few milliseconds. */
const mostTerminatingMs = 200;

export interface WorkerHostListener {
  /** What the main thread and the other hosts hold. */
  bytesElsewhere(host: WorkerHost): number;
  /** Called once, when the thread has ended; its slots hear of it after that. */
  onExit(host: WorkerHost, cause: string): void;
  /** An environment threw outside of any call. */
  onStray(detail: string): void;
}

/** The main thread's end of one worker thread. */
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
    this.callWatch = new CallWatch(this.pulse, () => listener.bytesElsewhere(this));
    const workerData: HostData = {
      pulse: this.pulse.buffer,
      log: this.port,
      environmentModules: options.environmentModules,
      limits: options.limits,
    };
    this.worker = new Worker(new URL("./host-thread.js", import.meta.url), {
      workerData,
      transferList: [this.port],
      resourceLimits: { maxOldGenerationSizeMb: options.limits.memoryMb },
    });
    this.worker.on("message", (notice: HostNotice) => this.heed(notice));
    this.worker.on("error", (error: NodeJS.ErrnoException) => this.onError(error));
    this.ended = new Promise((resolve) => {
      this.onEnded = resolve;
    });
    this.worker.on("exit", (code) => this.end(code));
  }

  /** MiB in use after its last call. */
  get usedMb(): number {
    return this.pulse.usedMb;
  }

  /** Called every `elapsedMs`: ends the thread when the same call of an environment runs for longer than its deadline. */
  watch(elapsedMs: number): void {
    const { stepDeadlineMs } = this.options;
    // Until it is ready it reads no messages.
    if (!this.ready || this.callWatch.look(elapsedMs, this.outbox.posted) < stepDeadlineMs) return;
    this.condemn({ code: "ENVIRONMENT_HUNG", detail: `the call ran longer than ${stepDeadlineMs} ms and was ended` });
  }

  /** Whether a call that ran at the last `watch` runs still. */
  get stuck(): boolean {
    return this.callWatch.stuck;
  }

  /**
   * Ends the thread when the process has grown by the memory of a host since its call was first seen running: array
   * buffers live outside the heap that V8 watches, and the thread itself looks at them between calls only.
   */
  watchMemory(): void {
    if (this.callWatch.grownBytes > this.options.limits.memoryMb * 2 ** 20) this.condemn(this.outOfMemory());
  }

  /** Ends the thread by no fault of any slot. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.terminate();
    await this.ended;
  }

  protected post(message: Message): void {
    if (!this.exited) this.worker.postMessage(message);
  }

  protected onTaken(characters: number): void {
    this.pulse.taken(characters);
  }

  private heed(notice: HostNotice): void {
    if (notice.kind === "ready") this.ready = true;
    else if (notice.kind === "stray") this.listener.onStray(notice.detail);
    else this.condemned = { code: "ENVIRONMENT_THREW", detail: `it broke its host: ${notice.detail}` };
  }

  private condemn(cause: Blame): void {
    if (this.condemned) return;
    this.condemned = cause;
    this.terminate();
  }

  /** A thread in a call of the system does not end before that returns: it is left to itself, and nobody waits for it. */
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

  /** Where most of the memory was taken before the call began, all that the host holds may be what is too much. */
  private runOut(): Blame {
    return { ...this.outOfMemory(), uncertain: this.pulse.usedMb > this.options.limits.memoryMb / 2 };
  }

  private end(exitCode: number): void {
    if (this.exited) return;
    this.exited = true;
    this.onEnded(this.tellSlots(exitCode));
  }

  /** The thread is gone: the slot whose environment was running is guilty, all others are lost. */
  private async tellSlots(exitCode: number): Promise<void> {
    if (exitCode === outOfMemoryExit) this.condemned = this.runOut();
    const cause = this.condemned ?? { code: "ENVIRONMENT_THREW", detail: `the thread exited with ${exitCode}` };
    const guilty = this.pulse.running && !this.stopped ? this.pulse.slot : null;
    const ofOthers = guilty === null && !this.stopped ? "unknown" : "none";
    this.listener.onExit(this, cause.detail);
    // What it had played and reported did happen.
    await this.detach();
    for (const { number, listener } of this.takeSlots()) {
      if (number !== guilty) listener.onLost(ofOthers);
      else if (cause.uncertain) listener.onLost(cause);
      else listener.onFailed(cause.code, cause.detail);
    }
  }
}
