import { type ChildProcess, spawn } from "node:child_process";
import { dirname } from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ServiceFailed } from "../../errors.js";
import type { Piece } from "./pieces.js";
import { pythonRunner } from "./python-runner.js";
import {
  answerDescriptor,
  type FromRewardProcess,
  lifeDescriptor,
  type RewardRequest,
  requestDescriptor,
} from "./request.js";

/** Where a reward comes from: the absolute path of a file of JavaScript or Python, or a ready-made piece. */
export type RewardSource = string | Piece;

export interface RewardLimits {
  /** That one answer may take. */
  timeoutMs: number;
  /** Of one process. */
  memoryMb: number;
  processes: number;
}

type Scored = Extract<FromRewardProcess, { kind: "scored" }>;

/** Characters of what the function prints that its failure quotes. */
const mostPrinted = 500;
/** Time to load what the function imports. */
const startMs = 30_000;
/** Characters of one answer of the function. */
const longestLine = 2 ** 20;

/** A process of its own for a reward function. It scores one answer at a time. */
export class RewardProcess {
  private readonly child: ChildProcess;
  private printed = "";
  private waiting: { resolve(scored: Scored): void; reject(error: Error): void } | undefined;
  private nextId = 1;
  /** Resolves once the function is loaded. Rejects with what is wrong with it. */
  readonly ready: Promise<void>;
  isOver = false;

  constructor(
    source: RewardSource,
    private readonly limits: RewardLimits,
    private readonly onOver: (process: RewardProcess) => void,
  ) {
    const [program, args, folder] = commandOf(source, limits);
    const pipes = Array.from({ length: lifeDescriptor + 1 }, (_, at) => (at === 0 ? "ignore" : "pipe") as "pipe");
    this.child = spawn(program, args, { cwd: folder, env: environment(), stdio: pipes });
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        this.printed = `${this.printed}${chunk}`.slice(-mostPrinted);
      });
    // Whoever writes to a process that has ended hears of it by the end.
    for (const at of [requestDescriptor, lifeDescriptor]) this.child.stdio[at]?.on("error", () => {});
    // It keeps nobody running but who waits for it.
    for (const stream of this.child.stdio) (stream as { unref?(): void } | null)?.unref?.();
    this.ready = this.start().finally(() => this.child.unref());
    // A process that nobody waits for yet says it again when it is asked.
    this.ready.catch(() => {});
  }

  /** @throws {ServiceFailed} it ended, or took too long: it is over @throws {Error} the function threw @throws the signal's reason */
  async score(request: RewardRequest, signal: AbortSignal): Promise<Scored> {
    await this.ready;
    signal.throwIfAborted();
    const id = this.nextId++;
    const { timeoutMs } = this.limits;
    const late = () => this.end(failed(`none within ${timeoutMs} ms`));
    const timer = setTimeout(late, timeoutMs);
    this.child.ref();
    const unwanted = () => this.end(signal.reason as Error);
    signal.addEventListener("abort", unwanted);
    try {
      return await new Promise<Scored>((resolve, reject) => {
        this.waiting = { resolve, reject };
        if (this.isOver) return reject(failed("the end of its process"));
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
    this.end(failed("the end of its process"));
  }

  private start(): Promise<void> {
    return new Promise((resolve, reject) => {
      const refuse = (error: Error) => {
        reject(error);
        this.end(error);
      };
      const timer = setTimeout(() => refuse(new Error(`expected it to load within ${startMs} ms`)), startMs);
      this.child.once("error", (error) => refuse(new Error(`it cannot be started: ${error.message}`)));
      this.child.once("exit", (code, by) => refuse(this.ended(by ?? `exit code ${code}`)));
      const lines = createInterface(this.child.stdio[answerDescriptor] as Readable);
      lines.on("line", (line) => {
        const message = messageOf(line);
        if (message.kind === "ready") {
          clearTimeout(timer);
          resolve();
        } else if (message.kind === "unusable") refuse(new Error(message.message));
        else this.hear(message);
      });
      // The timer holds nobody up who does not wait.
      timer.unref();
    });
  }

  private hear(message: Exclude<FromRewardProcess, { kind: "ready" | "unusable" }>): void {
    // Of an answer that was given up, nobody waits. What is no message has no number.
    if (message.id !== 0 && message.id !== this.nextId - 1) return;
    if (message.kind === "scored") this.waiting?.resolve(message);
    else this.waiting?.reject(new Error(`the reward function threw ${message.message}`));
  }

  private ended(how: string): Error {
    const printed = this.printed.trim();
    return failed(`its process's end by ${how}${printed === "" ? "" : `: ${printed}`}`);
  }

  private end(error: Error): void {
    this.waiting?.reject(error);
    if (this.isOver) return;
    this.isOver = true;
    this.child.kill("SIGKILL");
    this.onOver(this);
  }
}

function failed(received: string): ServiceFailed {
  return new ServiceFailed("an answer of the reward function", received);
}

function messageOf(line: string): FromRewardProcess {
  try {
    if (line.length > longestLine) throw new RangeError(`${line.length} characters`);
    return JSON.parse(line) as FromRewardProcess;
  } catch (error) {
    return { kind: "threw", id: 0, message: (error as Error).message };
  }
}

/** The program, its arguments and its folder. */
function commandOf(source: RewardSource, { memoryMb }: RewardLimits): [string, string[], string] {
  if (typeof source === "string" && source.endsWith(".py"))
    return ["python3", ["-c", pythonRunner(memoryMb), source], dirname(source)];
  const runner = fileURLToPath(new URL("./runner.js", import.meta.url));
  const what = typeof source === "string" ? pathToFileURL(source).href : JSON.stringify(source);
  const folder = typeof source === "string" ? dirname(source) : process.cwd();
  return [process.execPath, [`--max-old-space-size=${memoryMb}`, runner, what], folder];
}

/** The gym's own settings, among them tokens, are none of the function's business. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PALESTRA_")));
}
