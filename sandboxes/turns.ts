/** Bounds how many things of one kind go on at once: further callers wait in a line of bounded length, for a bounded time. */
import { WaitingLine } from "./waiting-line.js";

export interface TurnsOptions {
  /** Turns at once. */
  most: number;
  /** Callers that wait at once. Default: any number. */
  mostWaiting?: number;
}

export interface WaitBounds {
  /** Milliseconds that the caller waits. Default: any time. */
  waitMs?: number;
  /** The error where the line is full, or the time is over. Default: there is no such bound. */
  full?: () => Error;
  /** Ends the waiting with its reason. */
  signal?: AbortSignal | undefined;
}

/** Gives a turn to the caller that has waited longest. */
export class Turns {
  private readonly line = new WaitingLine<void>();
  private taken = 0;

  constructor(private readonly options: TurnsOptions) {}

  /**
   * Resolves when the caller's turn comes.
   *
   * @returns ends the turn; a second call does nothing
   * @throws what `full` gives @throws the signal's reason @throws what `failAll` is given
   */
  async take(bounds: WaitBounds = {}): Promise<() => void> {
    const { waitMs = Number.POSITIVE_INFINITY, full = noBound, signal } = bounds;
    const { most, mostWaiting = Number.POSITIVE_INFINITY } = this.options;
    signal?.throwIfAborted();
    if (this.taken < most) this.taken += 1;
    else if (this.line.length < mostWaiting) await this.line.wait(waitMs, full, signal);
    else throw full();
    let isOver = false;
    return () => {
      if (!isOver) this.free();
      isOver = true;
    };
  }

  /** Runs the work when its turn comes. @throws what `take` and the work throw */
  async run<T>(work: () => Promise<T>, bounds?: WaitBounds): Promise<T> {
    const end = await this.take(bounds);
    try {
      return await work();
    } finally {
      end();
    }
  }

  /** Turns every waiting caller away. */
  failAll(error: unknown): void {
    this.line.failAll(error);
  }

  /** The turn passes on to the longest waiter. */
  private free(): void {
    if (!this.line.serve()) this.taken -= 1;
  }
}

function noBound(): Error {
  return new Error("expected a wait without a bound, but received its end");
}
