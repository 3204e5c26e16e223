import type { Log } from "../../log/log.js";

/** Fact about an episode that must be in the log before the caller's call resolves. */
export class LogMark {
  /** Resolves once the mark is in the log. Null if the mark was not sent yet, or logging it failed. */
  private logged: Promise<void> | null;

  constructor(
    private readonly log: Log,
    private readonly episode: number,
    private readonly kind: "closed" | "expert",
    alreadyLogged: boolean,
  ) {
    this.logged = alreadyLogged ? Promise.resolve() : null;
  }

  /**
   * Logs the mark. Further calls do not log it again. After a failure, the next call logs it again. @throws {GymError}
   * LOG_FAILED
   */
  set(): Promise<void> {
    this.logged ??= this.log.call("mark", this.episode, this.kind, "").catch((error) => {
      this.logged = null;
      throw error;
    });
    return this.logged;
  }
}
