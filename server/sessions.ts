/**
 * Sessions, for protocols whose clients play several tasks one after another under one id, such as AgentGym's
 * environment ids. A session has one episode at a time. A reset replaces the episode.
 *
 * Session ids are integers that count from 0 within a namespace. The log stores the ids as aliases, so clients can
 * continue after a restart of the server. Calls to one session run one at a time, in the order in which they arrived.
 */
import type { Episode } from "./episodes/episode.js";
import type { CreateRequest } from "./episodes/episode-factory.js";
import type { Gym } from "./episodes/gym.js";
import { type EpisodeResult, parseResult, readNewestResult } from "./episodes/results.js";
import { specOf, taskOf } from "./episodes/tasks.js";
import { GymError } from "./errors.js";
import type { AliasRow } from "./log/protocol.js";

/**
 * Reasons why a session refuses a call. `unknown`: the owner has no session with this id. `closed`: the owner closed
 * the session. `empty`: the session has no episode before its first reset. `finished`: the session's episode has ended.
 */
export type SessionFault = "unknown" | "closed" | "empty" | "finished";

/** Thrown when a session refuses a call. Each protocol replies with its own message instead. */
export class SessionError extends Error {
  override readonly name = "SessionError";

  constructor(
    readonly fault: SessionFault,
    readonly id: number,
  ) {
    super(`The session ${id} is ${fault}.`);
  }
}

export interface SessionsOptions {
  /** Name of the protocol's endpoint. Ids are unique within a namespace. */
  namespace: string;
  /**
   * Milliseconds without a call after which a session is removed from memory. The next call then reads the session from
   * the log.
   */
  idleMs: number;
}

/** A session whose episode is open. */
export interface OpenSession {
  episode: Episode;
  /** Result of the last step, or of the reset if no step was taken. */
  newest: EpisodeResult;
}

/** Episode id that a session has before its first reset. */
const noEpisode = "";

interface Session {
  row: AliasRow;
  /** Result of the last step or reset. Null before the first reset. */
  newest: EpisodeResult | null;
  touchedAtMs: number;
  /** Settles when the last call in the queue is done. */
  tail: Promise<unknown>;
}

export class Sessions {
  private readonly sessions = new Map<number, Session>();
  private readonly loading = new Map<number, Promise<Session | null>>();
  private readonly timer: NodeJS.Timeout;

  private constructor(
    private readonly gym: Gym,
    private readonly options: SessionsOptions,
    private nextId: number,
  ) {
    this.timer = setInterval(() => this.forgetIdle(), options.idleMs / 10);
    this.timer.unref();
  }

  /** Starts the sessions. The caller must call `stop` when the sessions are no longer needed. */
  static async start(gym: Gym, options: SessionsOptions): Promise<Sessions> {
    return new Sessions(gym, options, await gym.log.call("nextAlias", options.namespace));
  }

  /** Frees the timer. The sessions remain in the log. */
  stop(): void {
    clearInterval(this.timer);
  }

  /** Opens a session with an episode. @param requestOf returns the first episode's request for the new id */
  async open(owner: string, requestOf: (id: number) => CreateRequest): Promise<{ id: number; newest: EpisodeResult }> {
    const id = this.nextId++;
    const { row, newest } = await this.begin(owner, id, requestOf(id));
    this.sessions.set(id, sessionOf(row, newest));
    return { id, newest };
  }

  /** Opens a session without an episode, for environments that are expensive to start. */
  async openEmpty(owner: string): Promise<number> {
    const id = this.nextId++;
    const row: AliasRow = { namespace: this.options.namespace, alias: id, owner, episodeId: noEpisode };
    await this.gym.log.call("setAlias", row);
    this.sessions.set(id, sessionOf(row, null));
    return id;
  }

  /**
   * Replaces the episode of a session. The old episode is closed first, because both episodes together may exceed the
   * owner's limit. If the new episode then cannot be opened, the session counts as finished until the next reset.
   *
   * @param requestOf returns the new episode's request. If the task is unknown, the old episode stays open.
   */
  reset(owner: string, id: number, requestOf: () => CreateRequest): Promise<EpisodeResult> {
    return this.inTurn(owner, id, async (session, previous) => {
      const request = requestOf();
      await this.check(request);
      await previous?.close();
      const { row, newest } = await this.begin(owner, id, request);
      session.row = row;
      session.newest = newest;
      return newest;
    });
  }

  /** Takes a step. */
  act(owner: string, id: number, action: string): Promise<EpisodeResult> {
    return this.inTurn(owner, id, async (session, episode) => {
      const { row, nextIndex } = running(episode, id);
      const request = { episodeId: row.id, index: nextIndex, action };
      const reply = await new Promise<string>((resolve, reject) => this.gym.step(owner, request, { resolve, reject }));
      session.newest = parseResult(reply);
      return session.newest;
    });
  }

  /** Runs `call` with the session's episode, after all earlier calls of the session. The episode may have ended. */
  use<T>(owner: string, id: number, call: (session: OpenSession) => Promise<T>): Promise<T> {
    return this.inTurn(owner, id, async ({ newest }, episode) => {
      if (!episode || !newest) throw new SessionError("empty", id);
      return call({ episode, newest });
    });
  }

  /** Closes a session and its episode. Returns false if no session with this id was open. */
  async close(owner: string, id: number): Promise<boolean> {
    try {
      await this.inTurn(owner, id, async (session, episode) => {
        session.row = { ...session.row, episodeId: null };
        this.sessions.delete(id);
        await Promise.all([episode?.close(), this.gym.log.call("setAlias", session.row)]);
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

  private async begin(
    owner: string,
    id: number,
    request: CreateRequest,
  ): Promise<{ row: AliasRow; newest: EpisodeResult }> {
    const { episode, resetResult } = await this.gym.create(owner, request);
    const row: AliasRow = { namespace: this.options.namespace, alias: id, owner, episodeId: episode.row.id };
    try {
      await this.gym.log.call("setAlias", row);
    } catch (error) {
      // No client knows the episode, so the episode must not count against its owner until its lease lapses.
      await episode.close().catch(() => {});
      throw error;
    }
    return { row, newest: parseResult(await readNewestResult(this.gym.log, episode, resetResult)) };
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
      const episode = await this.episodeOf(session.row);
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
    const newest = episode && parseResult(await readNewestResult(this.gym.log, episode, null));
    const session = sessionOf(row, newest);
    this.sessions.set(id, session);
    return session;
  }

  private forgetIdle(): void {
    const { idleMs } = this.options;
    for (const [id, { touchedAtMs }] of this.sessions)
      if (touchedAtMs + idleMs < performance.now()) this.sessions.delete(id);
  }
}

function sessionOf(row: AliasRow, newest: EpisodeResult | null): Session {
  return { row, newest, touchedAtMs: performance.now(), tail: Promise.resolve() };
}

/** @throws {SessionError} if the episode takes no more steps, except after a failure, which the gym itself reports */
export function running(episode: Episode | null, id: number): Episode {
  if (!episode) throw new SessionError("empty", id);
  if (episode.phase === "ended" || episode.phase === "closed") throw new SessionError("finished", id);
  return episode;
}
