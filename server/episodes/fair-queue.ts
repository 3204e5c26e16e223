/** Runs tasks, a few at a time. Owners take turns, so that one who has many keeps nobody waiting who has few. */
export class FairQueue {
  /** Owners in the order of their turns. */
  private readonly waiting = new Map<string, (() => Promise<void>)[]>();
  private running = 0;

  /** @param atOnce tasks that run at a time */
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
      // To the end of the line, if there is more to do.
      this.waiting.delete(owner);
      if (tasks.length > 0) this.waiting.set(owner, tasks);
      return task;
    }
    return undefined;
  }
}
