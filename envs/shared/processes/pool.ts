import { AnswerProcess, ProcessLost, ProcessSpent, type Program } from "./answer-process.js";

/** Idle time in milliseconds after which the pool ends its idle processes. */
const idleMs = 60_000;

export interface PoolLimits {
  /** Maximum number of processes. */
  most: number;
  /** Maximum number of retries of a request whose process was lost. */
  retries: number;
}

interface Place<Request extends object> {
  /** Whether the request is served before all waiting requests that are not urgent. */
  isUrgent: boolean;
  take(process: AnswerProcess<Request>): void;
  refuse(error: Error): void;
}

/** Pool of processes that run the same program. Processes are started on demand, up to a limit. */
export class ProcessPool<Request extends object> {
  private readonly idle: AnswerProcess<Request>[] = [];
  private readonly all = new Set<AnswerProcess<Request>>();
  private readonly line: Place<Request>[] = [];
  private idleTimer: NodeJS.Timeout | undefined;
  private isClosed = false;

  constructor(
    private readonly program: Program,
    private readonly limits: PoolLimits,
  ) {}

  /** Ids of the running processes. */
  get pids(): number[] {
    return [...this.all].map(({ child }) => child.pid).filter((pid) => pid !== undefined);
  }

  /**
   * Sends a request to a free process and returns the reply.
   *
   * @param isUrgent whether the request is served before all waiting requests that are not urgent
   * @throws the errors of `AnswerProcess.ask`, but `ProcessLost` only after all retries or if the pool is closed
   */
  async ask(request: Request, signal: AbortSignal, isUrgent = false): Promise<unknown> {
    for (let left = this.limits.retries; ; left--) {
      const process = await this.take(signal, isUrgent);
      try {
        return await process.ask(request, signal);
      } catch (error) {
        if (error instanceof ProcessSpent) left++;
        else if (!(error instanceof ProcessLost) || left === 0 || this.isClosed) throw error;
      } finally {
        this.giveBack(process);
      }
    }
  }

  /** Ends all processes. All running, waiting and later requests fail. */
  close(): void {
    this.isClosed = true;
    clearTimeout(this.idleTimer);
    for (const { refuse } of this.line.splice(0)) refuse(this.closed());
    for (const process of [...this.all]) process.close();
  }

  private take(signal: AbortSignal, isUrgent: boolean): Promise<AnswerProcess<Request>> | AnswerProcess<Request> {
    signal.throwIfAborted();
    if (this.isClosed) throw this.closed();
    const free = this.idle.pop();
    if (free) return free;
    if (this.all.size < this.limits.most) return this.start();
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.line.splice(this.line.indexOf(place), 1);
        reject(signal.reason);
      };
      const leaving =
        <Result>(leave: (result: Result) => void) =>
        (result: Result) => {
          signal.removeEventListener("abort", abort);
          leave(result);
        };
      const place = { isUrgent, take: leaving(resolve), refuse: leaving(reject) };
      signal.addEventListener("abort", abort, { once: true });
      this.queue(place);
    });
  }

  private queue(place: Place<Request>): void {
    const at = place.isUrgent ? this.line.findIndex(({ isUrgent }) => !isUrgent) : -1;
    if (at < 0) this.line.push(place);
    else this.line.splice(at, 0, place);
  }

  private start(): AnswerProcess<Request> {
    const started = new AnswerProcess<Request>(this.program, (over) => {
      this.all.delete(over);
      const at = this.idle.indexOf(over);
      if (at >= 0) this.idle.splice(at, 1);
    });
    this.all.add(started);
    return started;
  }

  private giveBack(process: AnswerProcess<Request>): void {
    const next = this.line.shift();
    if (next) return next.take(process.isOver ? this.start() : process);
    if (!process.isOver) this.idle.push(process);
    if (this.isClosed) return;
    this.idleTimer ??= setTimeout(() => this.endIdle(), idleMs).unref();
    this.idleTimer.refresh();
  }

  private endIdle(): void {
    for (const process of [...this.idle]) process.close();
  }

  private closed(): ProcessLost {
    return new ProcessLost(`an answer of ${this.program.name}`, "no answer, because the pool is closed");
  }
}
