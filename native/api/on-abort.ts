/** Listening to AbortSignals. One that ends many calls has one listener, since Node warns of more than ten. */

const waiting = new WeakMap<EventTarget, Set<() => void>>();

/** Calls `end` once the signal aborts. @returns what takes that back */
export function onAbort(signal: AbortSignal | undefined, end: () => void): () => void {
  if (!signal) return () => {};
  const ends = waiting.get(signal) ?? new Set();
  waiting.set(signal, ends.add(end));
  signal.addEventListener("abort", endAll);
  return () => {
    ends.delete(end);
    // Node keeps a signal that `AbortSignal.any` made for as long as it has a listener, even if nobody else does.
    if (ends.size === 0) signal.removeEventListener("abort", endAll);
  };
}

function endAll({ target }: Event): void {
  for (const end of waiting.get(target as EventTarget) ?? []) end();
}
