/** How work is ended from outside: by an AbortSignal, by a signal of the system, or by the end of the parent process. */
import { setMaxListeners } from "node:events";

/** An end that any number of calls may wait for: Node takes more than ten for a leak. */
export function openAbort(): AbortController {
  const controller = new AbortController();
  setMaxListeners(0, controller.signal);
  return controller;
}

/** For a rejection: undefined where it is because of the signal. */
export function ignoreAbort(signal: AbortSignal): (error: unknown) => undefined {
  return (error) => {
    if (!signal.aborted) throw error;
    return undefined;
  };
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Calls once for each of them; a second signal of a kind ends the process at once. @returns what stops listening */
export function onStopping(stop: () => void): () => void {
  for (const signal of signals) process.once(signal, stop);
  process.once("disconnect", stop);
  return () => {
    for (const signal of signals) process.off(signal, stop);
    process.off("disconnect", stop);
  };
}
