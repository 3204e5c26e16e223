/** Number of pings of one socket per second above which the socket is closed. */
const mostPings = 1_000;
const secondMs = 1_000;

export interface PongActions {
  /** Sends a pong with the data of its ping. */
  answer(data: Buffer): void;
  /** Closes the socket of a client that sends too many pings. */
  refuse(): void;
}

/**
 * Answers the pings of a socket: the newest one in each turn of the event loop, as RFC 6455 (5.5.3) allows. An answer to
 * each ping would be one system call and one buffer per six bytes received.
 */
export class Pongs {
  private newest: Buffer | undefined;
  private pings = 0;
  private countedFrom = 0;

  constructor(private readonly actions: PongActions) {}

  /** Records a ping with its data. */
  owe(data: Buffer): void {
    if (this.isFlooded()) return this.actions.refuse();
    if (this.newest === undefined) setImmediate(() => this.answer());
    this.newest = data;
  }

  private isFlooded(): boolean {
    const now = performance.now();
    if (now - this.countedFrom > secondMs) {
      this.countedFrom = now;
      this.pings = 0;
    }
    this.pings += 1;
    return this.pings > mostPings;
  }

  private answer(): void {
    const data = this.newest as Buffer;
    this.newest = undefined;
    this.actions.answer(data);
  }
}
