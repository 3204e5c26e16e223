/**
 * Stopping work from outside: by an AbortSignal or by a signal of the operating system.
 */
import { setMaxListeners } from "node:events";

/**
 * Creates a controller whose signal accepts any number of listeners; by default, Node warns of a leak at more than ten.
 */
export function openAbort(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Makes a handler for rejections. It returns undefined if the signal has aborted, and rethrows the error otherwise. */
export function ignoreAbort(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
    return undefined;
  };
}

/** Maximum delay of a timer, 24.8 days. */
const longestMs = 2 ** 31 - 1;

/** Returns a signal that aborts once the time is up. @param minutes undefined: never */
export function timeLimit(minutes = Number.POSITIVE_INFINITY): AbortSignal {
  const ms = Math.ceil(minutes * 60_000);
  return ms > longestMs ? new AbortController().signal : AbortSignal.timeout(ms);
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Calls `stop` on SIGINT, SIGTERM or SIGHUP. If the same signal arrives again, this
 * process ends at once.
 *
 * @returns function that stops listening
 */
export function onStopping(stop: () => void): () => void {
  for (const signal of signals) process.once(signal, stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}
