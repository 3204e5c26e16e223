import { Worker } from "node:worker_threads";
import type { ErrorCode, GymError } from "../errors.js";
import { CallWatch } from "./call-watch.js";
import { HostOutbox } from "./host-outbox.js";
import {
  Command,
  type Ended,
  type HostData,
  type HostLimits,
  type HostNotice,
  type Message,
  outOfMemoryExit,
  Pulse,
  Result,
  resultWords,
} from "./host-protocol.js";
import { type Log, logFailure, type ReportListener } from "./log.js";
import type { LoggedReport } from "./log-protocol.js";
import { ReportReader } from "./report-reader.js";
import { type Blame, type OpenRequest, Slot, type SlotListener } from "./slot.js";

export interface HostOptions {
  environmentModules: readonly string[];
  limits: HostLimits;
  /** A call of an environment that takes longer ends the host. */
  stepDeadlineMs: number;
}

/** Threads of this process that were ended and still run, in a call of the system that does not return. */
export const unendedThreads = { count: 0 };

/** An ordinary thread ends within a few milliseconds. */
const mostTerminatingMs = 200;

export interface HostListener {
  /** What the main thread and the other hosts hold. */
  bytesElsewhere(host: Host): number;
  /** Called once, when the thread has ended; its slots hear of it after that. */
  onExit(host: Host, cause: string): void;
  /** An environment threw outside of any call. */
  onStray(detail: string): void;
}

/**
 * The main thread's end of one worker thread. Its commands go out from here; its results come back by way of the log.
 */
export class Host implements ReportListener {
  private readonly worker: Worker;
  /** Its name at the log. */
  private readonly number: number;
  private readonly ended: Promise<void>;
  private onEnded!: (told: Promise<void>) => void;
  private readonly pulse = new Pulse();
  private readonly callWatch: CallWatch;
  private readonly slots = new Map<number, Slot>();
  readonly outbox = new HostOutbox((message) => {
    if (!this.exited) this.worker.postMessage(message);
  });
  private exited = false;
  private stopped = false;
  private condemned: Blame | null = null;

  /** Whether the thread has loaded its environments. */
  ready = false;

  constructor(
    private readonly options: HostOptions,
    private readonly log: Log,
    private readonly listener: HostListener,
  ) {
    this.callWatch = new CallWatch(this.pulse, () => listener.bytesElsewhere(this));
    const { host, port } = log.attach(this);
    this.number = host;
    const workerData: HostData = {
      pulse: this.pulse.buffer,
      log: port,
      environmentModules: options.environmentModules,
      limits: options.limits,
    };
    this.worker = new Worker(new URL("./host-thread.js", import.meta.url), {
      workerData,
      transferList: [port],
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

  /** Open slots. */
  get load(): number {
    return this.slots.size;
  }

  open(request: OpenRequest, listener: SlotListener): Slot {
    const slot = this.addSlot(listener);
    const { episode, environment, task, seed, options, maxSteps, opening } = request;
    const chosen = JSON.stringify(options);
    this.outbox.send(
      Command.open,
      slot.number,
      episode,
      environment,
      task.split,
      task.index,
      seed,
      chosen,
      maxSteps,
      opening,
    );
    return slot;
  }

  addSlot(listener: SlotListener): Slot {
    const slot = new Slot(this, listener);
    this.slots.set(slot.number, slot);
    return slot;
  }

  closeSlot(slot: number): void {
    if (this.slots.delete(slot)) this.outbox.send(Command.close, slot);
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

  onReport({ results, lines, error }: LoggedReport): void {
    const reader = new ReportReader(results, lines);
    const refused = error === null ? [] : this.closeStepped(results);
    // Behind the commands that close the refused slots, and before any that their owners send when they hear of it: what
    // these lead to is to be logged.
    if (error !== null) this.outbox.send(Command.resume, 0);
    while (!reader.done) this.deliver(reader);
    this.pulse.taken(reader.characters);
    for (const { listener } of refused) listener.onUnlogged(logFailure(error as string));
  }

  onLogLost(error: GymError): void {
    for (const { number, listener } of this.takeSlots()) {
      this.outbox.send(Command.close, number);
      listener.onUnlogged(error);
    }
  }

  /** Closes the slots whose steps a refused report holds. */
  private closeStepped(results: Message): Slot[] {
    const closed: Slot[] = [];
    for (let at = 0; at < results.length; at += resultWords[results[at] as number] as number) {
      const slot = this.slots.get(results[at + 1] as number);
      if (results[at] !== Result.stepped || !slot) continue;
      closed.push(slot);
      this.closeSlot(slot.number);
    }
    return closed;
  }

  /** Reads the whole result even where its slot was closed meanwhile, so that those behind it stay readable. */
  private deliver(reader: ReportReader): void {
    const kind = reader.number();
    const slot = reader.number();
    const listener = this.slots.get(slot)?.listener;
    switch (kind) {
      case Result.opened: {
        const opening = reader.opening();
        listener?.onOpened(opening);
        return;
      }
      case Result.replayed:
        listener?.onReplayed();
        return;
      case Result.stepped: {
        const ended = reader.number() as Ended;
        const reply = reader.reply();
        if (ended) this.slots.delete(slot);
        listener?.onStepped(reply, ended);
        return;
      }
      case Result.answered: {
        const answer = reader.string();
        const answered = reader.number() === 1;
        listener?.onAnswered(answered ? answer : null);
        return;
      }
      case Result.cloned:
        listener?.onOpened("");
        return;
      case Result.closed:
        this.slots.delete(slot);
        listener?.onClosed();
        return;
      case Result.failed: {
        const code = reader.string() as ErrorCode;
        const detail = reader.string();
        this.slots.delete(slot);
        listener?.onFailed(code, detail);
        return;
      }
      default:
        throw new Error(`expected a result of the host protocol, but received ${kind}`);
    }
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
    await this.log.detach(this.number);
    for (const { number, listener } of this.takeSlots()) {
      if (number !== guilty) listener.onLost(ofOthers);
      else if (cause.uncertain) listener.onLost(cause);
      else listener.onFailed(cause.code, cause.detail);
    }
  }

  private takeSlots(): Slot[] {
    const slots = [...this.slots.values()];
    this.slots.clear();
    return slots;
  }
}
