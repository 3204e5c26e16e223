/** One supervised Java process. */
import { delimiter } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { sandboxClosed } from "../closed.js";
import { type Address, defaults, type JvmRequest, SandboxError, type Service } from "../sandbox.js";
import { until } from "../until.js";
import type { Java } from "./java.js";
import { type Child, endGroup, startOnLifeline } from "./lifeline.js";
import { isLoopback, listenersOf } from "./listeners.js";
import { firstMatch, LastLines } from "./output.js";
import { WorkingFolder } from "./working-folder.js";

/** Milliseconds that `openPort` waits until the program listens. */
const portWithinMs = 2_000;
const askAgainAfterMs = 20;

/** Milliseconds until the outputs of an ended process are closed by force. */
const outputsWithinMs = 1_000;

/** Memory in MiB that the program may use in addition to the heap, for compiled code and for classes. */
const codeCacheMb = 96;
const classesMb = 192;

export class JvmSandbox implements Service {
  readonly id: string;
  private readonly losing = new AbortController();
  private readonly errors: LastLines;
  /** Resolves when the process has ended and its folder is removed. */
  readonly ended: Promise<void>;
  private isClosed = false;
  private port = 0;

  private constructor(
    private readonly child: Child,
    private readonly folder: WorkingFolder,
    private readonly request: JvmRequest,
  ) {
    this.id = `jvm-${child.pid}`;
    this.errors = new LastLines(child.stderr);
    child.once("exit", () => this.endRest());
    this.ended = new Promise((resolve) => {
      child.once("close", (code: number | null, signal: string | null) => {
        if (!this.isClosed) this.losing.abort(this.loss(signal ?? `exit code ${code}`));
        resolve(folder.remove());
      });
    });
  }

  /**
   * Starts a program and waits until it is ready.
   *
   * @param startMs timeout of the start, in milliseconds
   * @throws {SandboxError} REFUSED, START, TIMEOUT @throws the signal's reason
   */
  static async start(java: Java, request: JvmRequest, startMs: number, signal?: AbortSignal): Promise<JvmSandbox> {
    const folder = await WorkingFolder.make(`jvm-${process.pid}`);
    const command = [java.path, ...optionsOf(request, folder), request.mainClass, ...request.args];
    const child = await startOnLifeline(command, folder.path, {}).catch(async (error: Error) => {
      await folder.remove();
      throw new SandboxError("START", "a new process", error.message, undefined, { cause: error });
    });
    const sandbox = new JvmSandbox(child, folder, request);
    try {
      await sandbox.becomeReady(startMs, signal);
      return sandbox;
    } catch (error) {
      await sandbox.close();
      throw error;
    }
  }

  get lost(): AbortSignal {
    return this.losing.signal;
  }

  async readFile(path: string, { maxBytes = defaults.maxFileBytes }: { maxBytes?: number } = {}): Promise<Uint8Array> {
    this.checkOpen();
    return this.folder.read(path, maxBytes);
  }

  async writeFile(path: string, data: Uint8Array): Promise<void> {
    this.checkOpen();
    await this.folder.write(path, data);
  }

  async openPort(port = this.port): Promise<Address> {
    const deadline = performance.now() + portWithinMs;
    do {
      this.checkOpen();
      if (await this.listensOn(port)) return { host: "127.0.0.1", port };
      await sleep(askAgainAfterMs);
    } while (performance.now() < deadline);
    throw SandboxError.ofState("TIMEOUT", `${this.id} did not listen on port ${port} within ${portWithinMs} ms.`);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.endProgram();
    await this.ended;
  }

  private async becomeReady(startMs: number, signal: AbortSignal | undefined): Promise<void> {
    const { mainClass, ready, advice } = this.request;
    const late = () => {
      const line = `a line like ${ready} from ${mainClass} within ${startMs} ms`;
      return new SandboxError("TIMEOUT", line, this.errors.text || "no error output", advice);
    };
    try {
      const bounds = { signals: [this.lost, signal], ms: startMs, late };
      const [line, port] = await until(firstMatch(this.child.stdout, ready), bounds);
      this.port = Number(port);
      if (!Number.isInteger(this.port))
        throw new SandboxError("START", `a port in the line that matches ${ready}`, `the line ${line}`);
      await this.openPort();
    } catch (error) {
      signal?.throwIfAborted();
      if (!this.lost.aborted) throw error;
      const loss = this.lost.reason as SandboxError;
      throw new SandboxError("START", `${mainClass} to start`, loss.received, loss.advice ?? advice, { cause: loss });
    }
  }

  /**
   * Ends the program if it still runs. A program that has ended gets no signal, since its pid may belong to another
   * process.
   */
  private endProgram(): void {
    const { exitCode, signalCode } = this.child;
    if (exitCode === null && signalCode === null) endGroup(this.child);
  }

  private endRest(): void {
    endGroup(this.child);
    // A process that has left the group may hold the outputs open forever.
    const letGo = () => {
      this.child.stdout.destroy();
      this.child.stderr.destroy();
    };
    setTimeout(letGo, outputsWithinMs).unref();
  }

  /**
   * Whether the program listens on the port. If the program also listens on an address that is not loopback, it is
   * ended.
   */
  private async listensOn(port: number): Promise<boolean> {
    const listeners = await listenersOf(this.child.pid);
    const open = listeners.find((address) => !isLoopback(address));
    if (!open) return listeners.some((address) => address.port === port);
    this.endProgram();
    const received = `a program that listens on port ${open.port} of ${open.host}`;
    throw new SandboxError("REFUSED", "a program that listens only on loopback addresses", received);
  }

  private checkOpen(): void {
    this.lost.throwIfAborted();
    if (this.isClosed) throw sandboxClosed(this.id);
  }

  private loss(how: string): SandboxError {
    const said = this.errors.text;
    const isOutOfMemory = /OutOfMemoryError|heap/.test(said);
    const advice = isOutOfMemory ? `Give it more heap than ${this.request.heapMb} MiB` : undefined;
    return new SandboxError("LOST", `${this.id} to keep running`, `its end by ${how}${said && `: ${said}`}`, advice);
  }
}

function optionsOf(request: JvmRequest, folder: WorkingFolder): string[] {
  return [
    ...(request.vmOptions ?? []),
    `-Xmx${request.heapMb}m`,
    "-XX:+UseSerialGC",
    `-XX:MaxMetaspaceSize=${classesMb}m`,
    `-XX:ReservedCodeCacheSize=${codeCacheMb}m`,
    // If the JVM did not exit, a thread without memory would end alone and leave a process that answers only some calls.
    "-XX:+ExitOnOutOfMemoryError",
    "-XX:+DisplayVMOutputToStderr",
    // The JVM would write performance data outside of the folder.
    "-XX:-UsePerfData",
    `-Djava.io.tmpdir=${folder.path}`,
    `-Duser.home=${folder.path}`,
    // The default encoding of a process that has no locale is ASCII.
    "-Dfile.encoding=UTF-8",
    "-classpath",
    request.classPath.join(delimiter),
  ];
}
