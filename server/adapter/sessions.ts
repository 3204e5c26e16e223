/**
 * Sessions, for protocols whose clients play several tasks one after another under one id, such as AgentGym's
 * environment ids. A session has one episode at a time. A reset replaces the episode. Calls to one session
 * run one at a time, in the order in which they arrived.
 *
 * In a fleet, a session is played by the gym that has its id as a key. Its episodes get keys of the same shard, so they
 * are played by the same gym, and move to another gym together with their session.
 */
import type { Client } from "../episodes/episode/client.js";
import type { Episode } from "../episodes/episode/episode.js";
import { callerGone } from "../episodes/episode/refusals.js";
import { specOf, taskOf } from "../episodes/episode/tasks.js";
import type { Created, CreateRequest } from "../episodes/episode-factory.js";
import type { Gym } from "../episodes/gym.js";
import type { Move } from "./moves.js";
import { NewIds, type SessionIds } from "./new-ids.js";
import { type Played, play, readPlayed } from "./play.js";
import { running, SessionError } from "./session-error.js";
import { type Session, SessionTable, type SessionTableOptions } from "./session-table.js";

export interface SessionsOptions extends SessionTableOptions {
  ids: SessionIds;
}

export class Sessions {
  private constructor(
    private readonly gym: Gym,
    private readonly table: SessionTable,
    private readonly ids: NewIds,
    /** Environment of the sessions, or undefined for sessions of all environments. */
    private readonly environment?: string,
  ) {}

  /** Starts the sessions. The caller must call `stop` when the sessions are no longer needed. */
  static async start(gym: Gym, options: SessionsOptions): Promise<Sessions> {
    const ids = await NewIds.start(gym, options);
    return new Sessions(gym, new SessionTable(gym, options), ids);
  }

  /**
   * Returns the same sessions for the routes of one environment. A session that has an episode of another environment counts
   * as unknown there, so its id has no effect under a path whose actions and tools are not its own.
   */
  of({ id }: { id: string }): Sessions {
    return new Sessions(this.gym, this.table, this.ids, id);
  }

  /** Frees the timer. The sessions remain in the log. */
  stop(): void {
    this.table.stop();
  }

  /** Opens a session with an episode. @param requestOf returns the first episode's request for the new id */
  async open(
    owner: string,
    requestOf: (id: number) => CreateRequest,
    client: Client,
  ): Promise<Played & { id: number }> {
    const id = await this.ids.next();
    const place = { owner, client, near: id };
    const played = await this.begin(place, requestOf(id), (begun) => this.table.add(owner, id, begun));
    return { id, ...played };
  }

  /**
   * Opens a session without an episode, for environments that are expensive to start.
   *
   * @param near see `NewIds.next`
   */
  async openEmpty(owner: string, near?: number): Promise<number> {
    const id = await this.ids.next(near);
    await this.table.addEmpty(owner, id);
    return id;
  }

  /**
   * Opens a session without an episode, whose id a client uses later. In a fleet, the next request may come to another
   * gym, which finds the session in the log.
   */
  openNamed(owner: string): Promise<number> {
    return this.gym.sharing ? this.openEmpty(owner) : this.openUnstored(owner);
  }

  /** Opens a session without an episode that is not in the log until its first reset. */
  async openUnstored(owner: string): Promise<number> {
    const id = await this.ids.next();
    this.table.addUnstored(owner, id);
    return id;
  }

  /** See `SessionTable.publish`. */
  publish(id: number): Promise<void> {
    return this.table.publish(id);
  }

  /** Returns whether the owner has a session with this id. */
  has(owner: string, id: number): Promise<boolean> {
    return this.table.has(owner, id);
  }

  /**
   * Renews the lease of a session's episode. It waits for no other call of the session.
   *
   * @throws {SessionError} if the session is unknown or closed
   */
  async touch(owner: string, id: number): Promise<void> {
    const session = await this.table.find(owner, id);
    session.touchedAtMs = performance.now();
    await this.table.episodeOf(session.row);
  }

  /** Notes that the client of a session has gone, see `Gym.leave`. @param lastMs time of its last reply */
  leave(id: number, lastMs: number): void {
    const episodeId = this.table.episodeIdOf(id);
    if (episodeId) this.gym.leave(episodeId, lastMs);
  }

  /** See `SessionTable.forget`. */
  forget(id: number): void {
    this.table.forget(id);
  }

  /**
   * Replaces the episode of a session. The old episode is closed first, because both episodes together may exceed the
   * owner's limit. If the new episode then cannot be opened, the session counts as finished until the next reset.
   *
   * @param requestOf returns the new episode's request. If the task is unknown, the old episode stays open. So it does if
   *   the client has gone before the session's earlier calls are done.
   */
  reset(owner: string, id: number, requestOf: () => CreateRequest, client: Client): Promise<Played> {
    return this.inTurn(owner, id, async (session, previous) => {
      const request = requestOf();
      await this.check(request);
      if (client.isGone) throw callerGone();
      await previous?.close();
      return this.begin({ owner, client, near: id }, request, (played) => this.table.give(session, played));
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
      await this.table.give(session, played);
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
        // An episode that moves to another gym is closed there, together with its session.
        await episode?.close();
        await this.table.close(session);
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

  /** Opens an episode near a session. @param keep makes the episode that of the session */
  private async begin(
    { owner, client, near }: { owner: string; client: Client; near: number },
    request: CreateRequest,
    keep: (played: Played) => Promise<void>,
  ): Promise<Played> {
    const created = await this.gym.create(owner, { ...request, near }, { client });
    try {
      const played = await readPlayed(this.gym, created);
      await keep(played);
      return played;
    } catch (error) {
      // No client knows the episode, so the episode must not count against its owner until its lease lapses.
      await created.episode.close().catch(() => {});
      throw error;
    }
  }

  /** @param call receives the session's episode, or null before the first reset */
  private async inTurn<T>(
    owner: string,
    id: number,
    call: (session: Session, episode: Episode | null) => Promise<T>,
  ): Promise<T> {
    const session = await this.table.find(owner, id);
    const turn = session.tail.then(async () => {
      session.touchedAtMs = performance.now();
      const episode = await this.table.episodeIn(session);
      if (episode && this.environment !== undefined && episode.spec.id !== this.environment)
        throw new SessionError("unknown", id);
      return call(session, episode);
    });
    session.tail = turn.catch(() => {});
    return turn;
  }
}
