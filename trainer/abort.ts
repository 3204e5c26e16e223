/**
 * How work is ended from outside: by an AbortSignal, by a signal of the system, or by the end of the parent process.
 */
import { setMaxListeners } from "node:events";

/** Creates a controller whose signal may have any number of listeners; Node warns of a leak at more than ten. */
export function openAbort(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** Makes a handler of rejections: undefined if the signal has aborted, else the error is thrown again. */
export function ignoreAbort(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
    return undefined;
  };
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Calls `stop` on SIGINT, SIGTERM, SIGHUP, or when the parent process ends. A second signal of the same kind ends this
 * process at once.
 *
 * @returns function that stops listening
 */
export function onStopping(stop: () => void): () => void {
  for (const signal of signals) process.once(signal, stop);
  process.once("disconnect", stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
    process.off("disconnect", stop);
  };
}
