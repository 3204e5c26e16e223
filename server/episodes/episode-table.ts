import { GymError } from "../errors.js";
import type { Episode } from "./episode.js";

export interface EpisodeTableOptions {
  /** Live episodes in all. */
  maxEpisodes: number;
  /** Live episodes of one owner. */
  maxEpisodesOf(owner: string): number;
  /** Told of each episode that is parked because its lease lapsed. */
  onLapse(episode: Episode): void;
  now(): number;
}

/**
 * The episodes in memory, by id, each under a lease that any call renews. When it lapses the episode is parked and
 * forgotten here; the log still has it. Nothing stays in memory for ever, nothing is lost.
 */
export class EpisodeTable {
  private readonly episodes = new Map<string, Episode>();
  private readonly liveByOwner = new Map<string, number>();
  private live = 0;

  constructor(private readonly options: EpisodeTableOptions) {}

  /** Episodes with an instance, whether it runs or is being restored. */
  get liveCount(): number {
    return this.live;
  }

  get size(): number {
    return this.episodes.size;
  }

  /** Finds an episode and renews its lease. */
  get(id: string): Episode | undefined {
    const episode = this.episodes.get(id);
    if (episode) this.renew(episode);
    return episode;
  }

  add(episode: Episode): void {
    this.episodes.set(episode.row.id, episode);
    this.renew(episode);
  }

  /** Counts one more live episode. @throws {GymError} LIMIT_EPISODES, LIMIT_TOKEN_EPISODES */
  admit(owner: string): void {
    const { maxEpisodes } = this.options;
    if (this.live >= maxEpisodes)
      throw new GymError("LIMIT_EPISODES", `at most ${maxEpisodes} live episodes`, "one more");
    const owned = this.liveByOwner.get(owner) ?? 0;
    const most = this.options.maxEpisodesOf(owner);
    if (owned >= most)
      throw new GymError("LIMIT_TOKEN_EPISODES", `at most ${most} live episodes of one token`, "one more");
    this.liveByOwner.set(owner, owned + 1);
    this.live += 1;
  }

  /** Counts one live episode less. */
  release(owner: string): void {
    const owned = (this.liveByOwner.get(owner) ?? 0) - 1;
    if (owned > 0) this.liveByOwner.set(owner, owned);
    else this.liveByOwner.delete(owner);
    this.live -= 1;
  }

  /** Parks and forgets every episode whose lease has lapsed and that nobody waits for. */
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

  /** Keys of the episodes in memory that were created before `beforeMs`. */
  keysCreatedBefore(beforeMs: number): number[] {
    const keys: number[] = [];
    for (const { row } of this.episodes.values()) if (row.createdAtMs < beforeMs) keys.push(row.key);
    return keys;
  }

  private renew(episode: Episode): void {
    episode.touchedAtMs = this.options.now();
  }
}

/** How long an episode that no longer runs is kept for the retry of its last step before the log has to be asked. */
const retainedMs = 10_000;
