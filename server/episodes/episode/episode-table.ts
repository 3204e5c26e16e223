import type { Episode } from "./episode.js";

export interface EpisodeTableOptions {
  /** Called for each episode that is parked because its lease has expired. */
  onLapse(episode: Episode): void;
  /** Called for each episode that is parked because another one needs its place. */
  onYield(episode: Episode): void;
  /** Milliseconds without a call after which an episode that can be restored counts as one without a client. */
  quietMs: number;
  /** Returns the time in milliseconds of a clock that never jumps. */
  now(): number;
}

/**
 * The episodes in memory, by id. Each episode has a lease, which any call renews. When the lease expires, the episode
 * is parked and removed from memory. It remains in the log.
 *
 * An episode whose client has gone keeps its instance for as long as no other episode needs the place.
 */
export class EpisodeTable {
  private readonly episodes = new Map<string, Episode>();
  /** Episodes without a client, from the one that has been without for longest. */
  private readonly unattended = new Set<Episode>();

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
    this.unattended.delete(episode);
  }

  add(episode: Episode): void {
    this.episodes.set(episode.row.id, episode);
    this.renew(episode);
  }

  /** Notes that a client has gone. @param lastMs time of its last reply; a later call is that of another client */
  leave(id: string, lastMs: number): void {
    const episode = this.episodes.get(id);
    if (episode && episode.touchedAtMs <= lastMs) this.unattended.add(episode);
  }

  /**
   * Parks and removes the episode that has been without a client for longest, so that another one gets its place. Episodes
   * that would be lost by that come last.
   *
   * @param isWanted whether the place of an episode is of use
   * @returns whether there was such an episode
   */
  yieldOne(isWanted: (episode: Episode) => boolean): boolean {
    let last: Episode | undefined;
    for (const episode of this.unattended) {
      if (!episode.live || !episode.idle || !isWanted(episode)) continue;
      last ??= episode;
      if (episode.spec.restore === "none") continue;
      last = episode;
      break;
    }
    if (!last) return false;
    this.remove(last);
    this.options.onYield(last);
    last.park("its place was needed after its client had gone.");
    return true;
  }

  /** Parks and removes every episode whose lease has expired, unless a caller waits for the episode. */
  sweep(): void {
    const now = this.options.now();
    for (const episode of this.episodes.values()) {
      const keptMs = episode.phase === "running" ? episode.row.leaseMs : retainedMs;
      if (episode.touchedAtMs + keptMs > now || !episode.idle) {
        if (this.isQuiet(episode, now)) this.unattended.add(episode);
        continue;
      }
      this.remove(episode);
      if (!episode.live) continue;
      this.options.onLapse(episode);
      episode.park("its lease expired.");
    }
  }

  /** Returns the keys of the episodes in memory that were created before `beforeMs`. */
  keysCreatedBefore(beforeMs: number): number[] {
    const keys: number[] = [];
    for (const { row } of this.episodes.values()) if (row.createdAtMs < beforeMs) keys.push(row.key);
    return keys;
  }

  private isQuiet({ live, spec, touchedAtMs }: Episode, now: number): boolean {
    return live && spec.restore !== "none" && touchedAtMs + this.options.quietMs <= now;
  }

  private renew(episode: Episode): void {
    episode.touchedAtMs = this.options.now();
    this.unattended.delete(episode);
  }
}

/** Milliseconds for which an episode that no longer runs stays in memory, for retries of its last step. */
const retainedMs = 10_000;
