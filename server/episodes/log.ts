import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { GymError } from "../errors.js";
import type { Ended } from "./host-protocol.js";
import type { LogAnswer, LogCallName, LogCalls, LogThreadData, ToLog } from "./log-protocol.js";
import { StepPageWriter } from "./step-page.js";

type Settle = (answer: LogAnswer) => void;

/**
 * The main thread's end of the episode log. A write is in the log when its callback or promise says so, and not before.
 * Bounded from outside: a step that waits here still counts as in flight.
 */
export class Log {
  /** Who waits for the thread's answers, oldest first. */
  private readonly unanswered: Settle[] = [];
  private readonly page = new StepPageWriter();
  private callbacks: ((error: GymError | null) => void)[] = [];
  /** Answers on their way whose callers were told already. */
  private refused = 0;
  private lost: GymError | null = null;

  private constructor(private readonly worker: Worker) {
    worker.on("message", (answers: LogAnswer[]) => this.receive(answers));
    worker.on("error", (error) => this.lose(error.message));
    worker.on("exit", () => this.lose("its thread has ended"));
  }

  /** @throws {GymError} LOG_FAILED where the file cannot be opened */
  static async open(options: LogThreadData): Promise<Log> {
    const worker = new Worker(new URL("./log-thread.js", import.meta.url), { workerData: options });
    const log = new Log(worker);
    await log.call("nextKey");
    return log;
  }

  get healthy(): boolean {
    return this.lost === null;
  }

  /** The steps of one message of a host leave together. `done` is called once: with null when the step is in the log. */
  appendStep(
    episode: number,
    index: number,
    action: string,
    reply: string,
    ended: Ended,
    done: (error: GymError | null) => void,
  ): void {
    if (this.callbacks.length === 0) queueMicrotask(() => this.flush());
    this.page.add(episode, index, action, reply, ended);
    this.callbacks.push(done);
    if (this.page.isFull) this.flush();
  }

  /** @throws {GymError} LOG_FAILED */
  call<Name extends LogCallName>(
    method: Name,
    ...args: Parameters<LogCalls[Name]>
  ): Promise<ReturnType<LogCalls[Name]>> {
    this.flush();
    return new Promise((resolve, reject) => {
      this.send({ kind: "call", method, args }, (answer) => {
        if ("error" in answer) reject(this.failure(answer.error));
        else resolve(answer.value as ReturnType<LogCalls[Name]>);
      });
    });
  }

  /** Commits what was sent and closes the file. */
  async close(): Promise<void> {
    if (this.lost) return;
    this.flush();
    this.post({ kind: "close" });
    await once(this.worker, "exit");
  }

  private flush(): void {
    if (this.callbacks.length === 0) return;
    const { callbacks } = this;
    this.callbacks = [];
    this.send({ kind: "steps", page: this.page.take() }, (answer) => {
      const error = "error" in answer ? this.failure(answer.error) : null;
      for (const done of callbacks) done(error);
    });
  }

  private send(message: ToLog, settle: Settle): void {
    if (this.lost) return settle({ error: this.lost.received });
    this.unanswered.push(settle);
    this.post(message);
  }

  private post(message: ToLog): void {
    this.worker.postMessage(message);
  }

  private receive(answers: LogAnswer[]): void {
    for (const answer of answers) {
      if (this.refused > 0) {
        this.refused -= 1;
        continue;
      }
      this.unanswered.shift()?.(answer);
      if ("error" in answer) this.onFailedCommit(answer.error);
    }
  }

  /**
   * Whatever was sent before this moment is refused by the thread, since it may build on what was lost: everyone who
   * waits is told now, so that nothing sent after `recover` continues a lost step.
   */
  private onFailedCommit(reason: string): void {
    this.flush();
    this.refused = this.unanswered.length;
    for (const settle of this.unanswered.splice(0)) settle({ error: reason });
    this.post({ kind: "recover" });
  }

  private lose(reason: string): void {
    if (this.lost) return;
    this.lost = this.failure(reason);
    for (const settle of this.unanswered.splice(0)) settle({ error: reason });
    this.flush();
  }

  private failure(reason: string): GymError {
    return new GymError("LOG_FAILED", "to read and write the episode log", `the failure: ${reason}`);
  }
}
