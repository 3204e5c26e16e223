import { ServiceFailed } from "../../../envs/errors.js";
import { SandboxError } from "../../../sandboxes/sandbox.js";
import { GymError } from "../../errors.js";

/** How long a call that is aborted may take to end by itself. */
const mostEndingMs = 1_000;

/** A call of an async environment, under way. It has a deadline, and ends soon after it is aborted, whatever it does. */
export class BoundedCall<T> {
  private readonly controller = new AbortController();
  /**
   * Rejects with what the call threw. Once it is aborted that is a SandboxError, where the call throws one, or else the
   * reason.
   */
  readonly result: Promise<T>;

  constructor(deadlineMs: number, call: (signal: AbortSignal) => Promise<T>) {
    const late = () => this.abort(new GymError("ENVIRONMENT_TIMEOUT", `an answer within ${deadlineMs} ms`, "none"));
    // An answer that has arrived by then is read first.
    const timer = setTimeout(() => setImmediate(late), deadlineMs);
    this.result = this.run(call).finally(() => clearTimeout(timer));
  }

  abort(reason: GymError): void {
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

/** Rejects some time after the signal aborts. */
function leftToItself(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const giveUp = () => reject(signal.reason);
    signal.addEventListener("abort", () => setTimeout(giveUp, mostEndingMs).unref());
  });
}
