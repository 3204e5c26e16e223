/** Times of queries by several clients at once. */
export interface Timed {
  clients: number;
  /** Time from the first query to the last answer. */
  seconds: number;
  /** Time of each query, in milliseconds. */
  latencies: number[];
}

/** Sends all queries once. Each client sends its next query after the reply to its last one. */
export async function timed(
  queries: readonly string[],
  clients: number,
  ask: (query: string) => Promise<unknown>,
): Promise<Timed> {
  const latencies: number[] = [];
  const begun = performance.now();
  const left = queries.values();
  const play = async () => {
    for (const query of left) {
      const asked = performance.now();
      await ask(query);
      latencies.push(performance.now() - asked);
    }
  };
  await Promise.all(Array.from({ length: clients }, play));
  return { clients, seconds: (performance.now() - begun) / 1_000, latencies };
}

/** Returns the quantile of the values at `share`. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? Number.NaN;
}
