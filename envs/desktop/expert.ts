/**
 * Expert, which performs the actions of the task's solution. The solution assumes the initial positions of the windows.
 */
import { type Action, actionText } from "./actions.js";
import type { Task } from "./tasks.js";

export class Plan {
  private at = 0;
  private readonly actions: readonly string[];

  constructor(task: Task) {
    this.actions = [...(task.solution as Action[]), { action: "done" } as const].map(actionText);
  }

  /** The next action of the solution, or null after the last action. */
  get next(): string | null {
    return this.actions[this.at] ?? null;
  }

  /**
   * Advances the solution if the performed action is its next action. Actions that are not in the solution are ignored.
   */
  done(action: string): void {
    if (action === this.next) this.at += 1;
  }
}
