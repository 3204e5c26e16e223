/** Base of everything that a provider opens. */
export interface Resource {
  /** Id of the resource, unique on this machine. */
  readonly id: string;
  /** Aborts when the resource ends without having been closed. The reason is a SandboxError with the code LOST. */
  readonly lost: AbortSignal;
  /**
   * Frees the resource. Every later call to another method is refused as LOST. A second call of `close` does nothing. Never
   * rejects.
   */
  close(): Promise<void>;
}
