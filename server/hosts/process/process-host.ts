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
import type { Message } from "../protocol.js";

export interface ProcessHostListener {
  /** Called once, when the process has ended; its slots hear of it after that. */
  onExit(host: ProcessHost, cause: string): void;
  /** An environment threw outside of any call. */
  onStray(detail: string): void;
  /** An instance ended by no fault of its environment. */
  onInstanceLost(environment: string, error: GymError): void;
}

/** Time without a sign of life after which the process is ended, as where it was stopped. */
const mostSilentMs = 10_000;

/** Niceness of the process, and with it of its sandboxes: on a busy machine the gym's own threads come first. */
const niceness = 5;

/** Time that the process may take to load its environments. */
const mostStartingMs = 60_000;

/** Time that the process may take to close its instances and sandboxes. */
const mostStoppingMs = 8_000;

/** Time that what the process had sent may take to be read once it has ended. */
const mostReadingMs = 1_000;

/** The gym's end of the process that runs async environments. */
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
    // A program that is not there has no number; its `error` comes later.
    if (this.child.pid !== undefined) setPriority(this.child.pid, niceness);
    this.ended = new Promise((resolve) => {
      this.onEnded = resolve;
    });
    // A process that cannot be started has no `exit`.
    this.child.once(
      "error",
      (error) => this.child.pid === undefined && this.end(`it could not start: ${error.message}`),
    );
    this.child.on("message", (message: FromAsyncProcess) => this.heed(message));
    const life = createInterface(this.child.stdio[lifeDescriptor] as Readable);
    life.on("line", (line) => this.hear(line));
    const told = [once(this.child, "disconnect"), once(life, "close")];
    this.child.once("exit", async (code, signal) => {
      await Promise.race([Promise.allSettled(told), sleep(mostReadingMs)]);
      this.end(`the process of async environments ended by ${signal ?? `exit code ${code}`}`);
    });
    this.tell({ kind: "setup", setup });
  }

  /** Called every `elapsedMs`: ends the process once it gives no sign of life. */
  watch(elapsedMs: number): void {
    this.silentMs += elapsedMs;
    if (this.silentMs < (this.ready ? mostSilentMs : mostStartingMs)) return;
    this.lastWords ??= { slot: 0, code: "HOST_FAILED", detail: `it gave no sign of life for ${this.silentMs} ms` };
    this.child.kill("SIGKILL");
  }

  /** Calls that run a while from now are aborted. */
  drain(): void {
    this.tell({ kind: "drain" });
  }

  /** Closes all instances and sandboxes, and waits for those that close in time. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.tell({ kind: "stop" });
    const timer = setTimeout(() => this.child.kill("SIGKILL"), mostStoppingMs);
    await this.ended;
    clearTimeout(timer);
  }

  protected post(message: Message): void {
    this.tell({ kind: "commands", message });
  }

  protected onTaken(characters: number): void {
    this.tell({ kind: "taken", characters });
  }

  private tell(message: ToAsyncProcess): void {
    // Where the process is gone, its exit says so.
    if (this.child.connected) this.child.send(message, () => {});
  }

  private heed(message: FromAsyncProcess): void {
    switch (message.kind) {
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

  private hear(line: string): void {
    this.silentMs = 0;
    if (line !== ".") this.lastWords ??= readLastWords(line);
  }

  private end(cause: string): void {
    if (this.exited) return;
    this.exited = true;
    this.onEnded(this.tellSlots(cause));
  }

  /** The process is gone: the slot whose code was running is guilty, all others are lost. */
  private async tellSlots(cause: string): Promise<void> {
    const { slot: guilty, code, detail } = this.lastWords ?? { slot: 0, code: "HOST_FAILED", detail: cause };
    this.listener.onExit(this, detail);
    // What it had played and reported did happen.
    await this.detach();
    this.port.close();
    for (const { number, listener } of this.takeSlots()) {
      if (this.stopped) listener.onLost(ending());
      else if (number === guilty) listener.onFailed(code, detail);
      else listener.onLost(guilty === 0 ? "unknown" : "none");
    }
  }
}
