/** Runs tasks concurrently, up to a limit that may change. Tasks start in the order in which they were added. */
export class TaskWindow {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param room returns the number of tasks that may run now; called whenever a task starts or ends */
  constructor(private readonly room: () => number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running >= this.room()) await new Promise<void>((start) => this.waiting.push(start));
    else this.running += 1;
    try {
      return await task();
    } finally {
      this.running -= 1;
      this.startMore();
    }
  }

  private startMore(): void {
    while (this.running < this.room()) {
      const start = this.waiting.shift();
      if (!start) return;
      this.running += 1;
      start();
    }
  }
}

/** Limit on the characters of the results of all running tasks together. */
const mostCharacters = 2 ** 26;
const mostTasks = 64;
/** Number of tasks to run until the first result shows how large results are. */
const firstTasks = 8;

/**
 * Runs as many tasks concurrently as there is memory for their results. The size of a result is known only when the task
 * is done, so each running task counts as the largest result so far.
 */
export class ResultWindow {
  private largest = mostCharacters / firstTasks;
  private known = false;
  private readonly window = new TaskWindow(() => this.room);

  run(task: () => Promise<string>): Promise<string> {
    return this.window.run(async () => {
      const result = await task();
      this.learn(result.length);
      return result;
    });
  }

  private get room(): number {
    return Math.min(mostTasks, Math.max(1, Math.floor(mostCharacters / this.largest)));
  }

  private learn(characters: number): void {
    this.largest = this.known ? Math.max(this.largest, characters) : Math.max(1, characters);
    this.known = true;
  }
}
