/**
 * Limits how many operations run at once. Further callers wait in a queue. The queue's length and the waiting time are
 * limited.
 */
import type { Permits, WaitBounds } from "./permits.js";
import { WaitingLine } from "./waiting-line.js";

export interface TurnsOptions {
  /** Largest number of turns at once. */
  most: number;
  /** Number of callers that can wait. Default: unlimited. */
  mostWaiting?: number;
}

/** Gives turns to callers in the order of their arrival. */
export class Turns implements Permits {
  private readonly line = new WaitingLine<void>();
  private readonly listeners: (() => void)[] = [];
  private taken = 0;
  /** Turns do not know whom their holders belong to. */
  readonly mustShare = false;

  constructor(private readonly options: TurnsOptions) {}

  get most(): number {
    return this.options.most;
  }

  /** Number of callers that wait. */
  get waitingCount(): number {
    return this.line.length;
  }

  /**
   * Resolves when the caller's turn comes.
   *
   * @returns a function that ends the turn; a second call does nothing
   * @throws the error of `full` @throws the signal's reason @throws the error passed to `failAll`
   */
  async take(bounds: WaitBounds = {}): Promise<() => void> {
    const { waitMs = Number.POSITIVE_INFINITY, full = noBound, signal } = bounds;
    const { most, mostWaiting = Number.POSITIVE_INFINITY } = this.options;
    signal?.throwIfAborted();
    if (this.taken < most) this.taken += 1;
    else if (this.line.length < mostWaiting) await this.wait(waitMs, full, signal);
    else throw full();
    let isOver = false;
    return () => {
      if (!isOver) this.free();
      isOver = true;
    };
  }

  /** Runs the work when its turn comes. @throws the errors of `take` and of `work` */
  async run<T>(work: () => Promise<T>, bounds?: WaitBounds): Promise<T> {
    const end = await this.take(bounds);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Rejects every waiting caller with the error. */
  failAll(error: unknown): void {
    this.line.failAll(error);
  }

  onWaiting(listener: () => void): void {
    this.listeners.push(listener);
  }

  private wait(...bounds: Parameters<WaitingLine<void>["wait"]>): Promise<void> {
    const turn = this.line.wait(...bounds);
    for (const listener of this.listeners) listener();
    return turn;
  }

  /** Passes the turn to the caller that has waited longest. */
  private free(): void {
    if (!this.line.serve()) this.taken -= 1;
  }
}

function noBound(): Error {
  return new Error("A limit on waiting is set, but `full`, which returns the error for it, is missing.");
}
