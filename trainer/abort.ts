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
