/**
 * Watchers of episodes, which follow steps and states without taking part in the episode. A step costs one look at a map
 * while its episode has no watcher.
 */
import type { Episode, StepTimes } from "./episode.js";

/** A step that has just been logged. All watchers of its episode get the same object. */
export interface NewStep extends StepTimes {
  readonly index: number;
  readonly action: string;
  /** JSON text of the step result. */
  readonly reply: string;
}

/** State of an episode, in memory or in the log. */
export type WatchedState = Pick<Episode, "row" | "steps" | "phase" | "failure" | "expertUsed" | "live">;

export interface EpisodeWatcher {
  onStep(step: NewStep): void;
  /** Called when the episode's phase changes, and when its instance is freed or restored. */
  onState(state: WatchedState): void;
  /** Called when the episode moves to another gym of the fleet. The watcher hears no more of it. */
  onLeft(): void;
}

export class Watchers {
  private readonly ofEpisodes = new Groups<EpisodeWatcher>();
  private readonly ofOwners = new Groups<(episodeId: string) => void>();

  /** Watches one episode. Returns a function that ends it. */
  watchEpisode(id: string, watcher: EpisodeWatcher): () => void {
    return this.ofEpisodes.add(id, watcher);
  }

  /** Calls `listener` when an owner's episode is created or changes its state. Returns a function that ends it. */
  watchOwner(owner: string, listener: (episodeId: string) => void): () => void {
    return this.ofOwners.add(owner, listener);
  }

  /** Number of episodes with a watcher. */
  get watchedEpisodes(): number {
    return this.ofEpisodes.size;
  }

  onStepped({ row, steps }: Episode, action: string, reply: string, times: StepTimes): void {
    const watchers = this.ofEpisodes.of(row.id);
    if (!watchers) return;
    const step: NewStep = { index: steps - 1, action, reply, ...times };
    for (const watcher of watchers) watcher.onStep(step);
  }

  onChanged(episode: Episode): void {
    const { id, owner } = episode.row;
    for (const watcher of this.ofEpisodes.of(id) ?? []) watcher.onState(episode);
    for (const listener of this.ofOwners.of(owner) ?? []) listener(id);
  }

  onLeft({ row }: Episode): void {
    for (const watcher of [...(this.ofEpisodes.of(row.id) ?? [])]) watcher.onLeft();
  }
}

/** Sets by name. A set without members is removed. */
class Groups<T> {
  private readonly byName = new Map<string, Set<T>>();

  get size(): number {
    return this.byName.size;
  }

  of(name: string): ReadonlySet<T> | undefined {
    return this.byName.get(name);
  }

  add(name: string, member: T): () => void {
    const members = this.byName.get(name) ?? new Set();
    this.byName.set(name, members.add(member));
    return () => {
      if (members.delete(member) && members.size === 0) this.byName.delete(name);
    };
  }
}
