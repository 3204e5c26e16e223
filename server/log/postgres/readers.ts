/**
 * Connections for statements that may be repeated, such as reads. They are not those of the steps, so no statement waits for
 * the writes of later steps.
 */
import { Session, type Statement } from "./session.js";

const usualConnections = 4;

/** Milliseconds for which a read waits for a database that cannot be reached. */
const patienceMs = 10_000;

export class Readers {
  private readonly sessions: Session[];
  /** Settles when the last statement of a session is done, by session. */
  private readonly tails: Promise<unknown>[];
  private next = 0;

  constructor(
    url: string,
    private readonly connections = usualConnections,
  ) {
    this.sessions = Array.from({ length: connections }, () => new Session(url));
    this.tails = this.sessions.map(() => Promise.resolve());
  }

  /** @throws {ConnectionLost} the database cannot be reached for some seconds @throws {StatementRefused} */
  run<Row>(statement: Statement): Promise<Row[]> {
    const at = this.next;
    this.next = (this.next + 1) % this.connections;
    const session = this.sessions[at] as Session;
    const givenUpAt = performance.now() + patienceMs;
    const rows = (this.tails[at] as Promise<unknown>).then(() => session.runUntilAnswered<Row>(statement, givenUpAt));
    this.tails[at] = rows.catch(() => {});
    return rows;
  }

  async close(): Promise<void> {
    await Promise.all(this.sessions.map((session) => session.close()));
  }
}
