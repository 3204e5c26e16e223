import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setPriority } from "node:os";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { GymError } from "../../errors.js";
import type { Log } from "../../log/log.js";
import { ending } from "../async/loop.js";
import {
  type AsyncProcessSetup,
  type FromAsyncProcess,
  type LastWords,
  lifeDescriptor,
  readLastWords,
  type ToAsyncProcess,
} from "../async/process-protocol.js";
import { Host } from "../host.js";
import type { CommandMessage } from "../protocol.js";

export interface ProcessHostListener {
  /** Called once when the process has ended, before its slots are informed. */
  onExit(host: ProcessHost, cause: string): void;
  /** Called when an environment threw outside of any call. */
  onStray(detail: string): void;
  /** Called when an instance ended and its environment did not cause it. */
  onInstanceLost(environment: string, error: GymError): void;
}

/**
 * Milliseconds without a heartbeat after which the process is killed. For example, a suspended process sends no
 * heartbeats.
 */
const mostSilentMs = 10_000;

/** Niceness of the process and its sandboxes, so that the gym's own threads have priority on a busy machine. */
const niceness = 5;

/** Time limit in milliseconds for the process to load its environments. */
const mostStartingMs = 60_000;

/** Time limit in milliseconds for the process to close its instances and sandboxes. */
const mostStoppingMs = 8_000;

/** Time limit in milliseconds for reading the remaining messages of a process that has ended. */
const mostReadingMs = 1_000;

/** Represents, in the gym's process, the process that runs async environments. */
export class ProcessHost extends Host {
  private readonly child: ChildProcess;
  private readonly ended: Promise<void>;
  private onEnded!: (told: Promise<void>) => void;
  private lastWords: LastWords | null = null;
  private silentMs = 0;
  private exited = false;
  private stopped = false;

  /** Whether the process has loaded its environments. */
  ready = false;

  constructor(
    setup: AsyncProcessSetup,
    log: Log,
    private readonly listener: ProcessHostListener,
  ) {
    super(log);
    this.child = fork(new URL("../async/process.js", import.meta.url), {
      serialization: "advanced",
      execArgv: [...process.execArgv, `--max-old-space-size=${setup.limits.memoryMb}`],
      stdio: ["ignore", "inherit", "inherit", "ipc", "pipe"],
    });
    // A missing pid means that the process could not be started. The child's `error` event follows.
    if (this.child.pid !== undefined) setPriority(this.child.pid, niceness);
    this.ended = new Promise((resolve) => {
      this.onEnded = resolve;
    });
    // A process that could not be started emits no `exit` event.
    this.child.once(
      "error",
      (error) => this.child.pid === undefined && this.end(`it could not start: ${error.message}`),
    );
    this.child.on("message", (message: FromAsyncProcess) => this.receive(message));
    const life = createInterface(this.child.stdio[lifeDescriptor] as Readable);
    life.on("line", (line) => this.onLifeLine(line));
    const told = [once(this.child, "disconnect"), once(life, "close")];
    this.child.once("exit", async (code, signal) => {
      await Promise.race([Promise.allSettled(told), sleep(mostReadingMs)]);
      this.end(`the process of async environments ended by ${signal ?? `exit code ${code}`}`);
    });
    this.tell({ type: "setup", setup });
  }

  /** Called every `elapsedMs`. Kills the process if its heartbeats stop. */
  watch(elapsedMs: number): void {
    this.silentMs += elapsedMs;
    if (this.silentMs < (this.ready ? mostSilentMs : mostStartingMs)) return;
    this.lastWords ??= { slot: 0, code: "HOST_FAILED", detail: `it gave no sign of life for ${this.silentMs} ms` };
    this.child.kill("SIGKILL");
  }

  /** Aborts the calls that still run after 5 seconds. */
  drain(): void {
    this.tell({ type: "drain" });
  }

  /** Closes all instances and sandboxes, and ends the process. Kills the process if it does not end in time. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.tell({ type: "stop" });
    const timer = setTimeout(() => this.child.kill("SIGKILL"), mostStoppingMs);
    await this.ended;
    clearTimeout(timer);
  }

  protected post(message: CommandMessage): void {
    this.tell({ type: "commands", message });
  }

  protected onTaken(characters: number): void {
    this.tell({ type: "taken", characters });
  }

  private tell(message: ToAsyncProcess): void {
    // The `exit` event of the process handles the case that it has exited.
    if (this.child.connected) this.child.send(message, () => {});
  }

  private receive(message: FromAsyncProcess): void {
    switch (message.type) {
      case "ready":
        this.ready = true;
        return;
      case "results":
        return this.port.postMessage(message.results);
      case "stray":
        return this.listener.onStray(message.detail);
      case "instance-lost": {
        const { environment, code, expected, received } = message;
        return this.listener.onInstanceLost(environment, new GymError(code, expected, received));
      }
    }
  }

  private onLifeLine(line: string): void {
    this.silentMs = 0;
    if (line !== ".") this.lastWords ??= readLastWords(line);
  }

  private end(cause: string): void {
    if (this.exited) return;
    this.exited = true;
    this.onEnded(this.tellSlots(cause));
  }

  /**
   * Informs the slots that the process has ended. The slot whose code was running is to blame, and all other slots are
   * lost.
   */
  private async tellSlots(cause: string): Promise<void> {
    const { slot: guilty, code, detail } = this.lastWords ?? { slot: 0, code: "HOST_FAILED", detail: cause };
    this.listener.onExit(this, detail);
    // Steps that were reported before the process ended are in the log.
    await this.detach();
    this.port.close();
    for (const { number, listener } of this.takeSlots()) {
      if (this.stopped) listener.onLost(ending());
      else if (number === guilty) listener.onFailed(code, detail);
      else listener.onLost(guilty === 0 ? "unknown" : "none");
    }
  }
}
