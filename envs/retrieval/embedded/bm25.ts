/** BM25 as FTS5 computes it (Robertson and Zaragoza 2009), with one length for title and text together. */

export const k1 = 1.2;
const b = 0.75;
/** Weight of a term that at least half of all passages contain. */
const leastWeight = 1e-6;

/** Returns the weight of a term. @param held number of passages that contain the term */
export function weightOf(held: number, passages: number): number {
  return Math.max(Math.log((passages - held + 0.5) / (held + 0.5)), leastWeight);
}

/** Returns the damping of a passage. A term adds `weight * occurrences * (k1 + 1) / (occurrences + damping)` to a score. */
export function dampingOf(length: number, averageLength: number): number {
  return k1 * (1 - b + (b * length) / averageLength);
}
