/** The task's own solution: clicks and keys in the places where its start puts the windows. */
import { type Action, actionText } from "./actions.js";
import type { Task } from "./tasks.js";

export class Plan {
  private at = 0;
  private readonly actions: readonly string[];

  constructor(task: Task) {
    this.actions = [...(task.solution as Action[]), { action: "done" } as const].map(actionText);
  }

  /** Null where all of it was played. */
  get next(): string | null {
    return this.actions[this.at] ?? null;
  }

  /** Takes note of an action that was played. Actions of the agent's own between those of the plan leave it as it is. */
  done(action: string): void {
    if (action === this.next) this.at += 1;
  }
}
