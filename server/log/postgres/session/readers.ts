/**
 * Connections for statements that may be repeated, such as reads. Steps have other connections, so no statement waits
 * for the writes of later steps.
 */
import { longMs, Session, type Statement } from "./session.js";

const usualConnections = 4;

/** Milliseconds for which a read waits for a database that cannot be reached. */
const giveUpMs = 10_000;

export class Readers {
  private readonly sessions: Session[];
  /** For each session, a promise that settles when its last statement is done. */
  private readonly tails: Promise<unknown>[];
  private next = 0;
  /**
   * Session for statements that may take minutes. They are repeated only after the database has ended the previous
   * attempt.
   */
  private readonly long: Session;
  private longTail: Promise<unknown> = Promise.resolve();

  constructor(
    url: string,
    private readonly connections = usualConnections,
  ) {
    this.long = new Session(url, { silentMs: longMs });
    this.sessions = Array.from({ length: connections }, () => new Session(url));
    this.tails = this.sessions.map(() => Promise.resolve());
  }

  /** @throws {ConnectionLost} the database cannot be reached for some seconds @throws {StatementRefused} */
  run<Row>(statement: Statement): Promise<Row[]> {
    const at = this.next;
    this.next = (this.next + 1) % this.connections;
    const session = this.sessions[at] as Session;
    const givenUpAt = performance.now() + giveUpMs;
    const rows = (this.tails[at] as Promise<unknown>).then(() => session.runUntilAnswered<Row>(statement, givenUpAt));
    this.tails[at] = rows.catch(() => {});
    return rows;
  }

  /** Runs a statement that may take minutes. @throws {ConnectionLost} @throws {StatementRefused} */
  runLong<Row>(statement: Statement): Promise<Row[]> {
    const rows = this.longTail.then(() => this.long.run<Row>(statement));
    this.longTail = rows.catch(() => {});
    return rows;
  }

  async close(): Promise<void> {
    await this.longTail;
    await Promise.all([this.long, ...this.sessions].map((session) => session.close()));
  }
}
