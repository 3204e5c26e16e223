/** BM25 (Robertson and Zaragoza 2009) as FTS5 computes it. The length of a passage counts title and text together. */

export const k1 = 1.2;
const b = 0.75;
/** Weight of a term that occurs in at least half of all passages. */
const leastWeight = 1e-6;

/** Returns the inverse document frequency of a term. @param held number of passages that contain the term */
export function weightOf(held: number, passages: number): number {
  return Math.max(Math.log((passages - held + 0.5) / (held + 0.5)), leastWeight);
}

/**
 * Returns the damping of a passage, which grows with its length. A term adds `weight * occurrences * (k1 + 1) /
 * (occurrences + damping)` to the score of the passage.
 */
export function dampingOf(length: number, averageLength: number): number {
  return k1 * (1 - b + (b * length) / averageLength);
}
