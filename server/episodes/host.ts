import { Worker } from "node:worker_threads";
import type { TaskRef } from "../../envs/env.js";
import type { ErrorCode } from "../errors.js";
import {
  Command,
  type Ended,
  fullMessage,
  type HostData,
  type HostLimits,
  type Message,
  MessageReader,
  outOfMemoryExit,
  type PlayedStep,
  Pulse,
  Result,
} from "./host-protocol.js";

/** What becomes of a slot. Calls come in the order of the commands. */
export interface SlotListener {
  /** @param opening JSON text of the reset result */
  onOpened(opening: string): void;
  /** @param reply JSON text of the step result. A slot whose step ended the episode is closed by itself. */
  onStepped(reply: string, ended: Ended): void;
  /** @param action null where the expert sees no way to the reward */
  onAdvised(action: string | null): void;
  /** The environment failed by its own fault; the slot is closed. */
  onFailed(code: ErrorCode, detail: string): void;
  /** The host is gone, by no fault of this slot. What was commanded and not answered did not happen. */
  onLost(): void;
}

export interface OpenRequest {
  /** `id@version` */
  environment: string;
  task: TaskRef;
  seed: number;
  /** The step at which the episode is truncated. */
  maxSteps: number;
  /** The opening as logged, which the reset must give again; "" for a new episode. */
  opening: string;
  /** Steps to play again before the slot counts as open. */
  history: readonly PlayedStep[];
}

export interface HostOptions {
  environmentModules: readonly string[];
  limits: HostLimits;
  /** A call of an environment that takes longer ends the host. */
  stepDeadlineMs: number;
}

let nextSlot = 1;

/** An open place in a host: one instance of one environment. Whoever owns it may pass it on by changing `listener`. */
export class Slot {
  readonly number = nextSlot++;

  constructor(
    private readonly host: Host,
    public listener: SlotListener,
  ) {}

  step(action: string): void {
    this.host.sendStep(this.number, action);
  }

  /** Asks the expert; the answer is `onAdvised`. */
  advise(): void {
    this.host.send(Command.expert, this.number);
  }

  /** A copy of the instance on the same host. It is open when `onOpened` comes, with an empty opening. */
  clone(listener: SlotListener): Slot {
    const copy = this.host.addSlot(listener);
    this.host.send(Command.clone, this.number, copy.number);
    return copy;
  }

  close(): void {
    this.host.closeSlot(this.number);
  }
}

/**
 * The main thread's end of one worker thread. Waking a thread costs more than most commands do, so commands are gathered:
 * alone, one leaves within two turns of the loop; under load, messages grow and the threads wake each other less.
 *
 * `onStray` hears of errors that no command led to. `onExit` is called once, after every slot has heard `onFailed` or `onLost`.
 */
export class Host {
  private readonly worker: Worker;
  private readonly pulse = new Pulse();
  private readonly slots = new Map<number, Slot>();
  private outbox: Message = [];
  private gathering = false;
  private exited = false;
  private stopped = false;
  private condemned: { code: ErrorCode; detail: string } | null = null;
  private lastBeat = 0;
  private stuckMs = 0;
  /** Of the whole process, when the running call was first seen to be still running. */
  private residentBytes = 0;

  /** Whether the thread has loaded its environments. */
  ready = false;

  constructor(
    private readonly options: HostOptions,
    private readonly onExit: (host: Host, cause: string) => void,
    private readonly onStray: (detail: string) => void,
  ) {
    const workerData: HostData = {
      pulse: this.pulse.buffer,
      environmentModules: options.environmentModules,
      limits: options.limits,
    };
    this.worker = new Worker(new URL("./host-thread.js", import.meta.url), {
      workerData,
      resourceLimits: { maxOldGenerationSizeMb: options.limits.memoryMb },
    });
    this.worker.on("message", (results: Message) => this.receive(results));
    this.worker.on("error", (error: NodeJS.ErrnoException) => this.onError(error));
    this.worker.on("exit", (code) => this.settle(code));
  }

  /** Open slots. */
  get load(): number {
    return this.slots.size;
  }

  open(request: OpenRequest, listener: SlotListener): Slot {
    const slot = this.addSlot(listener);
    const { environment, task, seed, maxSteps, opening, history } = request;
    this.send(Command.open, slot.number, environment, task.split, task.index, seed, maxSteps, opening, history.length);
    for (const { action, reply } of history) this.outbox.push(action, reply);
    return slot;
  }

  addSlot(listener: SlotListener): Slot {
    const slot = new Slot(this, listener);
    this.slots.set(slot.number, slot);
    return slot;
  }

  closeSlot(slot: number): void {
    if (this.slots.delete(slot)) this.send(Command.close, slot);
  }

  /** `send` for the command that there are most of, without an array in between. */
  sendStep(slot: number, action: string): void {
    this.outbox.push(Command.step, slot, action);
    this.scheduleFlush();
  }

  send(...command: Message): void {
    this.outbox.push(...command);
    this.scheduleFlush();
  }

  /** Commands leave together: after a turn of the loop that brought no more of them, or once there are many. */
  private scheduleFlush(): void {
    if (this.gathering) return;
    this.gathering = true;
    setImmediate(() => this.gather(0));
  }

  private gather(before: number): void {
    const { length } = this.outbox;
    if (length > before && length < fullMessage) setImmediate(() => this.gather(length));
    else this.flush();
  }

  /**
   * Called every `elapsedMs`: ends the thread when the same call of an environment has been running for longer than
   * its deadline. Time is counted in these calls, so that a machine that slept is not taken for a step that hung.
   */
  watch(elapsedMs: number): void {
    const { beat, running } = this.pulse;
    if (!running || beat !== this.lastBeat) {
      this.lastBeat = beat;
      this.stuckMs = 0;
      return;
    }
    if (this.stuckMs === 0) this.residentBytes = process.memoryUsage.rss();
    this.stuckMs += elapsedMs;
    const { stepDeadlineMs } = this.options;
    if (this.stuckMs < stepDeadlineMs) return;
    this.condemn({ code: "ENVIRONMENT_HUNG", detail: `the call ran longer than ${stepDeadlineMs} ms and was ended` });
  }

  /** Whether a call that ran at the last `watch` runs still. */
  get stuck(): boolean {
    return this.stuckMs > 0;
  }

  /**
   * Ends the thread when the process has grown by the memory of a host since its call was first seen running: array
   * buffers live outside the heap that V8 watches, and the thread itself looks at them between calls only.
   */
  watchMemory(): void {
    const grownBytes = process.memoryUsage.rss() - this.residentBytes;
    if (grownBytes > this.options.limits.memoryMb * 2 ** 20) this.condemn(this.outOfMemory());
  }

  /** Ends the thread by no fault of any slot. */
  async stop(): Promise<void> {
    this.stopped = true;
    await this.worker.terminate();
  }

  private flush(): void {
    this.gathering = false;
    if (this.exited) return;
    this.worker.postMessage(this.outbox);
    this.outbox = [];
  }

  private receive(results: Message): void {
    this.ready = true;
    const reader = new MessageReader(results);
    while (!reader.done) this.deliver(reader);
  }

  /** Reads the whole result even where its slot was closed meanwhile, so that those behind it stay readable. */
  private deliver(reader: MessageReader): void {
    const kind = reader.number();
    const slot = reader.number();
    const listener = this.slots.get(slot)?.listener;
    switch (kind) {
      case Result.opened: {
        const opening = reader.string();
        listener?.onOpened(opening);
        return;
      }
      case Result.stepped: {
        const ended = reader.number() as Ended;
        const reply = reader.string();
        if (ended) this.slots.delete(slot);
        listener?.onStepped(reply, ended);
        return;
      }
      case Result.advised: {
        const action = reader.string();
        const advised = reader.number() === 1;
        listener?.onAdvised(advised ? action : null);
        return;
      }
      case Result.cloned:
        listener?.onOpened("");
        return;
      case Result.failed: {
        const code = reader.string() as ErrorCode;
        const detail = reader.string();
        this.slots.delete(slot);
        listener?.onFailed(code, detail);
        return;
      }
      case Result.stray:
        this.onStray(reader.string());
        return;
      default:
        throw new Error(`expected a result of the host protocol, but received ${kind}`);
    }
  }

  private condemn(cause: { code: ErrorCode; detail: string }): void {
    if (this.condemned) return;
    this.condemned = cause;
    void this.worker.terminate();
  }

  private onError(error: NodeJS.ErrnoException): void {
    if (error.code === "ERR_WORKER_OUT_OF_MEMORY") this.condemned = this.outOfMemory();
    else if (!this.condemned)
      this.condemned = { code: "ENVIRONMENT_THREW", detail: `outside of a call: ${error.message}` };
  }

  private outOfMemory(): { code: ErrorCode; detail: string } {
    return {
      code: "ENVIRONMENT_OUT_OF_MEMORY",
      detail: `the call brought its host over ${this.options.limits.memoryMb} MiB`,
    };
  }

  /** The thread is gone: the slot whose environment was running is guilty, all others are lost. */
  private settle(exitCode: number): void {
    this.exited = true;
    if (exitCode === outOfMemoryExit) this.condemned = this.outOfMemory();
    const cause = this.condemned ?? {
      code: "ENVIRONMENT_THREW" as const,
      detail: `the thread exited with ${exitCode}`,
    };
    const guilty = this.pulse.running && !this.stopped ? this.pulse.slot : null;
    const slots = [...this.slots.values()];
    this.slots.clear();
    for (const { number, listener } of slots) {
      if (number === guilty) listener.onFailed(cause.code, cause.detail);
      else listener.onLost();
    }
    this.onExit(this, cause.detail);
  }
}
