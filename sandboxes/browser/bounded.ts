/** Waiting with bounds. */

export interface Bounds {
  ms: number;
  /** The error after so many milliseconds. */
  late(): Error;
  /** Any of them ends the waiting with its reason. */
  signals?: readonly (AbortSignal | undefined)[];
}

/** @throws what a bound says, or what the promise rejects with */
export async function bounded<T>(promise: Promise<T>, { ms, late, signals = [] }: Bounds): Promise<T> {
  // It may reject after a bound was reached, when nobody listens any more.
  promise.catch(() => {});
  const undo: (() => void)[] = [];
  try {
    return await new Promise((resolve, reject) => {
      promise.then(resolve, reject);
      const timer = setTimeout(() => reject(late()), ms);
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
  return bounded(settled, { ms, late: () => new Error("late") }).catch(() => false);
}
