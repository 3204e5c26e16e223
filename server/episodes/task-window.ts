/** Lets tasks run side by side, as many as there is room for. They begin in the order in which they are given. */
export class TaskWindow {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  /** @param room how many may run now; asked anew whenever one begins or ends */
  constructor(private readonly room: () => number) {}

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.running >= this.room()) await new Promise<void>((begin) => this.waiting.push(begin));
    else this.running += 1;
    try {
      return await task();
    } finally {
      this.running -= 1;
      this.beginMore();
    }
  }

  private beginMore(): void {
    while (this.running < this.room()) {
      const begin = this.waiting.shift();
      if (!begin) return;
      this.running += 1;
      begin();
    }
  }
}
