/** Runs tasks concurrently up to a limit. Owners take turns, so an owner with many tasks does not delay the others. */
export class FairQueue {
  /** Waiting tasks by owner, in the order of the owners' turns. */
  private readonly waiting = new Map<string, (() => Promise<void>)[]>();
  private running = 0;

  /** @param atOnce largest number of tasks that run at the same time */
  constructor(private readonly atOnce: number) {}

  run<T>(owner: string, task: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const tasks = this.waiting.get(owner) ?? [];
      tasks.push(() => task().then(resolve, reject));
      this.waiting.set(owner, tasks);
      this.startSome();
    });
  }

  private startSome(): void {
    while (this.running < this.atOnce) {
      const task = this.take();
      if (!task) return;
      this.running += 1;
      void task().then(() => {
        this.running -= 1;
        this.startSome();
      });
    }
  }

  private take(): (() => Promise<void>) | undefined {
    for (const [owner, tasks] of this.waiting) {
      const task = tasks.shift();
      // An owner with more tasks goes to the end of the queue.
      this.waiting.delete(owner);
      if (tasks.length > 0) this.waiting.set(owner, tasks);
      return task;
    }
    return undefined;
  }
}
