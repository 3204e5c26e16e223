/** Exponential back-off with jitter, so clients that failed together do not retry together. */
import { setTimeout } from "node:timers/promises";

export interface BackOff {
  /** Milliseconds before the second attempt, before jitter. */
  readonly baseMs: number;
  /** Longest wait in milliseconds. */
  readonly maxMs: number;
}

/**
 * Milliseconds to wait after attempt `attempt` (from 0) failed: between half and all of min(`maxMs`, `baseMs` 2^attempt).
 *
 * @param random uniform in [0, 1)
 */
export function backOffMs({ baseMs, maxMs }: BackOff, attempt: number, random = Math.random): number {
  const whole = Math.min(maxMs, baseMs * 2 ** Math.min(attempt, 30));
  return whole / 2 + (random() * whole) / 2;
}

/** Waits. Rejects with the signal's reason once it has aborted. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await setTimeout(ms, undefined, signal && { signal });
  } catch {
    signal?.throwIfAborted();
  }
}
