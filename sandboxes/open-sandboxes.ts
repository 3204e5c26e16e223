/** The sandboxes of a provider, from the start of their opening to their end. */
import { type Sandbox, SandboxError } from "./sandbox.js";

export class OpenSandboxes {
  private readonly sandboxes = new Set<Sandbox>();
  private readonly openings = new Map<Promise<Sandbox>, AbortController>();
  private refusal: SandboxError | undefined;

  /**
   * Opens one more.
   *
   * @param start is given a signal that aborts with the caller's, and when the provider closes
   * @throws {SandboxError} REFUSED after the close @throws the signal's reason @throws what `start` throws
   */
  async open(start: (signal: AbortSignal) => Promise<Sandbox>, signal?: AbortSignal): Promise<Sandbox> {
    signal?.throwIfAborted();
    if (this.refusal) throw this.refusal;
    // No AbortSignal.any: Node 20 may collect the signal that it makes while it is still waited for.
    const either = new AbortController();
    const abort = () => either.abort(signal?.reason);
    signal?.addEventListener("abort", abort);
    const opening = start(either.signal);
    this.openings.set(opening, either);
    try {
      const sandbox = await opening;
      this.sandboxes.add(sandbox);
      void sandbox.ended.then(() => this.sandboxes.delete(sandbox));
      return sandbox;
    } finally {
      this.openings.delete(opening);
      signal?.removeEventListener("abort", abort);
    }
  }

  /** Closes all, also those that are being opened. Never rejects. */
  async close(): Promise<void> {
    this.refusal ??= new SandboxError("REFUSED", "a provider that is open", "a call after its close");
    for (const either of this.openings.values()) either.abort(this.refusal);
    await Promise.allSettled([...this.openings.keys()]);
    await Promise.all([...this.sandboxes].map((sandbox) => sandbox.close()));
  }
}
