/** Cores that take work in the order of its arrival. Each core is known by the time from which it is free. */
export class Machine {
  private readonly freeAt: Float64Array;
  busyMs = 0;

  constructor(cores: number) {
    this.freeAt = new Float64Array(cores);
  }

  /**
   * Runs a piece of work. Returns the time of its end.
   *
   * @param thread a thread that runs one piece of work at a time, for the first `threadMs` of the work
   */
  run(arrivesAt: number, workMs: number, thread?: Thread, threadMs = workMs): number {
    const core = this.firstFree();
    const startsAt = Math.max(arrivesAt, this.freeAt[core] as number, thread?.freeAt ?? 0);
    const endsAt = startsAt + workMs;
    this.freeAt[core] = endsAt;
    if (thread) thread.freeAt = startsAt + threadMs;
    this.busyMs += workMs;
    return endsAt;
  }

  /**
   * Runs a piece of work before the waiting work. Returns the time of its end.
   *
   * @param mostWaitMs time for which it waits for a core at most. Default: none.
   */
  runAhead(arrivesAt: number, workMs: number, mostWaitMs = 0): number {
    const core = this.firstFree();
    const freeAt = Math.max(arrivesAt, this.freeAt[core] as number);
    this.freeAt[core] = freeAt + workMs;
    this.busyMs += workMs;
    return Math.min(freeAt, arrivesAt + mostWaitMs) + workMs;
  }

  private firstFree(): number {
    let core = 0;
    for (let i = 1; i < this.freeAt.length; i++)
      if ((this.freeAt[i] as number) < (this.freeAt[core] as number)) core = i;
    return core;
  }
}

export interface Thread {
  freeAt: number;
}
