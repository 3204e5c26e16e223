/** Exponential back-off with jitter, so that clients which failed at the same time retry at different times. */
import { setTimeout } from "node:timers/promises";

export interface BackOff {
  /** Milliseconds before the second attempt, before jitter. */
  readonly baseMs: number;
  /** Longest wait in milliseconds. */
  readonly maxMs: number;
}

/**
 * Returns the milliseconds to wait after attempt `attempt` (from 0) failed: between 50 % and 100 % of min(`maxMs`,
 * `baseMs` 2^attempt).
 *
 * @param random uniform in [0, 1)
 */
export function backOffMs({ baseMs, maxMs }: BackOff, attempt: number, random = Math.random): number {
  const whole = Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30));
  return whole / 2 + (random() * whole) / 2;
}

/** Waits `ms` milliseconds. Rejects with the signal's reason if the signal aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, signal && { signal });
  } catch {
    signal?.throwIfAborted();
  }
}
