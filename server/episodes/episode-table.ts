import type { Episode } from "./episode.js";

export interface EpisodeTableOptions {
  /** Called for each episode that is parked because its lease has expired. */
  onLapse(episode: Episode): void;
  /** Returns the time in milliseconds of a clock that never jumps. */
  now(): number;
}

/**
 * The episodes in memory, by id. Each episode has a lease, which any call renews. When the lease expires, the episode
 * is parked and removed from memory. It remains in the log.
 */
export class EpisodeTable {
  private readonly episodes = new Map<string, Episode>();

  constructor(private readonly options: EpisodeTableOptions) {}

  get size(): number {
    return this.episodes.size;
  }

  /** Returns an episode and renews its lease. */
  get(id: string): Episode | undefined {
    const episode = this.episodes.get(id);
    if (episode) this.renew(episode);
    return episode;
  }

  /** Returns an episode without renewing its lease. */
  peek(id: string): Episode | undefined {
    return this.episodes.get(id);
  }

  all(): Iterable<Episode> {
    return this.episodes.values();
  }

  remove(episode: Episode): void {
    this.episodes.delete(episode.row.id);
  }

  add(episode: Episode): void {
    this.episodes.set(episode.row.id, episode);
    this.renew(episode);
  }

  /** Parks and removes every episode whose lease has expired, unless a caller waits for the episode. */
  sweep(): void {
    const now = this.options.now();
    for (const episode of this.episodes.values()) {
      const keptMs = episode.phase === "running" ? episode.row.leaseMs : retainedMs;
      if (episode.touchedAtMs + keptMs > now || !episode.idle) continue;
      this.episodes.delete(episode.row.id);
      if (!episode.live) continue;
      this.options.onLapse(episode);
      episode.park();
    }
  }

  /** Returns the keys of the episodes in memory that were created before `beforeMs`. */
  keysCreatedBefore(beforeMs: number): number[] {
    const keys: number[] = [];
    for (const { row } of this.episodes.values()) if (row.createdAtMs < beforeMs) keys.push(row.key);
    return keys;
  }

  private renew(episode: Episode): void {
    episode.touchedAtMs = this.options.now();
  }
}

/** Milliseconds for which an episode that no longer runs stays in memory, for retries of its last step. */
const retainedMs = 10_000;
