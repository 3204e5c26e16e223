import type { Registry } from "../../envs/registry.js";
import { GymError, shown } from "../errors.js";
import { keyOf } from "../log/episode-id.js";
import type { Log } from "../log/log.js";
import { Episode, type EpisodeServices } from "./episode.js";
import type { EpisodeTable } from "./episode-table.js";
import { originFromLog } from "./origin.js";

/** Finds episodes in memory, and loads the other episodes from the log. */
export class EpisodeFinder {
  private readonly loading = new Map<string, Promise<Episode>>();

  constructor(
    private readonly table: EpisodeTable,
    private readonly log: Log,
    private readonly registry: Registry,
    private readonly services: EpisodeServices,
  ) {}

  /** Returns the owner's episode and renews its lease. @throws {GymError} EPISODE_UNKNOWN, ENVIRONMENT_UNKNOWN, LOG_FAILED */
  async find(owner: string, id: string): Promise<Episode> {
    const episode = this.table.get(id) ?? (await this.load(id));
    if (episode.row.owner !== owner) throw unknownEpisode(id);
    return episode;
  }

  /** Returns the keys of the episodes that were created before `beforeMs` and are in memory or being loaded. */
  keysInUse(beforeMs: number): number[] {
    const loading = [...this.loading.keys()].map(keyOf).filter((key) => key !== null);
    return [...this.table.keysCreatedBefore(beforeMs), ...loading];
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
    const key = keyOf(id);
    const record = key === null ? null : await this.log.call("findEpisode", key);
    if (record?.row.id !== id) throw unknownEpisode(id);
    const known = this.table.get(id);
    if (known) return known;
    const episode = new Episode(originFromLog(record, this.registry), this.services);
    this.table.add(episode);
    return episode;
  }
}

export function unknownEpisode(id: string): GymError {
  return new GymError("EPISODE_UNKNOWN", "the id of one of your episodes", shown(id));
}
