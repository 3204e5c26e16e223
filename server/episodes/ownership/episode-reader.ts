/** Reads the log of episodes for callers: lists, transcripts and states. */
import PQueue from "p-queue";
import type { Log } from "../../log/log.js";
import type { EpisodeFilter } from "../../log/records/episode-filter.js";
import { keyOf } from "../../log/records/episode-id.js";
import type { EpisodeRow, FilteredEpisodes } from "../../log/records/protocol.js";
import type { LoggedStep } from "../../log/records/step-page.js";
import type { WatchedState } from "../episode/watchers.js";
import { type EpisodeFinder, unknownEpisode } from "./episode-finder.js";

/** Limit on the characters of a page of steps. */
const longestPage = 2 ** 22;

/** Largest number of pages of steps that are read at the same time. Each page stays in memory until it is sent. */
const mostPageReads = 4;

export class EpisodeReader {
  private readonly pageReads = new PQueue({ concurrency: mostPageReads });

  constructor(
    private readonly log: Log,
    private readonly finder: EpisodeFinder,
  ) {}

  /** See `EpisodeFinder.peek`. */
  peek(owner: string, id: string): Promise<WatchedState> {
    return this.finder.peek(owner, id);
  }

  /**
   * Returns a page of logged steps from index `from` on, and the index at which the next page starts.
   *
   * @throws {GymError} EPISODE_UNKNOWN, LOG_FAILED
   */
  async readSteps(
    owner: string,
    id: string,
    from: number,
    limit: number,
  ): Promise<{ rows: LoggedStep[]; next: number | null }> {
    const episode = await this.finder.find(owner, id);
    const rows = await this.readPage(episode, from, limit);
    const end = from + rows.length;
    return { rows, next: rows.length > 0 && end < episode.steps ? end : null };
  }

  /**
   * Returns logged steps of an episode, without renewing its lease.
   *
   * @param maxCharacters limit on the characters of the steps together, except for the first one
   * @throws {GymError} LOG_FAILED
   */
  readPage(
    { row }: Pick<WatchedState, "row">,
    from: number,
    limit: number,
    maxCharacters = longestPage,
  ): Promise<LoggedStep[]> {
    return this.pageReads.add(() => this.log.call("readSteps", row.key, from, limit, maxCharacters));
  }

  /**
   * Returns the owner's episodes, newest first. With `beforeId`, returns only episodes older than that episode. @throws
   * {GymError} EPISODE_UNKNOWN, LOG_FAILED
   */
  async list(owner: string, beforeId: string | undefined, limit: number): Promise<EpisodeRow[]> {
    return this.log.call("listEpisodes", owner, keyBefore(beforeId), limit);
  }

  /** As `list`, with only the episodes that pass a filter. See `LogCalls.filterEpisodes`. */
  async filter(
    owner: string,
    beforeId: string | undefined,
    limit: number,
    filter: EpisodeFilter,
  ): Promise<FilteredEpisodes> {
    return this.log.call("filterEpisodes", owner, keyBefore(beforeId), limit, filter);
  }
}

function keyBefore(id: string | undefined): number {
  const key = id === undefined ? Number.MAX_SAFE_INTEGER : keyOf(id);
  if (key === null) throw unknownEpisode(String(id));
  return key;
}
