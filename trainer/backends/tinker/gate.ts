/** A gate between sampling and training, for a server whose samples read the weights that are being trained. */
import { sleep } from "../../gym/back-off.js";

/** Milliseconds between two looks at the gate. */
const lookMs = 20;

export class Gate {
  private inFlight = 0;
  private isClosed = false;

  /** Runs a sampling request once the gate is open. */
  async through<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    while (this.isClosed) await sleep(lookMs, signal);
    signal.throwIfAborted();
    this.inFlight += 1;
    try {
      return await work();
    } finally {
      this.inFlight -= 1;
    }
  }

  /** Keeps new requests back, and waits for those in flight. */
  async close(signal: AbortSignal): Promise<void> {
    this.isClosed = true;
    while (this.inFlight > 0) await sleep(lookMs, signal);
  }

  open(): void {
    this.isClosed = false;
  }
}
