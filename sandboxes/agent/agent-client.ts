/**
 * Client of the agent in a sandbox, which runs on the host. The host does not trust the agent: it limits the size of
 * frames, the time of answers and the length of outputs. If the agent violates a limit, the sandbox is ended.
 */
import { setMaxListeners } from "node:events";
import type { Readable, Writable } from "node:stream";
import { SandboxError } from "../sandbox.js";
import { until } from "../until.js";
import {
  BadFrame,
  chunkBytes,
  mostRequestBytes,
  Payload,
  protocolVersion,
  Reply,
  type ReplyFrame,
  ReplyReader,
  Request,
  requestFrame,
} from "./frames.js";
import {
  type CommandEnd,
  CommandRequest,
  type FileData,
  FileRequest,
  type OnOutput,
  type PendingRequest,
} from "./requests.js";

/** Connection to the agent, such as the attached stream of a container. */
export interface AgentLine {
  input: Writable;
  output: Readable;
}

export interface AgentCommand {
  argv: readonly string[];
  /** Variables as `NAME=value`. */
  environment: readonly string[];
  /** Working folder, or "" for the agent's working folder. */
  folder: string;
  /** User as `name`, `uid` or `uid:gid`, or "" for the agent's user. */
  user: string;
  /** Milliseconds after which the command and every process that it started are ended, or 0 for no limit. */
  timeoutMs: number;
  /** Largest number of bytes kept of standard output, and of standard error. */
  maxOutputBytes: number;
  /** Whether `give` will send input to the command. Otherwise the standard input is closed at the start. */
  hasInput: boolean;
}

export interface RunningCommand {
  /** @throws {SandboxError} REFUSED, TIMEOUT, LOST */
  readonly end: Promise<CommandEnd>;
  /**
   * Sends input to the command, and settles when the agent accepts more input. An empty array closes the standard
   * input.
   */
  give(bytes: Uint8Array): Promise<void>;
  /** Ends the command and every process that it started. */
  kill(): void;
}

/** Options for the start of an agent. */
export interface ComingUp {
  /** Expected sandbox in the error message, such as `a container whose agent answers`. */
  expected: string;
  /** Timeout of the start, in milliseconds. */
  ms: number;
  signal: AbortSignal;
  /** Starts the agent if it does not run yet. */
  begin?(): Promise<unknown>;
  /** Returns the text of the agent's standard error. */
  said(): string;
}

/**
 * Time limit in milliseconds for the agent to answer, to accept a chunk of a file, and to end a command after its
 * timeout.
 */
const mostAnsweringMs = 10_000;

const nothing = new Uint8Array(0);

export class AgentClient {
  private readonly reader = new ReplyReader();
  private readonly pending = new Map<number, PendingRequest>();
  private readonly losing = new AbortController();
  private nextId = 1;
  private onReady: () => void = () => {};
  /** Resolves when the agent has sent its first frame, `ready`. Rejects with the reason of `lost`. */
  readonly ready: Promise<void>;

  /** @param name name of the sandbox for errors */
  constructor(
    private readonly line: AgentLine,
    private readonly name: string,
  ) {
    // Every request adds a listener to this signal, so Node's warning about many listeners is switched off.
    setMaxListeners(0, this.losing.signal);
    this.ready = new Promise((resolve, reject) => {
      this.onReady = resolve;
      this.lost.addEventListener("abort", () => reject(this.lost.reason));
    });
    this.ready.catch(() => {});
    line.output.on("data", (bytes: Buffer) => this.receive(bytes));
    line.output.on("close", () => this.lose("the end of its agent"));
    for (const stream of [line.input, line.output]) stream.on("error", (error: Error) => this.lose(error.message));
  }

  /** Aborts with a LOST error when the agent ends or violates the protocol. */
  get lost(): AbortSignal {
    return this.losing.signal;
  }

  /**
   * Waits until the agent is ready. The agent is lost if it does not start in time, or if the signal aborts.
   *
   * @throws {SandboxError} START with the agent's standard error @throws the error of `begin` @throws the signal's reason
   */
  async comeUp({ expected, ms, signal, begin, said }: ComingUp): Promise<void> {
    const timer = setTimeout(() => this.lose(`no start within ${ms} ms`), ms);
    const aborted = () => this.lose("an abort by its caller");
    signal.addEventListener("abort", aborted);
    try {
      signal.throwIfAborted();
      await begin?.();
      await this.ready;
    } catch (error) {
      const isLost = this.lost.aborted && error === this.lost.reason;
      // An agent that never started does not close its line by itself.
      this.lose("a failed start");
      signal.throwIfAborted();
      if (!isLost) throw error;
      const received = said().trim() || (error as SandboxError).received;
      throw new SandboxError("START", expected, received, undefined, { cause: error });
    } finally {
      clearTimeout(timer);
      signal.removeEventListener("abort", aborted);
    }
  }

  /** Starts a command. @param onOutput receives the outputs as they arrive; if omitted, the outputs are collected */
  start(command: AgentCommand, onOutput?: OnOutput): RunningCommand {
    const { argv, environment, folder, user, timeoutMs, maxOutputBytes, hasInput } = command;
    const payload = new Payload()
      .u32(timeoutMs)
      .u64(maxOutputBytes)
      .u8(hasInput ? 1 : 0)
      .text(user)
      .text(folder);
    const request = new CommandRequest(argv[0] ?? "nothing", maxOutputBytes, onOutput);
    const id = this.send(Request.exec, payload.texts(environment).texts(argv).bytes, request);
    if (timeoutMs > 0) this.expectWithin(timeoutMs + mostAnsweringMs, id, request);
    return {
      end: request.result,
      give: (bytes) => this.give(id, request, bytes),
      kill: () => {
        if (!this.pending.has(id)) return;
        void this.write(Request.kill, id, nothing);
        this.expectWithin(mostAnsweringMs, id, request);
      },
    };
  }

  /** @throws {SandboxError} NO_FILE, REFUSED, LOST */
  readFile(path: string, user: string, maxBytes: number): Promise<FileData> {
    return this.askFor(Request.read, new Payload().text(user).text(path).u64(maxBytes).bytes, path, maxBytes);
  }

  /** @throws {SandboxError} NO_FILE, REFUSED, LOST */
  async writeFile(path: string, user: string, data: Uint8Array): Promise<void> {
    const request = new FileRequest(path, 0);
    const id = this.send(Request.write, new Payload().text(user).text(path).bytes, request);
    for (let at = 0; at < data.length && this.pending.has(id); at += chunkBytes)
      await this.writeSoon(Request.data, id, data.subarray(at, at + chunkBytes));
    void this.write(Request.data, id, nothing);
    this.expectWithin(mostAnsweringMs, id, request);
    await request.result;
  }

  /**
   * Lists a folder as lines of `type size mode changedMs name`, each ending in NUL. @throws {SandboxError} NO_FILE, REFUSED,
   * LOST
   */
  list(path: string, user: string, most: number): Promise<FileData> {
    return this.askFor(Request.list, new Payload().text(user).text(path).u32(most).bytes, path, 2 ** 20);
  }

  /**
   * Returns the status of a file as one line in the format of `list`, without a name. @throws {SandboxError} NO_FILE,
   * REFUSED, LOST
   */
  stat(path: string, user: string): Promise<FileData> {
    return this.askFor(Request.stat, new Payload().text(user).text(path).bytes, path, chunkBytes);
  }

  private askFor(kind: number, payload: Buffer, path: string, maxBytes: number): Promise<FileData> {
    const request = new FileRequest(path, maxBytes);
    const id = this.send(kind, payload, request);
    this.expectWithin(mostAnsweringMs, id, request);
    return request.result;
  }

  private send(kind: number, payload: Buffer, request: PendingRequest): number {
    const id = this.nextId++;
    if (this.lost.aborted) request.reject(this.lost.reason);
    else if (payload.length > mostRequestBytes) {
      const expected = `a request of at most ${mostRequestBytes} bytes, with its arguments, environment and paths`;
      request.reject(
        new SandboxError("REFUSED", expected, `${payload.length} bytes`, "Pass it as a file, or as input"),
      );
    } else {
      this.pending.set(id, request);
      void this.write(kind, id, payload);
    }
    return id;
  }

  private async give(id: number, request: CommandRequest, bytes: Uint8Array): Promise<void> {
    if (bytes.length === 0 && this.pending.has(id)) await this.write(Request.input, id, nothing);
    for (let at = 0; at < bytes.length && this.pending.has(id); at += chunkBytes) {
      const chunk = bytes.subarray(at, at + chunkBytes);
      void this.write(Request.input, id, chunk);
      await request.gave(chunk.length);
    }
  }

  /** Writes a frame, and settles when the connection accepts more bytes. */
  private write(kind: number, id: number, payload: Uint8Array): Promise<void> {
    return new Promise((resolve) => {
      if (this.lost.aborted) resolve();
      else this.line.input.write(requestFrame(kind, id, payload), () => resolve());
    });
  }

  /** Writes a frame with a timeout. The agent is lost if it accepts nothing within the timeout. */
  private async writeSoon(kind: number, id: number, payload: Uint8Array): Promise<void> {
    const ms = mostAnsweringMs;
    const late = () => new Error("silence");
    await until(this.write(kind, id, payload), { signals: [this.lost], ms, late }).catch(() =>
      this.lose(`no acceptance of a file chunk within ${ms} ms`),
    );
  }

  /** Treats the agent as lost if it does not answer the request in time. */
  private expectWithin(ms: number, id: number, request: PendingRequest): void {
    const timer = setTimeout(() => {
      if (this.pending.has(id)) this.lose(`no answer of its agent within ${ms} ms`);
    }, ms);
    const done = () => clearTimeout(timer);
    request.result.then(done, done);
  }

  private receive(bytes: Buffer): void {
    try {
      for (const frame of this.reader.read(bytes)) this.take(frame);
    } catch (error) {
      if (!(error instanceof BadFrame)) throw error;
      this.lose(`${error.message} from its agent`);
    }
  }

  /** @throws {BadFrame} */
  private take(frame: ReplyFrame): void {
    if (this.lost.aborted) return;
    if (frame.kind === Reply.ready) {
      const version = frame.payload.length === 4 ? frame.payload.readUInt32LE() : Number.NaN;
      if (version !== protocolVersion) throw new BadFrame(`the protocol version ${version}`);
      return this.onReady();
    }
    const request = this.pending.get(frame.id);
    if (!request) throw new BadFrame(`an answer to the unknown request ${frame.id}`);
    if (request.take(frame)) this.pending.delete(frame.id);
  }

  /**
   * Closes the connection and rejects all requests, so that the sandbox is lost. @param received the cause, as a noun
   * phrase
   */
  lose(received: string): void {
    if (this.lost.aborted) return;
    this.losing.abort(new SandboxError("LOST", `${this.name} to keep running`, received));
    for (const request of this.pending.values()) request.reject(this.lost.reason);
    this.pending.clear();
    this.line.input.destroy();
    this.line.output.destroy();
  }
}
