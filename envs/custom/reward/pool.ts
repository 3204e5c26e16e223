import { type RewardLimits, RewardProcess, type RewardSource } from "./process.js";
import type { Reward, RewardRequest } from "./request.js";

/** Time after which a process that has nothing to do ends. */
const idleMs = 60_000;

/** Processes of one reward function: as many as there are answers to score, up to a limit. They are started when needed. */
export class RewardPool {
  private readonly idle: RewardProcess[] = [];
  private count = 0;
  private readonly line: ((process: RewardProcess) => void)[] = [];
  private idleTimer: NodeJS.Timeout | undefined;

  constructor(
    private readonly source: RewardSource,
    private readonly limits: RewardLimits,
    private readonly range: readonly [number, number],
  ) {}

  /** @throws {Error} the function cannot be loaded: the message says why */
  async check(): Promise<void> {
    const process = new RewardProcess(this.source, this.limits, () => {});
    try {
      await process.ready;
    } finally {
      process.close();
    }
  }

  /**
   * @throws {ServiceFailed} the process ended, or gave no answer in time
   * @throws {Error} the function threw, or gave no reward within the range
   * @throws the signal's reason
   */
  async score(request: RewardRequest, signal: AbortSignal): Promise<Required<Reward>> {
    const process = await this.take(signal);
    try {
      return this.checked(await process.score(request, signal));
    } finally {
      this.giveBack(process);
    }
  }

  private checked({ reward, info = {} }: { reward: unknown; info?: unknown }): Required<Reward> {
    const [low, high] = this.range;
    if (typeof reward !== "number" || !(reward >= low && reward <= high)) {
      const remedy = "Other ends are set as `rewardRange`";
      throw new Error(`expected a reward from ${low} to ${high}, but received ${JSON.stringify(reward)}. ${remedy}`);
    }
    if (typeof info !== "object" || info === null || Array.isArray(info))
      throw new Error(`expected an object as info, but received ${JSON.stringify(info)}`);
    return { reward, info: info as Required<Reward>["info"] };
  }

  private async take(signal: AbortSignal): Promise<RewardProcess> {
    signal.throwIfAborted();
    const free = this.idle.pop();
    if (free) return free;
    if (this.count < this.limits.processes) return this.start();
    return new Promise((resolve, reject) => {
      const abort = () => {
        this.line.splice(this.line.indexOf(next), 1);
        reject(signal.reason);
      };
      const next = (process: RewardProcess) => {
        signal.removeEventListener("abort", abort);
        resolve(process);
      };
      signal.addEventListener("abort", abort, { once: true });
      this.line.push(next);
    });
  }

  private start(): RewardProcess {
    this.count += 1;
    return new RewardProcess(this.source, this.limits, (over) => {
      this.count -= 1;
      const at = this.idle.indexOf(over);
      if (at >= 0) this.idle.splice(at, 1);
    });
  }

  private giveBack(process: RewardProcess): void {
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
