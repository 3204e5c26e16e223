/** Retries of calls, with exponential backoff. */
import { setTimeout as sleep } from "node:timers/promises";
import { ServiceFailed } from "../../../errors.js";

/** Thrown for a failure after which a retry may succeed. */
export class PassingFailure extends Error {
  constructor(
    message: string,
    readonly afterMs?: number,
  ) {
    super(message);
  }
}

export interface RetryLimits {
  /** Total number of attempts. */
  attempts: number;
  /** Delay before the second attempt in milliseconds. It doubles before each further attempt, up to 10 s. */
  pauseMs: number;
}

export const retryLimits: RetryLimits = { attempts: 3, pauseMs: 500 };

const mostPauseMs = 10_000;

/**
 * Calls `ask` until it succeeds. @param service name in errors, such as "the search server at http://127.0.0.1:8000"
 * @param ask throws a PassingFailure if a retry may succeed, and otherwise any other Error
 * @throws {ServiceFailed} all attempts failed; `cause` is the last error @throws the signal's reason
 */
export async function attempted<T>(
  service: string,
  ask: () => Promise<T>,
  signal: AbortSignal,
  { attempts, pauseMs }: RetryLimits = retryLimits,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      signal.throwIfAborted();
      const passing = error instanceof PassingFailure ? error : undefined;
      if (!passing || attempt >= attempts)
        throw new ServiceFailed(`${service} to answer`, (error as Error).message, error);
      await sleep(Math.min(mostPauseMs, passing.afterMs ?? pauseMs * 2 ** (attempt - 1)), undefined, { signal }).catch(
        () => signal.throwIfAborted(),
      );
    }
  }
}

/**
 * Returns the delay in a `retry-after` header in milliseconds, or undefined if the header is missing or contains a
 * date.
 */
export function retryAfterMs(header: string | null | undefined): number | undefined {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? 1_000 * seconds : undefined;
}
