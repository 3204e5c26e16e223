import { AnswerProcess, type Program } from "../shared/processes/answer-process.js";

/** A request to a worker: the name of the call, and its arguments. */
export interface Ask {
  call: "describe" | "reset" | "step";
  [argument: string]: unknown;
}

type Worker = AnswerProcess<Ask>;

const defaultMost = 32;
/** Milliseconds after which an idle process is ended. */
const idleMs = 60_000;

/** Processes that run the same program. Each episode borrows one. A process that failed is not lent again. */
export class Workers {
  private readonly idle: { worker: Worker; timer: NodeJS.Timeout }[] = [];
  private readonly line: (() => void)[] = [];
  private count = 0;

  constructor(
    private readonly program: Program,
    private readonly most = defaultMost,
  ) {}

  /** Waits for a free process, or starts one. @throws the signal's reason */
  async take(signal: AbortSignal): Promise<Worker> {
    for (;;) {
      signal.throwIfAborted();
      const free = this.idle.pop();
      if (free) {
        clearTimeout(free.timer);
        return free.worker;
      }
      if (this.count < this.most) return this.start();
      await this.turn(signal);
    }
  }

  giveBack(worker: Worker, isSound: boolean): void {
    if (!isSound || worker.isOver) return worker.close();
    const timer = setTimeout(() => worker.close(), idleMs).unref();
    this.idle.push({ worker, timer });
    this.line.shift()?.();
  }

  private start(): Worker {
    this.count += 1;
    return new AnswerProcess<Ask>(this.program, (ended) => {
      this.count -= 1;
      const at = this.idle.findIndex(({ worker }) => worker === ended);
      if (at >= 0) this.idle.splice(at, 1);
      this.line.shift()?.();
    });
  }

  private turn(signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.line.splice(this.line.indexOf(next), 1);
        reject(signal.reason);
      };
      const next = () => {
        signal.removeEventListener("abort", abort);
        resolve();
      };
      signal.addEventListener("abort", abort, { once: true });
      this.line.push(next);
    });
  }
}
