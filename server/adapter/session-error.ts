/** Refusals of sessions. */
import type { Episode } from "../episodes/episode/episode.js";

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

/** @throws {SessionError} if the episode takes no more steps, except after a failure, which the gym itself reports */
export function running(episode: Episode | null, id: number): Episode {
  if (!episode) throw new SessionError("empty", id);
  if (episode.phase === "ended" || episode.phase === "closed") throw new SessionError("finished", id);
  return episode;
}
