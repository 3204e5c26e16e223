/**
 * Training runs and evaluations, as the gym's main thread sees them. A thread of its own reads their files, since parsing
 * megabytes of JSON would delay steps. The thread starts at the first call.
 */
import { Worker } from "node:worker_threads";
import { GymError } from "../errors.js";
import type { RunAnswer, RunCalls, RunCancel, RunRequest, RunThreadData } from "./protocol.js";

/** Calls that may wait for the thread at a time. */
const mostWaiting = 256;
/** Memory in MiB of the thread. A file may have any content, so its parsed form may need far more than its size. */
const threadMemoryMb = 512;

interface Waiting {
  resolve(text: string): void;
  reject(error: GymError): void;
}

export class Runs {
  private worker: Worker | undefined;
  private readonly waiting = new Map<number, Waiting>();
  private nextId = 1;
  private isClosed = false;

  /** @param folders folders of runs; a folder that does not exist has no runs */
  constructor(
    private readonly folders: readonly string[],
    private readonly memoryMb = threadMemoryMb,
  ) {}

  /**
   * Returns the JSON text of a reply.
   *
   * @param onHangUp calls a function if nobody waits for the reply any more; a search then ends early
   * @throws {GymError} RUN_UNKNOWN, RUN_PART_UNKNOWN, RUN_DAMAGED, RUNS_FAILED
   */
  call<Name extends keyof RunCalls>(
    name: Name,
    params: RunCalls[Name],
    onHangUp?: (listener: () => void) => () => void,
  ): Promise<string> {
    if (this.isClosed) throw GymError.ofState("SERVER_DRAINING", "The server is shutting down.");
    if (this.waiting.size >= mostWaiting)
      throw GymError.ofState("LIMIT_IN_FLIGHT", "Too many calls about runs wait for their replies.");
    const worker = this.started();
    const id = this.nextId++;
    const forget = onHangUp?.(() => worker.postMessage({ cancel: id } satisfies RunCancel));
    const reply = new Promise<string>((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      worker.postMessage({ id, name, params } as RunRequest);
    });
    return reply.finally(() => forget?.());
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.worker?.terminate();
  }

  private started(): Worker {
    if (this.worker) return this.worker;
    const worker = new Worker(new URL("./thread.js", import.meta.url), {
      workerData: { folders: this.folders } satisfies RunThreadData,
      resourceLimits: { maxOldGenerationSizeMb: this.memoryMb },
    });
    worker.unref();
    worker.on("message", (answer: RunAnswer) => this.settle(answer));
    worker.on("error", (error) => this.lose(worker, error.message));
    worker.on("exit", () => this.lose(worker, "its thread has ended"));
    this.worker = worker;
    return worker;
  }

  private settle(answer: RunAnswer): void {
    const waiting = this.waiting.get(answer.id);
    this.waiting.delete(answer.id);
    if ("text" in answer) return waiting?.resolve(answer.text);
    const { code, expected, received } = answer.refusal;
    waiting?.reject(new GymError(code, expected, received));
  }

  /** Fails all calls that wait. The next call starts another thread. */
  private lose(worker: Worker, reason: string): void {
    if (this.worker !== worker) return;
    this.worker = undefined;
    for (const { reject } of this.waiting.values()) reject(new GymError("RUNS_FAILED", "the runs to be read", reason));
    this.waiting.clear();
  }
}
