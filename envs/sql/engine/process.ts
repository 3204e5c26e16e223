import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath } from "node:url";
import { ServiceFailed } from "../../errors.js";
import { answerDescriptor, type EngineRequest, type FromEngine, lifeDescriptor, requestDescriptor } from "./request.js";

export interface EngineLimits {
  /** Milliseconds of one query of the caller's. */
  queryMs: number;
  /** MiB that SQLite may take, and as much for the program. */
  memoryMb: number;
}

/** The query reached a limit, and its process was ended: the message is for the agent. */
export class LimitReached extends Error {
  override readonly name = "LimitReached";
}

/** The process was ended from outside: the same request may do better on another. */
export class EngineLost extends ServiceFailed {}

/** Time to start, and to make the databases that a request needs. */
const startMs = 30_000;
/** Address space that Node itself takes, in MiB. */
const nodeMb = 1_400;

/** A process that runs SQL. It answers one request at a time. */
export class EngineProcess {
  readonly child: ChildProcess;
  private waiting: { resolve(answer: unknown): void; reject(error: Error): void; begin(): void } | undefined;
  private nextId = 1;
  isOver = false;

  constructor(
    private readonly limits: EngineLimits,
    private readonly onOver: (process: EngineProcess) => void,
  ) {
    const runner = fileURLToPath(new URL("./runner.js", import.meta.url));
    const { memoryMb } = limits;
    const command = `ulimit -c 0; ulimit -v ${(nodeMb + 2 * memoryMb) * 1024}; exec "$@"`;
    const node = [process.execPath, `--max-old-space-size=${memoryMb}`, runner];
    const pipes = Array.from({ length: lifeDescriptor + 1 }, (_, at) => (at < 3 ? "ignore" : "pipe") as "pipe");
    this.child = spawn("sh", ["-c", command, "sh", ...node], { env: environment(), stdio: pipes });
    // Whoever writes to a process that has ended hears of it by the end.
    for (const at of [requestDescriptor, lifeDescriptor]) this.child.stdio[at]?.on("error", () => {});
    // It keeps nobody running but who waits for it.
    for (const stream of this.child.stdio) (stream as { unref?(): void } | null)?.unref?.();
    this.child.unref();
    this.child.once("error", (error) => this.end(lost(error.message)));
    this.child.once("exit", (code, by) => this.end(endedBy(by ?? code, limits)));
    createInterface(this.child.stdio[answerDescriptor] as Readable).on("line", (line) => this.hear(line));
  }

  /**
   * @throws {LimitReached} the SQL took too long, or too much memory @throws {EngineLost} the process was ended from outside
   * @throws {Error} the request cannot be answered, such as a gold query that fails @throws the signal's reason
   */
  async ask(request: EngineRequest, signal: AbortSignal): Promise<unknown> {
    signal.throwIfAborted();
    const id = this.nextId++;
    const { queryMs } = this.limits;
    let timer = setTimeout(() => this.end(lost(`none within ${startMs} ms`)), startMs);
    const begin = () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.end(new LimitReached(tooLong(queryMs))), queryMs);
    };
    const unwanted = () => this.end(signal.reason as Error);
    signal.addEventListener("abort", unwanted);
    this.child.ref();
    try {
      return await new Promise((resolve, reject) => {
        this.waiting = { resolve, reject, begin };
        if (this.isOver) return reject(lost("the end of its process"));
        (this.child.stdio[requestDescriptor] as Writable).write(`${JSON.stringify({ ...request, id })}\n`);
      });
    } finally {
      this.waiting = undefined;
      this.child.unref();
      clearTimeout(timer);
      signal.removeEventListener("abort", unwanted);
    }
  }

  close(): void {
    this.end(lost("the end of its process"));
  }

  private hear(line: string): void {
    const message = JSON.parse(line) as FromEngine;
    if (message.kind === "running") this.waiting?.begin();
    else if (message.kind === "answered") this.waiting?.resolve(message.answer);
    else if (message.kind === "threw") this.waiting?.reject(new Error(message.message));
  }

  private end(error: Error): void {
    this.waiting?.reject(error);
    if (this.isOver) return;
    this.isOver = true;
    this.child.kill("SIGKILL");
    this.onOver(this);
  }
}

export function tooLong(queryMs: number): string {
  return `Error: the query took longer than ${queryMs / 1000} seconds, and was ended`;
}

/** Node aborts where memory is refused to it. SIGKILL comes from outside. */
function endedBy(how: string | number | null, { memoryMb }: EngineLimits): Error {
  if (how === "SIGKILL" || how === "SIGTERM" || how === 127 || how === 126) return lost(`its end by ${how}`);
  return new LimitReached(`Error: the query took more memory than ${memoryMb} MiB, and was ended`);
}

function lost(received: string): EngineLost {
  return new EngineLost("an answer of the database process", received);
}

/** The gym's own settings, among them tokens, are none of the process's business. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PALESTRA_")));
}
