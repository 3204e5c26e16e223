import type { Log } from "./log.js";
import type { LoggedStep } from "./step-page.js";

/** Characters of a page of steps: many for a person, few for the memory and the log's other readers. */
const longestPage = 2 ** 22;

/** Pages that are read at a time. The log answers all that it is asked at once, and steps wait for that. */
const mostReads = 4;

/** Reads of long pages, in the order in which they were asked for. */
export class PageReads {
  private reading = 0;
  private readonly waiting: (() => void)[] = [];

  constructor(private readonly log: Log) {}

  /** At most `limit` steps of an episode, from index `from` on. @throws {GymError} LOG_FAILED */
  async read(episode: number, from: number, limit: number): Promise<LoggedStep[]> {
    if (this.reading < mostReads) this.reading += 1;
    else await new Promise<void>((resolve) => this.waiting.push(resolve));
    try {
      return await this.log.call("readSteps", episode, from, limit, longestPage);
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.reading -= 1;
    }
  }
}
