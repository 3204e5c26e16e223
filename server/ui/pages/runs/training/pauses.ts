/** How long a page waits between its questions about a live run. */

export const shortestMs = 1_000;
export const longestMs = 5_000;
/** Time between two drawings, as a multiple of the time that one of them takes. */
const drawShare = 25;
/** Train steps whose times are looked at. */
const latest = 8;

/**
 * Returns the time in milliseconds until the page asks for new records: half of a train step, so that a curve is at most
 * that much behind. Drawing takes at most a twenty-fifth of the time, also on a slow machine.
 *
 * @param times times at which train steps ended, in seconds
 * @param drawMs time in milliseconds that the page needed to draw the newest records
 */
export function pauseOf(times: readonly number[], drawMs: number): number {
  const last = times.slice(-latest);
  const span = (last.at(-1) ?? 0) - (last[0] ?? 0);
  const step = last.length > 1 ? (1_000 * span) / (last.length - 1) : 0;
  return Math.max(shortestMs, Math.min(longestMs, step / 2), drawShare * drawMs);
}
