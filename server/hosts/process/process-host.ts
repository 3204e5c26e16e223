import type { ChildProcess } from "node:child_process";
import type { Duplex, Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { GymError } from "../../errors.js";
import type { Log } from "../../log/log.js";
import type { LoggedReport } from "../../log/records/protocol.js";
import { ending } from "../async/loop.js";
import { Host } from "../host.js";
import type { CommandMessage } from "../protocol.js";
import { type SandboxKind, sandboxKinds } from "../sandbox-kinds.js";
import type { Blame } from "../slot.js";
import { Frames } from "./frames.js";
import { type Launch, spawnLimited } from "./launch.js";
import {
  type FromProcess,
  type LastWords,
  lifeDescriptor,
  messageDescriptor,
  type PermitRequest,
  type ProcessSetup,
  readLastWords,
  type ToProcess,
} from "./process-protocol.js";
import { ReadPulse } from "./process-pulse.js";
import { ReportCheck } from "./report-check.js";

export interface ProcessHostListener {
  /** Called once when the process has ended, before its slots are informed. */
  onExit(host: ProcessHost, cause: string): void;
  /** Called when an environment threw outside of any call. */
  onStray(detail: string): void;
  /** Called again and again while requests of the process wait until a sandbox of the kind is closed. */
  onWaiting(kind: SandboxKind, requests: number): void;
  /** Called when an instance ended and its environment did not cause it. */
  onInstanceLost(environment: string, error: GymError): void;
}

/** Time limit in milliseconds for the process to load its environments. */
const mostStartingMs = 60_000;

/** Time limit in milliseconds for the process to close its instances and sandboxes. */
const mostStoppingMs = 8_000;

/** Time limit in milliseconds for reading the remaining messages of a process that has ended. */
const mostReadingMs = 1_000;

/** Number of bytes of a frame for each character of the longest reply, and for a report of many short replies. */
const bytesPerCharacter = 4;
const shortReportBytes = 2 ** 24;

/** Limit on the characters of a status line. */
const mostLineLength = 2 ** 14;

/** How a process ended: by an exit code or by a signal, or by neither if it could not start. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** Represents, in the gym's process, a process that runs environments. */
export abstract class ProcessHost extends Host {
  private readonly child: ChildProcess;
  private readonly frames: Frames<ToProcess, FromProcess>;
  private readonly check = new ReportCheck();
  private readonly ended: Promise<void>;
  private onEnded!: (told: Promise<void>) => void;
  private lastWords: LastWords | null = null;
  /** Beginning of a status line whose end has not arrived. */
  private lifeLine = "";
  private startingMs = 0;
  private isLying = false;
  private exited = false;
  protected stopped = false;
  /** Pulse of the process, with the slot of the running or last call. The pulse stays readable after a crash. */
  protected readonly pulse = new ReadPulse();

  /** Whether the process has loaded its environments. */
  ready = false;

  constructor(
    private readonly launch: Launch,
    protected readonly setup: ProcessSetup,
    log: Log,
    private readonly listener: ProcessHostListener,
  ) {
    super(log);
    this.child = spawnLimited(launch, setup.limits.memoryMb, this.pulse.descriptor);
    this.ended = new Promise((resolve) => {
      this.onEnded = resolve;
    });
    // A process that could not be started emits no `exit` event.
    this.child.once(
      "error",
      (error) =>
        this.child.pid === undefined && this.end(`it could not start: ${error.message}`, { code: null, signal: null }),
    );
    const { socket, life } = this.openStreams();
    const mostBytes = setup.limits.maxReplyLength * bytesPerCharacter + shortReportBytes;
    this.frames = new Frames(socket, mostBytes, {
      onFrame: (message, text) => this.receive(message, text),
      onBroken: (reason) => this.onLie(new Error(reason)),
    });
    const told = [socket, life].map((stream) => new Promise((resolve) => stream.once("close", resolve)));
    this.child.once("exit", async (code, signal) => {
      // Programs that an environment has started hold the streams open. Sandboxes end by their own means.
      if (!launch.hasSandboxes) this.killProcess();
      await Promise.race([Promise.all(told), sleep(mostReadingMs)]);
      life.destroy();
      socket.destroy();
      this.end(`the process ended by ${signal ?? `exit code ${code}`}`, { code, signal });
    });
    this.tell({ type: "setup", setup });
  }

  get pid(): number | undefined {
    return this.child.pid;
  }

  /** Whether the process has a sandbox of the kind. */
  holdsSandbox(_kind: SandboxKind): boolean {
    return false;
  }

  /** Called every `elapsedMs` once the process has loaded its environments. */
  protected abstract watchRunning(elapsedMs: number): void;

  /** Decides which slot is to blame for the end of the process, if the process has not said it. */
  protected abstract blame(cause: string, exit: Exit): LastWords;

  /** Called every `elapsedMs`. Kills the process if it hangs. */
  watch(elapsedMs: number): void {
    this.startingMs += elapsedMs;
    if (this.exited) return;
    if (this.ready) this.watchRunning(elapsedMs);
    else if (this.startingMs >= mostStartingMs)
      this.kill({ slot: 0, code: "HOST_FAILED", detail: `it did not load its environments in ${this.startingMs} ms` });
  }

  /** Aborts the calls that still run after `drainingMs` of `HostTimes`. */
  drain(): void {
    this.tell({ type: "drain" });
  }

  /** Closes all instances and sandboxes, and ends the process. Kills the process if it does not end in time. */
  async stop(): Promise<void> {
    this.stopped = true;
    this.tell({ type: "stop" });
    const timer = setTimeout(() => this.killProcess(), mostStoppingMs);
    await this.ended;
    clearTimeout(timer);
  }

  override onReport(report: LoggedReport): void {
    try {
      super.onReport(report);
    } catch (error) {
      // The report is well-formed, but answers what nobody asked.
      this.onLie(error as Error);
    }
  }

  protected post(message: CommandMessage): void {
    this.check.sent(message);
    this.tell({ type: "commands", message });
  }

  protected onTaken(characters: number): void {
    this.tell({ type: "taken", characters });
  }

  protected onLife(_line: string): void {}

  /** @throws {Error} for a request that the process may not make */
  protected onPermit(_request: PermitRequest): void {
    throw new Error("expected no request for a sandbox, but received one");
  }

  /** Called once when the process has ended. */
  protected onGone(): void {}

  protected kill(words: LastWords): void {
    this.lastWords ??= words;
    this.killProcess();
  }

  private killProcess(): void {
    if (this.child.pid === undefined) return;
    try {
      process.kill(this.launch.hasSandboxes ? this.child.pid : -this.child.pid, "SIGKILL");
    } catch {
      // The process has ended.
    }
  }

  private openStreams(): { socket: Duplex; life: Readable } {
    const { stdio } = this.child;
    const life = stdio[lifeDescriptor] as Readable;
    // The `exit` event of the process tells the end of both streams.
    life.on("error", () => {});
    life.setEncoding("utf8").on("data", (text: string) => this.receiveLife(text));
    return { socket: stdio[messageDescriptor] as unknown as Duplex, life };
  }

  private receiveLife(text: string): void {
    const lines = (this.lifeLine + text).split("\n");
    this.lifeLine = lines.pop() as string;
    for (const line of lines) {
      if (line !== ".") this.lastWords ??= readLastWords(line);
      this.onLife(line);
    }
    if (this.lifeLine.length <= mostLineLength) return;
    this.lifeLine = "";
    if (!this.isLying) this.onLie(new Error(`a status line of more than ${mostLineLength} characters`));
  }

  protected tell(message: ToProcess): void {
    // The `exit` event of the process handles the case that it has exited.
    if (!this.exited) void this.frames.send(message);
  }

  private receive(message: FromProcess, text: string): void {
    if (this.exited || this.isLying) return;
    try {
      this.handle(message, text);
    } catch (error) {
      this.onLie(error as Error);
    }
  }

  private handle(message: FromProcess, text: string): void {
    switch (message.type) {
      case "ready":
        this.ready = true;
        return;
      case "report":
        return this.port.postMessage(this.check.check(message.report, text, message.performed));
      case "ping":
        return this.tell({ type: "pong" });
      case "waiting":
        return this.onWaiting(message.kind, Number(message.requests));
      case "permit-ask":
      case "permit-leave":
        return this.onPermit(message);
      case "stray":
        return this.listener.onStray(String(message.detail));
      case "instance-lost": {
        const { environment, code, expected, received } = message;
        return this.listener.onInstanceLost(environment, new GymError(code, expected, received));
      }
    }
  }

  private onWaiting(kind: SandboxKind, requests: number): void {
    if (!sandboxKinds.includes(kind)) throw new Error(`expected a kind of sandbox, but received ${kind}`);
    this.listener.onWaiting(kind, requests);
  }

  private onLie(error: Error): void {
    this.isLying = true;
    const detail = `its process broke the host protocol: ${error.message}`;
    this.pulse.refresh();
    this.kill({ slot: this.pulse.slot, code: "ENVIRONMENT_THREW", detail, uncertain: true });
  }

  private end(cause: string, exit: Exit): void {
    if (this.exited) return;
    this.exited = true;
    this.pulse.refresh();
    this.onGone();
    this.onEnded(this.tellSlots(this.lastWords ?? this.blame(cause, exit)));
  }

  /**
   * Informs the slots that the process has ended. The slot whose code was running is to blame, and all other slots are
   * lost.
   */
  private async tellSlots({ slot: guilty, code, detail, uncertain }: LastWords): Promise<void> {
    this.listener.onExit(this, detail);
    // Steps that were reported before the process ended are in the log.
    await this.detach();
    this.port.close();
    this.pulse.close();
    const blame: Blame = { code, detail, uncertain };
    for (const { number, listener } of this.takeSlots()) {
      if (this.stopped) listener.onLost(ending());
      else if (number !== guilty) listener.onLost(guilty === 0 ? "unknown" : "none");
      else if (uncertain) listener.onLost(blame);
      else listener.onFailed(code, detail);
    }
  }
}
