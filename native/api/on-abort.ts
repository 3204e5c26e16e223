/**
 * Listeners of AbortSignals. A signal that is passed to many calls gets only one listener, because Node prints a
 * warning for more than ten.
 */

const waiting = new WeakMap<EventTarget, Set<() => void>>();

/** Calls `end` when the signal aborts. @returns a function that removes the listener */
export function onAbort(signal: AbortSignal | undefined, end: () => void): () => void {
  if (!signal) return () => {};
  const ends = waiting.get(signal) ?? new Set();
  waiting.set(signal, ends.add(end));
  signal.addEventListener("abort", endAll);
  return () => {
    ends.delete(end);
    // Node keeps a signal of `AbortSignal.any` alive while it has a listener, even when nothing else refers to the signal.
    if (ends.size === 0) signal.removeEventListener("abort", endAll);
  };
}

function endAll({ target }: Event): void {
  for (const end of waiting.get(target as EventTarget) ?? []) end();
}
