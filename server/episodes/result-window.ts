/** Characters of the results of the tasks that run. */
const mostCharacters = 2 ** 26;
const mostTasks = 64;
/** Until the first result shows how large they are. */
const firstTasks = 8;

/**
 * Lets tasks run side by side, as many as there is room for their results. How large a result is shows only when it is
 * there, so each of those that run counts as the largest so far.
 */
export class ResultWindow {
  private largest = mostCharacters / firstTasks;
  private known = false;
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** Tasks begin in the order in which they are given. */
  async run(task: () => Promise<string>): Promise<string> {
    if (this.running >= this.room) await new Promise<void>((begin) => this.waiting.push(begin));
    else this.running += 1;
    try {
      const result = await task();
      this.learn(result.length);
      return result;
    } finally {
      this.running -= 1;
      this.beginMore();
    }
  }

  private get room(): number {
    return Math.min(mostTasks, Math.max(1, Math.floor(mostCharacters / this.largest)));
  }

  private learn(characters: number): void {
    this.largest = this.known ? Math.max(this.largest, characters) : Math.max(1, characters);
    this.known = true;
  }

  private beginMore(): void {
    while (this.running < this.room) {
      const begin = this.waiting.shift();
      if (!begin) return;
      this.running += 1;
      begin();
    }
  }
}
