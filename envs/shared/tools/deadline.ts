/** A deadline passed. */
export class TooLate extends Error {
  override readonly name = "TooLate";
  constructor(timeoutMs: number) {
    super(`no reply within ${timeoutMs} ms`);
  }
}

/**
 * Runs a call with a signal that aborts when the caller's signal aborts or after `timeoutMs`. All listeners and timers
 * are removed afterwards. `AbortSignal.any` with `AbortSignal.timeout` is not used, since Node 20 may garbage-collect
 * the signal before it fires.
 *
 * @throws {TooLate} `run` took longer than `timeoutMs`
 * @throws the caller's reason, or the error of `run`
 */
export async function within<T>(
  timeoutMs: number,
  caller: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(caller.reason);
  caller.addEventListener("abort", abort, { once: true });
  if (caller.aborted) abort();
  const timer = setTimeout(() => controller.abort(new TooLate(timeoutMs)), timeoutMs);
  const { signal } = controller;
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
    if (signal.aborted) reject(signal.reason);
  });
  try {
    return await Promise.race([run(signal), aborted]);
  } finally {
    clearTimeout(timer);
    caller.removeEventListener("abort", abort);
  }
}
