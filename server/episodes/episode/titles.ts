/** Titles of tasks, for lists of episodes. */
import { setImmediate } from "node:timers/promises";
import type { Registry } from "../../../envs/registry.js";
import type { EpisodeRow } from "../../log/records/protocol.js";

/** Number of titles that are kept, since a list shows the same tasks again, and a search looks at many. */
const mostKept = 50_000;

/** Milliseconds of work on titles before a pause. A title may take as long to make as its task. */
const titlesForMs = 5;

export class TaskTitles {
  private readonly titles = new Map<string, string | null>();
  private workedMs = 0;

  constructor(private readonly registry: Registry) {}

  /** Returns the title of an episode's task if it was made before; undefined otherwise. */
  kept(row: EpisodeRow): string | null | undefined {
    return this.titles.get(keyOf(row));
  }

  /** Returns the title of an episode's task, or null if the gym does not have the environment or the task. */
  async of(row: EpisodeRow): Promise<string | null> {
    const key = keyOf(row);
    const kept = this.titles.get(key);
    if (kept !== undefined) return kept;
    if (this.workedMs > titlesForMs) {
      this.workedMs = 0;
      await setImmediate();
    }
    const begun = performance.now();
    const title = this.make(row);
    this.workedMs += performance.now() - begun;
    if (this.titles.size >= mostKept) this.titles.delete(this.titles.keys().next().value as string);
    this.titles.set(key, title);
    return title;
  }

  private make({ environment, split, taskIndex }: EpisodeRow): string | null {
    try {
      return this.registry.get(environment).splits[split]?.title(taskIndex) ?? null;
    } catch {
      // An added environment may fail, and its episodes are listed all the same.
      return null;
    }
  }
}

function keyOf({ environment, split, taskIndex }: EpisodeRow): string {
  return JSON.stringify([environment, split, taskIndex]);
}
