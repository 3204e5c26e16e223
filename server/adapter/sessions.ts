/**
 * Sessions, for protocols whose clients play several tasks one after another under one id, such as AgentGym's
 * environment ids. A session has one episode at a time. A reset replaces the episode.
 *
 * The log stores the ids of sessions with an episode as aliases, so clients can continue after a restart of the server.
 * Calls to one session run one at a time, in the order in which they arrived.
 *
 * In a fleet, a session is played by the gym that has its id as a key. Its episodes get keys of the same shard, so they
 * are played by the same gym, and move to another gym together with their session.
 */
import type { Episode } from "../episodes/episode.js";
import type { Created, CreateRequest } from "../episodes/episode-factory.js";
import type { Gym } from "../episodes/gym.js";
import { isElsewhere } from "../episodes/refusals.js";
import { type EpisodeResult, parseResult, readNewestResult } from "../episodes/results.js";
import { specOf, taskOf } from "../episodes/tasks.js";
import { GymError } from "../errors.js";
import type { AliasRow } from "../log/protocol.js";
import type { Move } from "./moves.js";
import { NewIds, type SessionIds } from "./new-ids.js";
import { type Played, play, readPlayed } from "./play.js";
import { running, SessionError } from "./session-error.js";
import { OwnedValues } from "./session-ids.js";

export interface SessionsOptions {
  /** Name of the protocol's endpoint. Ids are unique within a namespace. */
  namespace: string;
  ids: SessionIds;
  /**
   * Milliseconds without a call after which a session is removed from memory. The next call then reads the session from
   * the log.
   */
  idleMs: number;
}

/** Episode id that a session has before its first reset. */
const noEpisode = "";

/** Number of sessions of one owner that are not in the log. A further one replaces the oldest. */
const mostUnstored = 1_000;

interface Session {
  row: AliasRow;
  /** Result of the last step or reset. Null before the first reset. */
  newest: EpisodeResult | null;
  /** The episode to which `newest` belongs, as it was found last. */
  found: WeakRef<Episode> | null;
  touchedAtMs: number;
  /** Settles when the last call in the queue is done. */
  tail: Promise<unknown>;
}

export class Sessions {
  private readonly sessions = new Map<number, Session>();
  /** Sessions that are not in the log, because they have had no episode yet. */
  private readonly unstored = new OwnedValues<true>(mostUnstored);
  private readonly loading = new Map<number, Promise<Session | null>>();
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly gym: Gym,
    private readonly options: SessionsOptions,
    private readonly ids: NewIds,
  ) {
    this.timer = setInterval(() => this.forgetIdle(), options.idleMs / 10);
    this.timer.unref();
  }

  /** Starts the sessions. The caller must call `stop` when the sessions are no longer needed. */
  static async start(gym: Gym, options: SessionsOptions): Promise<Sessions> {
    return new Sessions(gym, options, await NewIds.start(gym, options));
  }

  /** Frees the timer. The sessions remain in the log. */
  stop(): void {
    clearInterval(this.timer);
  }

  /** Opens a session with an episode. @param requestOf returns the first episode's request for the new id */
  async open(owner: string, requestOf: (id: number) => CreateRequest): Promise<Played & { id: number }> {
    const id = await this.ids.next();
    const { row, played } = await this.begin(owner, id, requestOf(id));
    this.sessions.set(id, sessionOf(row, played));
    return { id, ...played };
  }

  /**
   * Opens a session without an episode, for environments that are expensive to start.
   *
   * @param near see `NewIds.next`
   */
  async openEmpty(owner: string, near?: number): Promise<number> {
    const id = await this.ids.next(near);
    const row: AliasRow = { namespace: this.options.namespace, alias: id, owner, episodeId: noEpisode };
    await this.gym.log.call("setAlias", row);
    this.sessions.set(id, sessionOf(row, null));
    return id;
  }

  /**
   * Opens a session without an episode, whose id a client uses later. In a fleet, the next request may come to another
   * gym, which finds the session in the log.
   */
  openNamed(owner: string): Promise<number> {
    return this.gym.log.fleet ? this.openEmpty(owner) : this.openUnstored(owner);
  }

  /** Opens a session without an episode that is not in the log until its first reset. */
  async openUnstored(owner: string): Promise<number> {
    const id = await this.ids.next();
    const row: AliasRow = { namespace: this.options.namespace, alias: id, owner, episodeId: noEpisode };
    this.sessions.set(id, sessionOf(row, null));
    const replaced = this.unstored.set(owner, id, true);
    if (replaced !== undefined) this.forget(replaced);
    return id;
  }

  /** Stores a session that may not be in the log, so that another gym of the fleet can play it. */
  async publish(id: number): Promise<void> {
    const session = this.sessions.get(id);
    if (!session || !this.unstored.has(id)) return;
    await this.gym.log.call("setAlias", session.row);
    this.unstored.delete(id);
  }

  /** Returns whether the owner has a session with this id. */
  async has(owner: string, id: number): Promise<boolean> {
    const { gym, options } = this;
    if (gym.log.fleet) {
      const row = await gym.log.call("findAlias", options.namespace, id);
      return row?.owner === owner && row.episodeId !== null;
    }
    const session = this.sessions.get(id) ?? (await this.load(id));
    return session?.row.owner === owner;
  }

  /**
   * Renews the lease of a session's episode. It waits for no other call of the session.
   *
   * @throws {SessionError} if the session is unknown or closed
   */
  async touch(owner: string, id: number): Promise<void> {
    const session = this.sessions.get(id) ?? (await this.load(id));
    if (session?.row.owner !== owner) throw await this.absence(owner, id);
    session.touchedAtMs = performance.now();
    await this.episodeOf(session.row);
  }

  /** Removes a session from memory. One with an episode remains in the log, and its episode until its lease lapses. */
  forget(id: number): void {
    this.sessions.delete(id);
    this.unstored.delete(id);
  }

  /**
   * Replaces the episode of a session. The old episode is closed first, because both episodes together may exceed the
   * owner's limit. If the new episode then cannot be opened, the session counts as finished until the next reset.
   *
   * @param requestOf returns the new episode's request. If the task is unknown, the old episode stays open.
   */
  reset(owner: string, id: number, requestOf: () => CreateRequest): Promise<Played> {
    return this.inTurn(owner, id, async (session, previous) => {
      const request = requestOf();
      await this.check(request);
      await previous?.close();
      const { row, played } = await this.begin(owner, id, request);
      this.give(session, row, played);
      return played;
    });
  }

  /**
   * Makes an episode that may be open already the episode of a session, and closes the session's previous episode.
   *
   * @param find returns the episode
   */
  take(owner: string, id: number, find: () => Promise<Created>): Promise<Played> {
    return this.inTurn(owner, id, async (session, previous) => {
      const created = await find();
      const played = await readPlayed(this.gym, created);
      if (previous !== created.episode) await previous?.close();
      this.give(session, await this.store(owner, id, created.episode), played);
      return played;
    });
  }

  /**
   * Takes a step.
   *
   * @param index index that the caller expects, or a function that returns it after all earlier calls. Default: the next
   *   index. With an earlier index, a repeated move gets its stored reply.
   * @param onTurn is called with the index before the step is taken. If it rejects, the step is not taken.
   * @throws {MoveError}
   */
  act(
    owner: string,
    id: number,
    move: Move,
    index?: number | (() => number | undefined),
    onTurn?: (index: number) => Promise<void>,
  ): Promise<Played> {
    return this.inTurn(owner, id, async (session, episode) => {
      if (!episode) throw new SessionError("empty", id);
      const asked = typeof index === "function" ? index() : index;
      if (asked === undefined) running(episode, id);
      const at = asked ?? episode.nextIndex;
      await onTurn?.(at);
      const played = await play(this.gym, owner, episode, move, at);
      session.newest = played.newest;
      return played;
    });
  }

  /** Runs `call` with the session's episode, after all earlier calls of the session. The episode may have ended. */
  use<T>(owner: string, id: number, call: (session: Played) => Promise<T>): Promise<T> {
    return this.inTurn(owner, id, async ({ newest }, episode) => {
      if (!episode || !newest) throw new SessionError("empty", id);
      return call({ episode, newest });
    });
  }

  /** Closes a session and its episode. Returns false if no session with this id was open. */
  async close(owner: string, id: number): Promise<boolean> {
    try {
      await this.inTurn(owner, id, async (session, episode) => {
        const isStored = !this.unstored.has(id);
        session.row = { ...session.row, episodeId: null };
        this.forget(id);
        await Promise.all([episode?.close(), isStored && this.gym.log.call("setAlias", session.row)]);
      });
      return true;
    } catch (error) {
      if (error instanceof SessionError) return false;
      throw error;
    }
  }

  /** @throws {GymError} if the gym refuses the task */
  private async check(request: CreateRequest): Promise<void> {
    const spec = specOf(this.gym.registry, request.environment);
    taskOf(spec, request.task);
    await this.gym.availability.check(spec);
  }

  private async begin(owner: string, id: number, request: CreateRequest): Promise<{ row: AliasRow; played: Played }> {
    const created = await this.gym.create(owner, { ...request, near: id });
    const { episode } = created;
    try {
      return { row: await this.store(owner, id, episode), played: await readPlayed(this.gym, created) };
    } catch (error) {
      // No client knows the episode, so the episode must not count against its owner until its lease lapses.
      await episode.close().catch(() => {});
      throw error;
    }
  }

  private async store(owner: string, id: number, episode: Episode): Promise<AliasRow> {
    const row: AliasRow = { namespace: this.options.namespace, alias: id, owner, episodeId: episode.row.id };
    await this.gym.log.call("setAlias", row);
    return row;
  }

  private give(session: Session, row: AliasRow, { newest, episode }: Played): void {
    session.row = row;
    session.newest = newest;
    session.found = new WeakRef(episode);
    this.unstored.delete(row.alias);
  }

  /** @param call receives the session's episode, or null before the first reset */
  private async inTurn<T>(
    owner: string,
    id: number,
    call: (session: Session, episode: Episode | null) => Promise<T>,
  ): Promise<T> {
    const session = this.sessions.get(id) ?? (await this.load(id));
    if (session?.row.owner !== owner) throw await this.absence(owner, id);
    const turn = session.tail.then(async () => {
      session.touchedAtMs = performance.now();
      const episode = await this.episodeIn(session);
      if (episode || session.row.episodeId === noEpisode) return call(session, episode);
      this.sessions.delete(id);
      throw await this.absence(owner, id);
    });
    session.tail = turn.catch(() => {});
    return turn;
  }

  private async absence(owner: string, id: number): Promise<SessionError> {
    const row = await this.gym.log.call("findAlias", this.options.namespace, id);
    const isClosed = row?.owner === owner && row.episodeId === null;
    return new SessionError(isClosed ? "closed" : "unknown", id);
  }

  /**
   * Returns the session's episode, as `episodeOf`. In a fleet, another gym may have played the session since this gym had
   * its episode in memory.
   */
  private async episodeIn(session: Session): Promise<Episode | null> {
    const { log } = this.gym;
    if (!log.fleet) return this.episodeOf(session.row);
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

  /** Returns null if the session is closed or empty, or its episode is no longer in the log. */
  private async episodeOf({ owner, episodeId }: AliasRow): Promise<Episode | null> {
    if (episodeId === null || episodeId === noEpisode) return null;
    try {
      return await this.gym.find(owner, episodeId);
    } catch (error) {
      if (error instanceof GymError && error.code === "EPISODE_UNKNOWN") return null;
      throw error;
    }
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
