import PQueue from "p-queue";

/** Limit on the total number of characters in the results of all running tasks. */
const mostCharacters = 2 ** 26;
const mostTasks = 64;
/** Number of tasks to run at once until the first result shows the size of results. */
const firstTasks = 8;

/**
 * Runs tasks concurrently within a memory limit for their results, in the order in which they were added. The size of a
 * result is unknown until its task is done, so each running task is counted with the largest size so far.
 */
export class ResultWindow {
  private largest = 0;
  private readonly queue = new PQueue({ concurrency: firstTasks });

  run(task: () => Promise<string>): Promise<string> {
    return this.queue.add(async () => {
      const result = await task();
      this.learn(result.length);
      return result;
    });
  }

  private learn(characters: number): void {
    this.largest = Math.max(1, this.largest, characters);
    this.queue.concurrency = Math.min(mostTasks, Math.max(1, Math.floor(mostCharacters / this.largest)));
  }
}
