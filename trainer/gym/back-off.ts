/** How long to wait before trying again: exponential, with jitter so that those who failed together do not come back together. */
import { setTimeout } from "node:timers/promises";

export interface BackOff {
  /** Milliseconds before the second attempt, before jitter. */
  readonly baseMs: number;
  /** No wait is longer. */
  readonly maxMs: number;
}

/**
 * Milliseconds to wait after attempt `attempt` (from 0) failed: between half of `baseMs` 2^attempt, capped, and all of it.
 *
 * @param random uniform in [0, 1)
 */
export function backOffMs({ baseMs, maxMs }: BackOff, attempt: number, random = Math.random): number {
  const whole = Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30));
  return whole / 2 + (random() * whole) / 2;
}

/** Rejects with the signal's reason once that is aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, signal && { signal });
  } catch {
    signal?.throwIfAborted();
  }
}
