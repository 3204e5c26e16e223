/** Titles of tasks, for lists of episodes. */
import { setImmediate } from "node:timers/promises";
import type { Registry } from "../../../envs/registry.js";
import type { EpisodeRow } from "../../log/records/protocol.js";

/** Number of titles that are kept, since a list shows the same tasks again. */
const mostKept = 10_000;

/** Milliseconds of work on titles before a pause. A title may take as long to make as its task. */
const titlesForMs = 5;

export class TaskTitles {
  private readonly kept = new Map<string, string | null>();
  private workedMs = 0;

  constructor(private readonly registry: Registry) {}

  /** Returns the title of an episode's task, or null if the gym does not have the environment or the task. */
  async of({ environment, split, taskIndex }: EpisodeRow): Promise<string | null> {
    const key = JSON.stringify([environment, split, taskIndex]);
    const kept = this.kept.get(key);
    if (kept !== undefined) return kept;
    if (this.workedMs > titlesForMs) {
      this.workedMs = 0;
      await setImmediate();
    }
    const begun = performance.now();
    const title = this.make(environment, split, taskIndex);
    this.workedMs += performance.now() - begun;
    if (this.kept.size >= mostKept) this.kept.delete(this.kept.keys().next().value as string);
    this.kept.set(key, title);
    return title;
  }

  private make(environment: string, split: string, taskIndex: number): string | null {
    try {
      return this.registry.get(environment).splits[split]?.title(taskIndex) ?? null;
    } catch {
      // An added environment may fail, and its episodes are listed all the same.
      return null;
    }
  }
}
