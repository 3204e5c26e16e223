/**
 * The sessions of a namespace, in memory and in the log. The log stores the ids of sessions with an episode as aliases, so
 * clients can continue after a restart of the server.
 */
import type { Episode } from "../episodes/episode/episode.js";
import { isElsewhere } from "../episodes/episode/refusals.js";
import { type EpisodeResult, parseResult, readNewestResult } from "../episodes/episode/results.js";
import type { Gym } from "../episodes/gym.js";
import { GymError } from "../errors.js";
import type { AliasRow } from "../log/records/protocol.js";
import type { Played } from "./play.js";
import { SessionError } from "./session-error.js";
import { OwnedValues } from "./session-ids.js";

/** Episode id that a session has before its first reset. */
const noEpisode = "";

/** Number of sessions of one owner that are not in the log. A further one replaces the oldest. */
const mostUnstored = 1_000;

export interface Session {
  row: AliasRow;
  /** Result of the last step or reset. Null before the first reset. */
  newest: EpisodeResult | null;
  /** The episode to which `newest` belongs, as it was found last. */
  found: WeakRef<Episode> | null;
  touchedAtMs: number;
  /** Settles when the last call in the queue is done. */
  tail: Promise<unknown>;
}

export interface SessionTableOptions {
  /** Name of the protocol's endpoint. Ids are unique within a namespace. */
  namespace: string;
  /**
   * Milliseconds without a call after which a session is removed from memory. The next call then reads the session from
   * the log.
   */
  idleMs: number;
}

export class SessionTable {
  private readonly sessions = new Map<number, Session>();
  /** Sessions that are not in the log, because they have had no episode yet. */
  private readonly unstored = new OwnedValues<true>(mostUnstored);
  private readonly loading = new Map<number, Promise<Session | null>>();
  private readonly timer: NodeJS.Timeout;

  constructor(
    private readonly gym: Gym,
    private readonly options: SessionTableOptions,
  ) {
    this.timer = setInterval(() => this.forgetIdle(), options.idleMs / 10);
    this.timer.unref();
  }

  /** Frees the timer. The sessions remain in the log. */
  stop(): void {
    clearInterval(this.timer);
  }

  /** Adds a session with an episode. */
  async add(owner: string, id: number, played: Played): Promise<void> {
    this.sessions.set(id, sessionOf(await this.store(owner, id, played.episode.row.id), played));
  }

  /** Adds a session without an episode. */
  async addEmpty(owner: string, id: number): Promise<void> {
    this.sessions.set(id, sessionOf(await this.store(owner, id, noEpisode), null));
  }

  /** Adds a session without an episode that is not in the log until its first reset. */
  addUnstored(owner: string, id: number): void {
    this.sessions.set(id, sessionOf(this.rowOf(owner, id, noEpisode), null));
    const replaced = this.unstored.set(owner, id, true);
    if (replaced !== undefined) this.forget(replaced);
  }

  /** Stores a session that may not be in the log, so that another gym of the fleet can play it. */
  async publish(id: number): Promise<void> {
    const session = this.sessions.get(id);
    if (!session || !this.unstored.has(id)) return;
    await this.gym.log.call("setAlias", session.row);
    this.unstored.delete(id);
  }

  /** @throws {SessionError} if the owner has no such session, or has closed it */
  async find(owner: string, id: number): Promise<Session> {
    const session = await this.get(id);
    if (session?.row.owner !== owner) throw await this.absence(owner, id);
    return session;
  }

  /** Returns the id of the episode of a session in memory, or undefined. */
  episodeIdOf(id: number): string | undefined {
    return this.sessions.get(id)?.row.episodeId || undefined;
  }

  /** Returns whether the owner has a session with this id. */
  async has(owner: string, id: number): Promise<boolean> {
    const { gym, options } = this;
    if (gym.sharing) {
      const row = await gym.log.call("findAlias", options.namespace, id);
      return row?.owner === owner && row.episodeId !== null;
    }
    const session = await this.get(id);
    return session?.row.owner === owner;
  }

  /** Gives a session an episode. */
  async give(session: Session, played: Played): Promise<void> {
    const { owner, alias } = session.row;
    session.row = await this.store(owner, alias, played.episode.row.id);
    session.newest = played.newest;
    session.found = new WeakRef(played.episode);
    this.unstored.delete(alias);
  }

  /** Closes a session for good. */
  async close(session: Session): Promise<void> {
    const { alias } = session.row;
    const isStored = !this.unstored.has(alias);
    session.row = { ...session.row, episodeId: null };
    this.forget(alias);
    if (isStored) await this.gym.log.call("setAlias", session.row);
  }

  /** Removes a session from memory. One with an episode remains in the log, and its episode until its lease lapses. */
  forget(id: number): void {
    this.sessions.delete(id);
    this.unstored.delete(id);
  }

  /**
   * Returns the episode of a session, or null before the first reset. In a fleet, another gym may have played the session
   * since this gym had its episode in memory.
   *
   * @throws {SessionError} if the session is closed, or its episode is no longer in the log
   */
  async episodeIn(session: Session): Promise<Episode | null> {
    const episode = await this.newestIn(session);
    const { owner, alias, episodeId } = session.row;
    if (episode || episodeId === noEpisode) return episode;
    this.sessions.delete(alias);
    throw await this.absence(owner, alias);
  }

  /** Returns null if the session is closed or empty, or its episode is no longer in the log. */
  async episodeOf({ owner, episodeId }: AliasRow): Promise<Episode | null> {
    if (episodeId === null || episodeId === noEpisode) return null;
    try {
      return await this.gym.find(owner, episodeId);
    } catch (error) {
      if (error instanceof GymError && error.code === "EPISODE_UNKNOWN") return null;
      throw error;
    }
  }

  private async newestIn(session: Session): Promise<Episode | null> {
    const { log, sharing } = this.gym;
    if (!sharing) return this.episodeOf(session.row);
    const { namespace, alias } = session.row;
    try {
      const known = await this.episodeOf(session.row);
      if (known !== null && known === session.found?.deref()) return known;
      const row = this.unstored.has(alias) ? null : await log.call("findAlias", namespace, alias);
      if (row) session.row = row;
      const episode = await this.episodeOf(session.row);
      session.newest = episode && (await newestOf(this.gym, episode));
      session.found = episode && new WeakRef(episode);
      return episode;
    } catch (error) {
      // The gym that has the episode now plays the session.
      if (isElsewhere(error)) this.sessions.delete(alias);
      throw error;
    }
  }

  private async absence(owner: string, id: number): Promise<SessionError> {
    const row = await this.gym.log.call("findAlias", this.options.namespace, id);
    const isClosed = row?.owner === owner && row.episodeId === null;
    return new SessionError(isClosed ? "closed" : "unknown", id);
  }

  private rowOf(owner: string, id: number, episodeId: string): AliasRow {
    return { namespace: this.options.namespace, alias: id, owner, episodeId };
  }

  private async store(owner: string, id: number, episodeId: string): Promise<AliasRow> {
    const row = this.rowOf(owner, id, episodeId);
    await this.gym.log.call("setAlias", row);
    return row;
  }

  private async get(id: number): Promise<Session | null> {
    return this.sessions.get(id) ?? this.load(id);
  }

  private load(id: number): Promise<Session | null> {
    let loading = this.loading.get(id);
    if (!loading) {
      loading = this.loadFromLog(id).finally(() => this.loading.delete(id));
      this.loading.set(id, loading);
    }
    return loading;
  }

  private async loadFromLog(id: number): Promise<Session | null> {
    const row = await this.gym.log.call("findAlias", this.options.namespace, id);
    const episode = row && (await this.episodeOf(row));
    if (!row || (!episode && row.episodeId !== noEpisode)) return null;
    const session = sessionOf(row, episode && { episode, newest: await newestOf(this.gym, episode) });
    this.sessions.set(id, session);
    return session;
  }

  private forgetIdle(): void {
    const { idleMs } = this.options;
    for (const [id, { touchedAtMs }] of this.sessions) if (touchedAtMs + idleMs < performance.now()) this.forget(id);
  }
}

/** A client whose connection broke during a step learns from the newest result whether the step was taken. */
async function newestOf(gym: Gym, episode: Episode): Promise<EpisodeResult> {
  await episode.settled();
  return parseResult(await readNewestResult(gym.log, episode, null));
}

function sessionOf(row: AliasRow, played: Played | null): Session {
  const found = played && new WeakRef(played.episode);
  return { row, newest: played?.newest ?? null, found, touchedAtMs: performance.now(), tail: Promise.resolve() };
}
