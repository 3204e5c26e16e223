import { type EngineLimits, EngineLost, EngineProcess } from "./process.js";
import type { Answers, EngineRequest } from "./request.js";

/** Time after which processes that have nothing to do end. */
const idleMs = 60_000;
/** How often a request is sent again after its process was ended from outside. */
const retries = 1;

/** Processes that run SQL: as many as there are requests, up to a limit. They are started when needed. */
export class EnginePool {
  private readonly idle: EngineProcess[] = [];
  private readonly all = new Set<EngineProcess>();
  private readonly line: ((process: EngineProcess) => void)[] = [];
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly most: number,
    private readonly limits: EngineLimits,
  ) {}

  /** Ids of the processes that run. */
  get pids(): number[] {
    return [...this.all].map(({ child }) => child.pid).filter((pid) => pid !== undefined);
  }

  /**
   * @throws {LimitReached} the SQL took too long, or too much memory @throws {EngineLost} its process was ended twice
   * @throws {Error} the request cannot be answered @throws the signal's reason
   */
  async ask<R extends EngineRequest>(request: R, signal: AbortSignal): Promise<Answers[R["op"]]> {
    for (let left = retries; ; left--) {
      const process = await this.take(signal);
      try {
        return (await process.ask(request, signal)) as Answers[R["op"]];
      } catch (error) {
        if (!(error instanceof EngineLost) || left === 0) throw error;
      } finally {
        this.giveBack(process);
      }
    }
  }

  /** Ends all processes. Requests that wait fail. */
  close(): void {
    for (const process of [...this.all]) process.close();
  }

  private take(signal: AbortSignal): Promise<EngineProcess> | EngineProcess {
    signal.throwIfAborted();
    const free = this.idle.pop();
    if (free) return free;
    if (this.all.size < this.most) return this.start();
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.line.splice(this.line.indexOf(next), 1);
        reject(signal.reason);
      };
      const next = (process: EngineProcess) => {
        signal.removeEventListener("abort", abort);
        resolve(process);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.line.push(next);
    });
  }

  private start(): EngineProcess {
    const started = new EngineProcess(this.limits, (over) => {
      this.all.delete(over);
      const at = this.idle.indexOf(over);
      if (at >= 0) this.idle.splice(at, 1);
    });
    this.all.add(started);
    return started;
  }

  private giveBack(process: EngineProcess): void {
    const next = this.line.shift();
    if (next) return next(process.isOver ? this.start() : process);
    if (!process.isOver) this.idle.push(process);
    this.idleTimer ??= setTimeout(() => this.endIdle(), idleMs).unref();
    this.idleTimer.refresh();
  }

  private endIdle(): void {
    for (const process of [...this.idle]) process.close();
  }
}
