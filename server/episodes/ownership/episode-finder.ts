import type { Registry } from "../../../envs/registry.js";
import { GymError, shown } from "../../errors.js";
import type { Log } from "../../log/log.js";
import { keyOf } from "../../log/records/episode-id.js";
import type { EpisodeRecord, EpisodeRow } from "../../log/records/protocol.js";
import { Episode, type EpisodeServices } from "../episode/episode.js";
import type { EpisodeTable } from "../episode/episode-table.js";
import { originFromLog } from "../episode/origin.js";
import { elsewhere } from "../episode/refusals.js";
import type { WatchedState } from "../episode/watchers.js";
import type { Ownership } from "./ownership.js";

/** Finds episodes in memory, and loads the other episodes from the log. */
export class EpisodeFinder {
  private readonly loading = new Map<string, Promise<Episode>>();

  constructor(
    private readonly table: EpisodeTable,
    private readonly log: Log,
    private readonly registry: Registry,
    private readonly services: EpisodeServices,
    private readonly ownership: Ownership,
  ) {}

  /** Returns the owner's episode and renews its lease. @throws {GymError} EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN, LOG_FAILED */
  async find(owner: string, id: string): Promise<Episode> {
    if (!this.log.isMember) throw elsewhere(id);
    const episode = this.table.get(id) ?? (await this.load(id));
    if (episode.row.owner !== owner) throw unknownEpisode(id);
    return episode;
  }

  /**
   * Returns the state of the owner's episode. It renews no lease and loads no episode into memory, so a watcher keeps no
   * instance. @throws {GymError} EPISODE_UNKNOWN, LOG_FAILED
   */
  async peek(owner: string, id: string): Promise<WatchedState> {
    const state = this.table.peek(id) ?? (await this.peekInLog(id));
    if (state.row.owner !== owner) throw unknownEpisode(id);
    return state;
  }

  /** Returns the keys of the episodes that were created before `beforeMs` and are in memory or being loaded. */
  keysInUse(beforeMs: number): number[] {
    return [...this.table.keysCreatedBefore(beforeMs), ...this.keysInLoading];
  }

  /** Keys of the episodes that are being loaded from the log. */
  get keysInLoading(): number[] {
    return [...this.loading.keys()].map(keyOf).filter((key) => key !== null);
  }

  private async peekInLog(id: string): Promise<WatchedState> {
    const record = await this.recordOf(id);
    return this.table.peek(id) ?? { ...record, live: false };
  }

  private load(id: string): Promise<Episode> {
    let loading = this.loading.get(id);
    if (!loading) {
      loading = this.loadFromLog(id).finally(() => this.loading.delete(id));
      this.loading.set(id, loading);
    }
    return loading;
  }

  private async loadFromLog(id: string): Promise<Episode> {
    const record = await this.recordOf(id);
    const known = this.table.get(id);
    if (known) return known;
    await this.moveIfUnknown(record.row);
    const episode = new Episode(originFromLog(record, this.registry), this.services);
    this.table.add(episode);
    return episode;
  }

  /**
   * Moves an episode to a gym that has its environment, if this gym does not: during a rolling update, some gyms of a
   * fleet have another version of it. @throws {GymError} EPISODE_ELSEWHERE
   */
  private async moveIfUnknown({ key, id, environment }: EpisodeRow): Promise<void> {
    if (this.registry.has(environment)) return;
    if (await this.ownership.moveToGymWith(environment, key)) throw elsewhere(id);
  }

  /** @throws {GymError} EPISODE_UNKNOWN, LOG_FAILED */
  private async recordOf(id: string): Promise<EpisodeRecord> {
    const key = keyOf(id);
    if (key !== null) this.ownership.check(key, id);
    const record = key === null ? null : await this.log.call("findEpisode", key);
    if (record?.row.id !== id) throw unknownEpisode(id);
    return record;
  }
}

export function unknownEpisode(id: string): GymError {
  return new GymError("EPISODE_UNKNOWN", "the id of one of your episodes", shown(id));
}
