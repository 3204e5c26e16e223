import { TaskWindow } from "./task-window.js";

/** Characters of the results of the tasks that run. */
const mostCharacters = 2 ** 26;
const mostTasks = 64;
/** Until the first result shows how large they are. */
const firstTasks = 8;

/**
 * A window with room for as many tasks as there is room for their results. How large a result is shows only when it is
 * there, so each of those that run counts as the largest so far.
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
