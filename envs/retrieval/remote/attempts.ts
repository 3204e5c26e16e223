/** Retries of calls, with exponential backoff. */
import { setTimeout as sleep } from "node:timers/promises";
import { ServiceFailed } from "../../errors.js";

/** A failure after which a retry may succeed. */
export class PassingFailure extends Error {
  constructor(
    message: string,
    readonly afterMs?: number,
  ) {
    super(message);
  }
}

export interface Patience {
  /** Total number of attempts. */
  attempts: number;
  /** Delay before the second attempt in milliseconds. The delay doubles before each further attempt, up to 10 s. */
  pauseMs: number;
}

export const patience: Patience = { attempts: 3, pauseMs: 500 };

const mostPauseMs = 10_000;

/**
 * @param service name for errors, such as "the search server at http://127.0.0.1:8000"
 * @param ask throws a PassingFailure if a retry may help, and any other Error if not
 * @throws {ServiceFailed} the `cause` is the last error @throws the signal's reason
 */
export async function attempted<T>(
  service: string,
  ask: () => Promise<T>,
  signal: AbortSignal,
  { attempts, pauseMs }: Patience = patience,
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

/** Returns the delay of a `retry-after` header in milliseconds. Undefined if the header is missing or a date. */
export function retryAfterMs(header: string | null | undefined): number | undefined {
  const seconds = Number(header ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? 1_000 * seconds : undefined;
}
