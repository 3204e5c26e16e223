/** Listening to AbortSignals. One that ends many calls has one listener, since Node warns of more than ten. */

const waiting = new WeakMap<AbortSignal, Set<() => void>>();

/** Calls `end` once the signal aborts. @returns what takes that back */
export function onAbort(signal: AbortSignal | undefined, end: () => void): () => void {
  if (!signal) return () => {};
  const ends = waiting.get(signal) ?? listenTo(signal);
  ends.add(end);
  return () => ends.delete(end);
}

function listenTo(signal: AbortSignal): Set<() => void> {
  const ends = new Set<() => void>();
  waiting.set(signal, ends);
  const endAll = () => {
    for (const end of ends) end();
  };
  signal.addEventListener("abort", endAll, { once: true });
  return ends;
}
