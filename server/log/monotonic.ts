/**
 * Returns the milliseconds of a clock that never jumps, and that all threads of this process share. A message can wait
 * between two threads for a long time, for example while the process is stopped.
 */
export function monotonicMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n);
}
