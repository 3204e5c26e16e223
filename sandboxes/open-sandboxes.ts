/** Tracks the sandboxes of a provider, including those that are being opened. */
import { providerClosed } from "./closed.js";
import type { Sandbox, SandboxError } from "./sandbox.js";

export class OpenSandboxes {
  private readonly sandboxes = new Set<Sandbox>();
  private readonly openings = new Map<Promise<Sandbox>, AbortController>();
  private refusal: SandboxError | undefined;

  /**
   * Opens a sandbox and tracks it.
   *
   * @param start opens the sandbox; its signal aborts when the caller's signal aborts or the provider closes
   * @throws {SandboxError} REFUSED after the close @throws the signal's reason @throws the error of `start`
   */
  async open(start: (signal: AbortSignal) => Promise<Sandbox>, signal?: AbortSignal): Promise<Sandbox> {
    signal?.throwIfAborted();
    if (this.refusal) throw this.refusal;
    // AbortSignal.any is avoided: Node 20 may garbage-collect its signal while it is still in use.
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

  /** Closes every sandbox, including those that are being opened. Never rejects. */
  async close(): Promise<void> {
    this.refusal ??= providerClosed();
    for (const either of this.openings.values()) either.abort(this.refusal);
    await Promise.allSettled([...this.openings.keys()]);
    await Promise.all([...this.sandboxes].map((sandbox) => sandbox.close()));
  }
}
