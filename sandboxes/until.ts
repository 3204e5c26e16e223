export type Bounds = {
  /** Signals that end the wait with their reason. */
  signals: readonly (AbortSignal | undefined)[];
} & (
  | {
      /** Timeout in milliseconds. The wait then ends with the error of `late`. */
      ms: number;
      late(): Error;
    }
  | { ms?: undefined; late?: undefined }
);

/**
 * Returns the promise's value. Rejects if a signal aborts or the timeout expires first. Each signal gets its own
 * listener, because Node 20 may garbage-collect a signal of `AbortSignal.any` or `AbortSignal.timeout` that is still in
 * use.
 *
 * @throws the signal's reason, the error of `late`, or the promise's own error
 */
export async function until<T>(promise: Promise<T>, { signals, ms, late }: Bounds): Promise<T> {
  const undo: (() => void)[] = [];
  try {
    return await new Promise((resolve, reject) => {
      promise.then(resolve, reject);
      const timer = ms === undefined ? undefined : setTimeout(() => reject(late()), ms);
      undo.push(() => clearTimeout(timer));
      for (const signal of signals) {
        const stop = () => reject(signal?.reason);
        if (signal?.aborted) stop();
        signal?.addEventListener("abort", stop);
        undo.push(() => signal?.removeEventListener("abort", stop));
      }
    });
  } finally {
    for (const each of undo) each();
  }
}

/** Returns whether the promise settles within the given time. Never rejects. */
export function settles(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  return until(settled, { signals: [], ms, late: () => new Error("late") }).catch(() => false);
}
