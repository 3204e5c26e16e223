/** How a command is ended from outside: by a signal, or because whoever started it is gone. */

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
