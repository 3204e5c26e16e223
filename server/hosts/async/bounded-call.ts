import { ServiceFailed } from "../../../envs/errors.js";
import { SandboxError } from "../../../sandboxes/sandbox.js";
import { GymError } from "../../errors.js";

/** Time limit in milliseconds for an aborted call to end by itself. */
const mostEndingMs = 1_000;

/**
 * Running call of an async environment. The call has a deadline, and ends soon after it is aborted even if the
 * environment ignores the abort.
 */
export class BoundedCall<T> {
  private readonly controller = new AbortController();
  /**
   * Result of the call. A failed call rejects with its own error. An aborted call rejects with the SandboxError or
   * ServiceFailed that it throws, or else with the reason of the abort.
   */
  readonly result: Promise<T>;

  constructor(deadlineMs: number, call: (signal: AbortSignal) => Promise<T>) {
    const late = () =>
      this.abort(GymError.ofState("ENVIRONMENT_TIMEOUT", `The environment did not answer within ${deadlineMs} ms.`));
    // `setImmediate` gives an answer that has already arrived the chance to be read first.
    const timer = setTimeout(() => setImmediate(late), deadlineMs);
    this.result = this.run(call).finally(() => clearTimeout(timer));
  }

  abort(reason: Error): void {
    this.controller.abort(reason);
  }

  private async run(call: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const { signal } = this.controller;
    try {
      const result = await Promise.race([call(signal), leftToItself(signal)]);
      signal.throwIfAborted();
      return result;
    } catch (error) {
      throw signal.aborted && !(error instanceof SandboxError || error instanceof ServiceFailed)
        ? signal.reason
        : error;
    }
  }
}

/** Returns a promise that rejects a fixed time after the signal aborts. */
function leftToItself(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = () => reject(signal.reason);
    signal.addEventListener("abort", () => setTimeout(giveUp, mostEndingMs).unref());
  });
}
