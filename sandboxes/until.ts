export type Bounds = {
  /** Any of them ends the waiting with its reason. */
  signals: readonly (AbortSignal | undefined)[];
} & (
  | {
      /** So many milliseconds end it with what `late` gives. */
      ms: number;
      late(): Error;
    }
  | { ms?: undefined; late?: undefined }
);

/**
 * The promise's value, unless a bound is reached first. Signals stay apart here: Node 20 may collect what
 * `AbortSignal.any` and `AbortSignal.timeout` make while it is still waited for.
 *
 * @throws what the bound says, or what the promise rejects with
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

/** Whether the promise settles within the time. Never rejects. */
export function settles(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const settled = promise.then(
    () => true,
    () => true,
  );
  return until(settled, { signals: [], ms, late: () => new Error("late") }).catch(() => false);
}
