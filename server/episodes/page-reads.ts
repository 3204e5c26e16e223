import type { Log } from "../log/log.js";
import type { LoggedStep } from "../log/step-page.js";
import { TaskWindow } from "./task-window.js";

/** Characters of a page of steps: many for a person, few for the memory and the log's other readers. */
const longestPage = 2 ** 22;

/** Pages that are read at a time: what is read waits in memory for its way to the main thread and out of it. */
const mostReads = 4;

/** Reads of long pages, in the order in which they were asked for. */
export class PageReads {
  private readonly window = new TaskWindow(() => mostReads);

  constructor(private readonly log: Log) {}

  /** At most `limit` steps of an episode, from index `from` on. @throws {GymError} LOG_FAILED */
  read(episode: number, from: number, limit: number): Promise<LoggedStep[]> {
    return this.window.run(() => this.log.call("readSteps", episode, from, limit, longestPage));
  }
}
