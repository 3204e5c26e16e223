import type { Log } from "../log/log.js";

/** What is true of an episode from some moment on, and must be in the log before anybody is told. */
export class LogMark {
  /** Settles once the log has it; null while it has not been told, or could not be. */
  private logged: Promise<void> | null;

  constructor(
    private readonly log: Log,
    private readonly episode: number,
    private readonly kind: "closed" | "expert",
    alreadyLogged: boolean,
  ) {
    this.logged = alreadyLogged ? Promise.resolve() : null;
  }

  /** However often it is called, the log is told once; after a failure, the next call tries again. @throws {GymError} LOG_FAILED */
  set(): Promise<void> {
    this.logged ??= this.log.call("mark", this.episode, this.kind, "").catch((error) => {
      this.logged = null;
      throw error;
    });
    return this.logged;
  }
}
