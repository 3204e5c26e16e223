import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { usualVariables } from "../../../sandboxes/usual-variables.js";
import { ServiceFailed } from "../../errors.js";
import { endMarked, lastStarted, marked, newMark } from "./leftovers.js";
import { answerDescriptor, lifeDescriptor, lineOf, type ProcessMessage, requestDescriptor } from "./messages.js";

/** A program that calls `serve` to answer requests. */
export interface Program {
  /** Name of the executable, followed by its arguments. */
  command: readonly [string, ...string[]];
  /** Working directory. The default is the gym's working directory. */
  folder?: string;
  /** Environment variables. The default is `usualVariables`, without the gym's secrets. */
  environment?: NodeJS.ProcessEnv;
  /** Noun phrase for the program in error messages: `the reward function`. */
  name: string;
  /** Whether processes that the program starts during an answer are ended with the answer. Default: false. */
  endsLeftovers?: boolean;
  times: ProcessTimes;
  errors: ProcessErrors;
}

/** Time limits in milliseconds. */
export interface ProcessTimes {
  start: number;
  /**
   * Time limit from the request to the message `running`. If omitted, the time limit `answer` starts with the request.
   */
  prepare?: number;
  answer: number;
}

/** Functions that create an error for each kind of failure, so that each program can have its own error classes. */
export interface ProcessErrors {
  /** Creates the error for a program that cannot be started or loaded. */
  unusable(reason: string): Error;
  /** Creates the error for an answer that took longer than `times.answer`. */
  late(milliseconds: number): Error;
  /**
   * Creates the error for a process that exited by itself or was killed from outside.
   *
   * @param how name of the signal, or exit code
   * @param printed last characters of the process's standard output and standard error
   */
  ended(how: string | number | null, printed: string): Error;
  /** Creates the error for a request whose failure the program reported. */
  threw(message: string): Error;
}

/** Error if the process ended for a reason unrelated to the request. A retry on another process may succeed. */
export class ProcessLost extends ServiceFailed {}

/** Error if the process did not begin the request. A retry on another process repeats nothing. */
export class ProcessSpent extends ProcessLost {}

/** Maximum number of characters of a program's output that an error quotes. */
const mostPrinted = 500;
/** Maximum number of characters of one message from the process. */
const longestLine = 2 ** 20;

/**
 * A process that answers one request at a time. The process survives a request that fails. Any other failure ends the
 * process.
 */
export class AnswerProcess<Request extends object> {
  readonly child: ChildProcess;
  /** Resolves when the program is loaded, and rejects if the program cannot be loaded. */
  readonly ready: Promise<void>;
  isOver = false;
  private readonly starting: { resolve(): void; reject(error: Error): void };
  private waiting: { resolve(answer: unknown): void; reject(error: Error): void; begin(): void } | undefined;
  private nextId = 1;
  private printed = "";
  private readonly mark: number | undefined;
  /** Id of the process that this machine had started last when leftovers were last ended. */
  private swept: number | undefined;

  /** @param onOver called once, when the process no longer accepts requests */
  constructor(
    private readonly program: Program,
    private readonly onOver: (process: AnswerProcess<Request>) => void,
  ) {
    const { promise, ...starting } = withResolvers();
    this.starting = starting;
    this.mark = program.endsLeftovers ? newMark() : undefined;
    this.child = this.spawn();
    this.child.once("error", ({ message }) =>
      this.end(program.errors.unusable(`the program cannot be started: ${message}`)),
    );
    this.child.once("exit", (code, by) => this.end(program.errors.ended(by ?? code, this.printed.trim())));
    createInterface(this.child.stdio[answerDescriptor] as Readable).on("line", (line) => this.hear(messageOf(line)));
    const late = () =>
      this.end(program.errors.unusable(`expected the program to load within ${program.times.start} ms`));
    const timer = setTimeout(late, program.times.start).unref();
    this.ready = promise.finally(() => {
      clearTimeout(timer);
      this.child.unref();
    });
    // The next request reports a failed start of the process.
    this.ready.catch(() => {});
  }

  /**
   * Sends a request and returns the reply.
   *
   * @throws {ProcessLost} the process was closed, or exceeded the time limit `prepare`
   * @throws for all other failures, an error that the program's `errors` created
   * @throws the signal's reason
   */
  async ask(request: Request, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    const unwanted = () => this.end(signal.reason as Error);
    signal.addEventListener("abort", unwanted);
    try {
      await this.ready;
      return await this.answerTo(request);
    } finally {
      signal.removeEventListener("abort", unwanted);
    }
  }

  close(): void {
    this.end(this.lost("no answer, because its process ended"));
  }

  private async answerTo(request: Request): Promise<unknown> {
    const id = this.nextId++;
    const { prepare, answer } = this.program.times;
    let timer: NodeJS.Timeout | undefined;
    const begin = () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.end(this.program.errors.late(answer)), answer);
    };
    if (prepare === undefined) begin();
    else timer = setTimeout(() => this.end(this.lost(`no answer within ${prepare} ms`)), prepare);
    this.child.ref();
    // The program keeps the processes that it starts while it is loaded. They end with the program.
    if (this.swept === undefined) this.swept = lastStarted();
    else this.sweep();
    try {
      return await new Promise((resolve, reject) => {
        this.waiting = { resolve, reject, begin };
        if (this.isOver) return reject(this.lost("no answer, because its process ended"));
        (this.child.stdio[requestDescriptor] as Writable).write(lineOf({ ...request, id }));
      });
    } finally {
      this.waiting = undefined;
      this.sweep();
      this.child.unref();
      clearTimeout(timer);
    }
  }

  /** Ends the processes that the program has started since the last sweep. */
  private sweep(): void {
    if (this.mark === undefined) return;
    endMarked(this.mark, this.child.pid, this.swept);
    this.swept = lastStarted();
  }

  private spawn(): ChildProcess {
    const { command } = this.program;
    const [program, ...args] = this.mark === undefined ? command : marked(command, this.mark);
    const pipes = Array.from({ length: lifeDescriptor + 1 }, (_, at) => (at === 0 ? "ignore" : "pipe") as "pipe");
    const { folder } = this.program;
    const env = this.program.environment ?? usualVariables();
    const child = spawn(program, args, { ...(folder && { cwd: folder }), env, stdio: pipes });
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        this.printed = `${this.printed}${chunk}`.slice(-mostPrinted);
      });
    // A write to a process that has exited fails here. The exit of the process is handled elsewhere.
    for (const at of [requestDescriptor, lifeDescriptor]) child.stdio[at]?.on("error", () => {});
    // An idle process must not keep the gym running.
    for (const stream of child.stdio) (stream as { unref?(): void } | null)?.unref?.();
    return child;
  }

  private hear(message: ProcessMessage): void {
    if (message.kind === "ready") return this.starting.resolve();
    if (message.kind === "unusable") return this.end(this.program.errors.unusable(message.message));
    // A reply to an abandoned request is ignored. Only the message "ready" has no number.
    if (message.id !== 0 && message.id !== this.nextId - 1) return;
    if (message.kind === "running") return this.waiting?.begin();
    if (message.kind === "answered") this.waiting?.resolve(message.answer);
    else if (message.kind === "threw") this.waiting?.reject(this.program.errors.threw(message.message));
    else
      this.waiting?.reject(
        new ProcessSpent(`an answer of ${this.program.name}`, "no answer, because its state changed"),
      );
    if (message.kind === "spent" || message.isSpent) this.close();
  }

  private lost(received: string): ProcessLost {
    return new ProcessLost(`an answer of ${this.program.name}`, received);
  }

  private end(error: Error): void {
    this.starting.reject(error);
    this.waiting?.reject(error);
    if (this.isOver) return;
    this.isOver = true;
    this.child.kill("SIGKILL");
    if (this.mark !== undefined) endMarked(this.mark, undefined);
    this.onOver(this);
  }
}

function messageOf(line: string): ProcessMessage {
  try {
    if (line.length > longestLine)
      throw new RangeError(`expected an answer of at most ${longestLine} characters, but received ${line.length}`);
    const message = JSON.parse(line) as ProcessMessage | null;
    if (typeof message?.kind === "string") return message;
    throw new TypeError(`expected a message, but received ${line.slice(0, 100)}`);
  } catch (error) {
    return { kind: "threw", id: 0, message: (error as Error).message };
  }
}

/** Returns the environment variables of the gym without its settings and tokens (`PALESTRA_*`). */
export function gymVariables(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PALESTRA_")));
}

function withResolvers(): { promise: Promise<void>; resolve(): void; reject(error: Error): void } {
  let resolve: () => void = () => {};
  let reject: (error: Error) => void = () => {};
  const promise = new Promise<void>((accept, refuse) => {
    resolve = accept;
    reject = refuse;
  });
  return { promise, resolve, reject };
}
