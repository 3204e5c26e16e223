/** The connection over which a call has come. */
export interface Client {
  /** Whether the connection has ended, so that nobody gets the reply. */
  readonly isGone: boolean;
  /** Calls the listener when the connection ends before the reply is ready. Returns a function that removes the listener. */
  onGone(listener: () => void): () => void;
  /** Notes that an episode is played over the connection. Absent if a client has a connection for each call. */
  plays?(episodeId: string): void;
}

/** The client of calls that go on without their caller. */
export const lasting: Client = { isGone: false, onGone: () => () => {} };

/** A client that calls over one connection. */
export class ConnectedClient implements Client {
  isGone = false;
  private readonly listeners = new Set<() => void>();

  onGone(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** Notes that the connection has ended, and calls the listeners. */
  protected hangUp(): void {
    this.isGone = true;
    for (const listener of this.listeners) listener();
  }
}

const mostLooked = 1_000;

/** The episodes that a client plays over one connection. They are left when the connection ends. */
export class PlayedEpisodes {
  /** Time of the last reply about each episode. */
  private readonly lastMs = new Map<string, number>();
  private lookAt = mostLooked;

  constructor(private readonly gym: { leave(id: string, lastMs: number): void; isLoaded(id: string): boolean }) {}

  /** Notes a reply about an episode. */
  add(id: string): void {
    this.lastMs.set(id, performance.now());
    if (this.lastMs.size < this.lookAt) return;
    for (const known of this.lastMs.keys()) if (!this.gym.isLoaded(known)) this.lastMs.delete(known);
    this.lookAt = Math.max(mostLooked, 2 * this.lastMs.size);
  }

  leave(): void {
    for (const [id, lastMs] of this.lastMs) this.gym.leave(id, lastMs);
    this.lastMs.clear();
  }
}

/** Counts the clients that wait for one result. */
export class Waiters {
  private count = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param graceMs time for which a client that has gone may come back
   * @param onNone called when all clients have gone and none has come back. It is not called again
   */
  constructor(
    private readonly graceMs: number,
    private readonly onNone: () => void,
  ) {}

  /** Adds a client until the result is there. */
  add(client: Client, result: Promise<unknown>): void {
    this.count += 1;
    clearTimeout(this.timer);
    const remove = client.onGone(() => this.leave());
    if (client.isGone) this.leave();
    const settled = () => {
      remove();
      clearTimeout(this.timer);
    };
    result.then(settled, settled);
  }

  private leave(): void {
    this.count -= 1;
    if (this.count > 0) return;
    if (this.graceMs === 0) return this.onNone();
    this.timer = setTimeout(this.onNone, this.graceMs);
    this.timer.unref();
  }
}
