/** Streams side by side. */

/** Yields the steps of all streams as they arrive, with the number of the stream. The last step of each has its result. */
export async function* merged<T, R>(
  streams: readonly AsyncGenerator<T, R>[],
): AsyncGenerator<{ readonly at: number; readonly step: IteratorResult<T, R> }> {
  const waiting = new Map<number, Promise<{ at: number; step: IteratorResult<T, R> }>>();
  const ask = (at: number) => {
    const next = (streams[at] as AsyncGenerator<T, R>).next();
    waiting.set(
      at,
      next.then((step) => ({ at, step })),
    );
  };
  for (const at of streams.keys()) ask(at);
  try {
    while (waiting.size > 0) {
      const arrived = await Promise.race(waiting.values());
      waiting.delete(arrived.at);
      yield arrived;
      if (!arrived.step.done) ask(arrived.at);
    }
  } finally {
    // After a failure or a return, the other streams end once their pending steps have.
    for (const stream of streams) stream.return(undefined as R).catch(() => {});
  }
}
