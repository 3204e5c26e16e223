/**
 * Runs tasks concurrently, up to a limit that may change over time. Tasks start in the order in which they were added.
 */
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

/** Limit on the total number of characters in the results of all running tasks. */
const mostCharacters = 2 ** 26;
const mostTasks = 64;
/** Number of tasks to run at once until the first result shows the size of results. */
const firstTasks = 8;

/**
 * Runs tasks concurrently within a memory limit for their results. The size of a result is unknown until its task is
 * done, so each running task is counted with the largest size so far.
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
